// algorithms/arrays/sections/transfer_class.hpp: the class of transfer of an array assignment.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/arrays/sections/array_assignment.hpp"

namespace flitwave {

/// Each class contains those before it.
/// Source: Eberhart 1996, sections 3.1 to 3.3
enum class TransferClass {
  shift,      ///< Every node sends all its elements to one node, at the same distance.
  regular,    ///< Equal shares on each side, those of one side a multiple of the other's.
  arbitrary,  ///< Anything else.
};
std::vector<std::string> names_of(TransferClass);

/// The narrowest class that holds for both dimensions, for any alignment.
TransferClass class_of(const ArrayAssignment& assignment);

/// Checks that a schedule for at most the class `widest` applies: class and identical alignment.
/// Throws: ConfigError on the key `kind` otherwise; `schedule` names the schedule.
void require_class(const ArrayAssignment& assignment, TransferClass widest,
                   const std::string& schedule);

}  // namespace flitwave
