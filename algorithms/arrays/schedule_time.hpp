// algorithms/arrays/schedule_time.hpp: how long a schedule of an array assignment takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "flitwave/algorithms/arrays/array_schedule.hpp"

namespace flitwave {

/// What a slot takes in which no node of the mesh sends.
enum class IdleSlots {
  counted,  ///< As long as the longest slot of its phase: nodes count slots alone.
  skipped,  ///< Nothing: every node works out from the parameters that nobody sends.
};
std::vector<std::string> names_of(IdleSlots);

/// The time of all slots one after another, each as long as its longest message; a message of L
/// elements takes alpha + beta L, at any distance.
/// Source: Eberhart 1996, sections 2.1.3 and 2.1.4
/// Unit: that of alpha and beta
std::int64_t scheduled_time(const ArraySchedule& schedule, std::int64_t alpha, std::int64_t beta,
                            IdleSlots idle = IdleSlots::counted);

/// Slots in which some node sends.
int busy_slots(const ArraySchedule& schedule);

}  // namespace flitwave
