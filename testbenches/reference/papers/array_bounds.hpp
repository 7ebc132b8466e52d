// testbenches/reference/papers/array_bounds.hpp: lower bounds of schedules of single messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/arrays/sections/array_assignment.hpp"
#include "algorithms/arrays/sections/message_cost.hpp"

namespace flitwave {

/// The direction of a channel of the mesh: to the next column, the previous one, the next row, the
/// previous one.
enum class ChannelDirection { east, west, south, north };
std::vector<std::string> names_of(ChannelDirection);

/// The channel of a node in a direction.
struct MeshChannel {
  MeshPlace from;
  ChannelDirection direction = ChannelDirection::east;

  friend bool operator==(const MeshChannel& a, const MeshChannel& b) {
    return a.from == b.from && a.direction == b.direction;
  }
};

/// The heaviest channel of an assignment whose messages follow their routes.
struct ChannelBound {
  double value = 0;                   ///< alpha * messages + beta * elements; 0: no messages.
  std::int64_t messages = 0;          ///< Messages over the first channel of `heaviest`.
  std::int64_t elements = 0;          ///< Elements over the same channel.
  std::vector<MeshChannel> heaviest;  ///< All channels of that value, row by row, by direction.
};

/// Adds up all messages of the assignment, each sent singly and whole, on each channel of the mesh.
/// {1, 0}: counts messages, the bound of steps. Cost: messages + nodes.
/// Source: Eberhart 1996, sections 3.1.2 and 5.2.3
ChannelBound channel_bound(const ArrayAssignment& assignment, MessageCost cost = {1, 0});

/// The same number of messages in closed form.
/// Needs: a shift of identical alignment
/// Source: Eberhart 1996, equation 3.3
int shift_bound(const ArrayAssignment& assignment);

/// The same number in closed form.
/// Needs: a regular assignment of identical alignment
/// Source: derived from Eberhart 1996, equation 3.7: the outermost nodes at each end send or
///   receive over one channel per row, or per column
int regular_bound(const ArrayAssignment& assignment);

}  // namespace flitwave
