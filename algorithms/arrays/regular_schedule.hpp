// algorithms/arrays/regular_schedule.hpp: regular transfers: regions on one diagonal send together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/arrays/combining_cost.hpp"
#include "algorithms/arrays/sections/array_schedule.hpp"

namespace flitwave {

/// How a source region sends to its destination region.
/// Source: Eberhart 1996, section 3.2.4
enum class RegionRoutine {
  one_to_one,      ///< Each node sends to each.
  gather_scatter,  ///< One message per base pattern, after a gather and before a scatter.
  hybrid,          ///< As many messages as cost least.
};
std::vector<std::string> names_of(RegionRoutine);

struct RegularOptions {
  RegionRoutine routine = RegionRoutine::one_to_one;
  /// Smaller regions where R and C' have a common divisor; for one_to_one only.
  bool gcd_grouping = false;
  MessageCost cost;  ///< The cost that hybrid minimizes.
};

/// The routine of a schedule's regions.
struct RegionChoice {
  RegionRoutine routine = RegionRoutine::one_to_one;  ///< Hybrid: to the degree below.
  CombiningDegree degree;
  std::string remark;  ///< Why, if there was a choice.
};
/// The choice of hybrid: a degree by algorithm 5 where R C and R' C' are powers of two, else the
/// cheaper of the two other routines.
/// Needs: a regular assignment of identical alignment
RegionChoice choose_region(const ArrayAssignment& assignment, const RegularOptions& options);

/// The diagonal schedule on sections of regions. For a shift it equals section_diagonal().
///
/// Slots: of the main phase, those of a region times the rows or columns of a section, whichever is
///   more. With one_to_one and without gcd_grouping this is the least possible when the section's
///   quotient in eq. 3.7 has no remainder, else less than a region's slots more.
/// Contention: none on channels; a node may send and receive in one slot.
/// Throws: ConfigError on the key `kind` unless the assignment is a regular transfer, on
///   `gcd_grouping` with another routine than one_to_one.
/// Source: Eberhart 1996, algorithms 2 to 5 and theorem 2
std::unique_ptr<ArraySchedule> regular_schedule(const ArrayAssignment& assignment,
                                                const RegularOptions& options = {});

}  // namespace flitwave
