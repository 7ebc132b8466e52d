// algorithms/arrays/sections/schedule_time.cpp: see schedule_time.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/sections/schedule_time.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "topologies/ids.hpp"

namespace flitwave {

namespace {

/// The busy slots of one phase.
struct PhaseSlots {
  std::int64_t longest = 0;  ///< Elements of the longest message of all.
  std::vector<ArraySlots> busy;
};

std::array<PhaseSlots, transfer_phases> busy_slots_by_phase(const ArraySchedule& schedule) {
  std::array<PhaseSlots, transfer_phases> phases;
  const std::vector<ArraySend> sends = schedule.sends();
  for (auto send = sends.begin(); send != sends.end();) {
    const ArraySend& first = *send;
    std::int64_t longest = 0;
    for (; send != sends.end() && send->phase == first.phase && send->slot == first.slot; ++send)
      longest = std::max(longest, send->block.elements());
    PhaseSlots& phase = phases[index(first.phase)];
    phase.longest = std::max(phase.longest, longest);
    phase.busy.push_back({1, longest});
  }
  return phases;
}

}  // namespace

std::vector<std::string> names_of(IdleSlots) { return {"counted", "skipped"}; }

ScheduleSlots slots_of(const ArraySchedule& schedule) {
  const std::array<PhaseSlots, transfer_phases> phases = busy_slots_by_phase(schedule);
  ScheduleSlots slots;
  for (int phase = 0; phase < transfer_phases; ++phase) {
    const PhaseSlots& of = phases[index(phase)];
    slots.busy.insert(slots.busy.end(), of.busy.begin(), of.busy.end());
    const int idle =
        schedule.slots(static_cast<TransferPhase>(phase)) - static_cast<int>(of.busy.size());
    if (idle > 0) slots.idle.push_back({idle, of.longest});
  }
  return slots;
}

std::int64_t time_of(const std::vector<ArraySlots>& slots, std::int64_t alpha, std::int64_t beta) {
  std::int64_t time = 0;
  for (const ArraySlots& of : slots) time += of.slots * (alpha + of.elements * beta);
  return time;
}

std::int64_t scheduled_time(const ArraySchedule& schedule, std::int64_t alpha, std::int64_t beta,
                            IdleSlots idle) {
  const ScheduleSlots slots = slots_of(schedule);
  const std::int64_t busy = time_of(slots.busy, alpha, beta);
  return idle == IdleSlots::skipped ? busy : busy + time_of(slots.idle, alpha, beta);
}

}  // namespace flitwave
