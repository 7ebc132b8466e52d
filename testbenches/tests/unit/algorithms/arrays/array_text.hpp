// testbenches/tests/unit/algorithms/arrays/array_text.hpp: array assignments as text for test
// messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/format.h>

#include "algorithms/arrays/sections/array_assignment.hpp"

namespace flitwave::testing {

inline std::string text_of(const BlockSection& side) {
  return fmt::format("{} in blocks of {}", to_string(side.section), side.block);
}
inline std::string text_of(const AxisTransfer& axis) {
  return fmt::format("{} -> {}", text_of(axis.source()), text_of(axis.destination()));
}
inline std::string text_of(const ArrayAssignment& of) {
  return fmt::format("rows {}, columns {}, {}, {}", text_of(of.rows), text_of(of.columns),
                     names_of(Alignment{})[static_cast<std::size_t>(of.alignment)],
                     of.order == RouteOrder::row_first ? "rows first" : "columns first");
}

}  // namespace flitwave::testing
