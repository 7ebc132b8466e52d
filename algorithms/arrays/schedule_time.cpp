// algorithms/arrays/schedule_time.cpp: see schedule_time.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/arrays/schedule_time.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace flitwave {

namespace {

/// The busy slots of a phase, and how they would be filled.
struct PhaseLoad {
  int busy = 0;
  std::int64_t longest = 0;   ///< Elements of the longest message.
  std::int64_t elements = 0;  ///< Of the longest messages of all slots.
};

std::array<PhaseLoad, transfer_phases> loads_of(const ArraySchedule& schedule) {
  std::array<PhaseLoad, transfer_phases> loads;
  const std::vector<ArraySend> sends = schedule.sends();
  for (auto send = sends.begin(); send != sends.end();) {
    const ArraySend& first = *send;
    std::int64_t longest = 0;
    for (; send != sends.end() && send->phase == first.phase && send->slot == first.slot; ++send)
      longest = std::max(longest, send->block.elements());
    PhaseLoad& load = loads[static_cast<std::size_t>(first.phase)];
    ++load.busy;
    load.longest = std::max(load.longest, longest);
    load.elements += longest;
  }
  return loads;
}

}  // namespace

std::vector<std::string> names_of(IdleSlots) { return {"counted", "skipped"}; }

std::int64_t scheduled_time(const ArraySchedule& schedule, std::int64_t alpha, std::int64_t beta,
                            IdleSlots idle) {
  const std::array<PhaseLoad, transfer_phases> loads = loads_of(schedule);
  std::int64_t time = 0;
  for (int phase = 0; phase < transfer_phases; ++phase) {
    const PhaseLoad& load = loads[static_cast<std::size_t>(phase)];
    time += load.busy * alpha + load.elements * beta;
    const int empty = schedule.slots(static_cast<TransferPhase>(phase)) - load.busy;
    if (idle == IdleSlots::counted) time += empty * (alpha + load.longest * beta);
  }
  return time;
}

int busy_slots(const ArraySchedule& schedule) {
  int busy = 0;
  for (const PhaseLoad& load : loads_of(schedule)) busy += load.busy;
  return busy;
}

}  // namespace flitwave
