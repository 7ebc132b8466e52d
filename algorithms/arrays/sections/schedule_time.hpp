// algorithms/arrays/sections/schedule_time.hpp: the duration of a schedule of an array assignment.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/arrays/sections/array_schedule.hpp"

namespace flitwave {

/// The duration of a slot in which no node of the mesh sends.
enum class IdleSlots {
  counted,  ///< As long as the longest slot of its phase: nodes only count slots.
  skipped,  ///< None: every node computes from the parameters that no node sends.
};
std::vector<std::string> names_of(IdleSlots);

/// Slots that last equally long.
struct ArraySlots {
  std::int64_t slots = 1;
  std::int64_t elements = 0;  ///< Elements of the longest message of each slot.

  friend bool operator==(const ArraySlots& a, const ArraySlots& b) {
    return a.slots == b.slots && a.elements == b.elements;
  }
};

/// The slots of a schedule, by duration.
struct ScheduleSlots {
  std::vector<ArraySlots> busy;  ///< Slots in which some node sends, in order.
  std::vector<ArraySlots> idle;  ///< The others, each as long as the longest of its phase.
};
ScheduleSlots slots_of(const ArraySchedule& schedule);

/// The time of slots one after another; a message of L elements takes alpha + beta L, at any
/// distance. Unit: that of alpha and beta
/// Source: Eberhart 1996, sections 2.1.3 and 2.1.4
std::int64_t time_of(const std::vector<ArraySlots>& slots, std::int64_t alpha, std::int64_t beta);

/// The time of all slots of a schedule.
std::int64_t scheduled_time(const ArraySchedule& schedule, std::int64_t alpha, std::int64_t beta,
                            IdleSlots idle = IdleSlots::counted);

}  // namespace flitwave
