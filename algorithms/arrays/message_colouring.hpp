// algorithms/arrays/message_colouring.hpp: slots for any list of messages on a mesh.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/arrays/sections/array_schedule.hpp"

namespace flitwave {

/// A message of any pattern.
struct MeshMessage {
  MeshPlace from;
  MeshPlace to;
  std::int64_t elements = 1;
};

/// Slots of messages, found by colouring.
struct MessageColouring {
  std::vector<int> slots;  ///< For each message, from 0; -1 for a message to the node itself.
  int count = 0;           ///< How many slots.
  int bound = 0;  ///< Lower bound of count: the most messages of one channel, sender or receiver.
};

/// Assigns slots to messages so that messages of one slot share no channel, no sender and no
/// receiver. Colours the conflict graph greedily, busiest resources first, then again in the order
/// of the slots found so far, which never needs more slots. Every node needs all messages as input;
/// deterministic. Not from the thesis: a reference for its schedules, and a method for patterns
/// that it does not cover.
/// Source: Culberson 1992, "Iterated greedy graph coloring and the difficulty landscape"
/// Complexity: rounds x messages x hops x slots / 64
MessageColouring colour_messages(const std::vector<MeshMessage>& messages, RouteOrder order,
                                 int rounds = 8);

/// The unscheduled messages of an assignment, whole and without shifts, in coloured slots. For any
/// alignment. Not from the thesis; a node cannot compute it from its own position alone.
std::unique_ptr<ArraySchedule> coloured_schedule(const ArrayAssignment& assignment, int rounds = 8);

/// The time of coloured slots, each lasting as long as its longest message, alpha + beta L.
std::int64_t coloured_time(const std::vector<MeshMessage>& messages,
                           const MessageColouring& colouring, std::int64_t alpha,
                           std::int64_t beta);

}  // namespace flitwave
