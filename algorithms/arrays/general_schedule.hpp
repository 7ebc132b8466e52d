// algorithms/arrays/general_schedule.hpp: transfers between any block distributions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/arrays/sections/schedule_time.hpp"
#include "algorithms/arrays/sections/shifted_transfer.hpp"

namespace flitwave {

/// How the messages of a region of base patterns reach its destinations.
/// Source: Eberhart 1996, sections 3.2.4 and 3.3.4
enum class GeneralRegion {
  one_to_one,      ///< Every source sends to every destination of its pattern.
  gather_scatter,  ///< One message per pattern, gathered before the main phase, scattered after it.
};
std::vector<std::string> names_of(GeneralRegion);

struct GeneralOptions {
  GeneralRegion region = GeneralRegion::one_to_one;
  Surplus surplus = Surplus::lead_merge;
  OffsetRule offset = OffsetRule::exact;
};

/// The diagonal schedule over regions of base patterns, with shifts that separate the patterns, for
/// any two block distributions in the same alignment. Cost per node: its own messages, and once per
/// schedule the processors of a row and a column.
/// Source: Eberhart 1996, section 3.3, Algorithm 6; Algorithms 3 and 4 as adapted in 3.3.4
/// Throws: ConfigError on the key `alignment` when the destination's is not identical; on `surplus`
///   when that is nominal
std::unique_ptr<ArraySchedule> general_schedule(const ArrayAssignment& assignment,
                                                const GeneralOptions& options = {});

/// The numbers that determine the length of a general schedule.
struct GeneralLength {
  int steps = 1;             ///< Steps of the diagonal schedule: regions one after another.
  int region_slots = 1;      ///< Slots of a region's transfer.
  std::int64_t carried = 0;  ///< Elements of the longest message of the main phase.
  std::vector<std::int64_t> shifted;  ///< Elements of the longest message of each phase of shifts.

  /// Shifts, then the main phase.
  std::vector<ArraySlots> slots() const;
};

/// The length as the thesis counts it, of one-to-one regions: pattern sizes by equation 3.14, the
/// offset by equation 3.16 as printed, and shifts of what a node owns itself. This is not a
/// schedule: the surplus of a first base pattern would never be delivered.
/// Source: Eberhart 1996, section 5.2.3
GeneralLength nominal_length(const ArrayAssignment& assignment);

}  // namespace flitwave
