// algorithms/arrays/sections/array_schedule.hpp: schedules of array assignments: sender, receiver,
// elements and slot of each message.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/arrays/sections/array_assignment.hpp"

namespace flitwave {

/// Phases of a transfer, in their order. The directions hold for routes along rows first; for
/// routes along columns first, rows and columns are exchanged.
/// Source: Eberhart 1996, sections 3.2.4 and 3.3.1
enum class TransferPhase {
  initial_shift_1,  ///< To the processor above, before all others.
  initial_shift_2,  ///< To the processor on the left, after that.
  gather,           ///< Within base patterns, towards the processors that send for all.
  main,             ///< Between source and destination regions.
  scatter,          ///< Within base patterns, from the processors that received for all.
  final_shift_1,    ///< To the processor below, after the others; above for data sent with it.
  final_shift_2,    ///< To the processor on the right, or left.
};
constexpr int transfer_phases = 7;
std::string name_of(TransferPhase phase);

/// One message of a schedule: in its slot of its phase.
struct ArraySend {
  TransferPhase phase = TransferPhase::main;
  int slot = 0;  ///< From 0, within the phase.
  MeshPlace from;
  MeshPlace to;
  IndexBlock block;  ///< All section indices that it carries.
};
/// Sorted by phase, slot and sender.
bool operator<(const ArraySend& a, const ArraySend& b);

/// A schedule of an assignment that each node can compute on its own: the sends of a node follow
/// from its position, the distributions and the sections alone, without any communication.
class ArraySchedule {
 public:
  explicit ArraySchedule(const ArrayAssignment& assignment) : assignment_(assignment) {}
  virtual ~ArraySchedule() = default;

  const ArrayAssignment& assignment() const { return assignment_; }
  /// How many slots a phase has, idle ones included; 0: the phase is omitted.
  virtual int slots(TransferPhase phase) const = 0;
  /// Appends the sends of one node, by phase and slot. A message from a node to itself is omitted.
  virtual void sends_of(MeshPlace node, std::vector<ArraySend>& sends) const = 0;
  /// Remarks for the user, e.g. what was chosen instead; empty if there are none.
  virtual std::vector<std::string> remarks() const { return {}; }

  /// Slots of all phases.
  int steps() const;
  /// The step, from 1, of a slot.
  int step(TransferPhase phase, int slot) const;
  /// The sends of all nodes, in order.
  std::vector<ArraySend> sends() const;

 private:
  ArrayAssignment assignment_;
};

/// A schedule for an assignment under either route order; where messages follow columns first, by
/// the schedule of the exchanged problem. `build`: makes the schedule for messages along rows
/// first.
/// Source: Eberhart 1996, section 2.1.1
template <class Build>
std::unique_ptr<ArraySchedule> under_route_order(const ArrayAssignment& assignment, Build build);

namespace detail {
/// The schedule of the exchanged problem, mirrored at the diagonal.
std::unique_ptr<ArraySchedule> exchange_back(const ArrayAssignment& assignment,
                                             std::unique_ptr<ArraySchedule> exchanged);
}  // namespace detail

template <class Build>
std::unique_ptr<ArraySchedule> under_route_order(const ArrayAssignment& assignment, Build build) {
  if (assignment.order == RouteOrder::row_first) return build(assignment);
  return detail::exchange_back(assignment, build(assignment.exchanged()));
}

}  // namespace flitwave
