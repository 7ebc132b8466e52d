// algorithms/arrays/sections/transfer_class.hpp: what kind of transfer an array assignment is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/arrays/sections/array_assignment.hpp"

namespace flitwave {

/// Each class holds those before it.
/// Source: Eberhart 1996, sections 3.1 to 3.3
enum class TransferClass {
  shift,      ///< Every node sends all it has to one node, all as far.
  regular,    ///< Equal shares on each side, those of one side a multiple of the other's.
  arbitrary,  ///< Anything else.
};
std::vector<std::string> names_of(TransferClass);

/// The narrowest class of both dimensions, however the arrays are aligned.
TransferClass class_of(const ArrayAssignment& assignment);

/// What a schedule that serves no wider class needs, and identical alignment.
/// Throws: ConfigError on the key `kind` otherwise; `schedule` names who needs it.
void require_class(const ArrayAssignment& assignment, TransferClass widest,
                   const std::string& schedule);

}  // namespace flitwave
