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
  std::vector<int> slots;  ///< Of each message, from 0; -1 of a message to the node itself.
  int count = 0;           ///< How many slots.
  int bound = 0;  ///< The most messages over one channel, or of one sender or receiver: the least.
};

/// Messages of one slot share no channel, no sender and no receiver: the conflict graph coloured
/// greedily, busiest resources first, then again in orders of earlier colourings' slots, which
/// never takes more. Every node has to know all messages; deterministic. Not of the thesis: a
/// reference for its schedules, and for patterns that it leaves out. Source: Culberson 1992,
/// "Iterated greedy graph coloring and the difficulty landscape" Cost: rounds x messages x hops x
/// slots / 64
MessageColouring colour_messages(const std::vector<MeshMessage>& messages, RouteOrder order,
                                 int rounds = 8);

/// The unscheduled messages of an assignment, whole and without shifts, in coloured slots. Of any
/// alignment. Not of the thesis, and not computed from a node's own place alone.
std::unique_ptr<ArraySchedule> coloured_schedule(const ArrayAssignment& assignment, int rounds = 8);

/// The time of coloured slots, each as long as its longest message, alpha + beta L.
std::int64_t coloured_time(const std::vector<MeshMessage>& messages,
                           const MessageColouring& colouring, std::int64_t alpha,
                           std::int64_t beta);

}  // namespace flitwave
