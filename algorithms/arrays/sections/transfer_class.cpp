// algorithms/arrays/sections/transfer_class.cpp: see transfer_class.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/sections/transfer_class.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

namespace {

TransferClass class_of_axis(const AxisTransfer& axis) {
  if (axis.is_shift()) return TransferClass::shift;
  return axis.is_regular() ? TransferClass::regular : TransferClass::arbitrary;
}

std::string text_of_side(const BlockSection& side) {
  return fmt::format("{} in blocks of {}", to_string(side.section), side.block);
}

/// Why an axis does not belong to a narrower class.
std::string reason_of_axis(const AxisTransfer& axis) {
  const BlockSection& source = axis.source();
  const BlockSection& destination = axis.destination();
  const auto uneven = [](const BlockSection& side) {
    return fmt::format("{} is not regular: shares of nodes are unequal or cut blocks",
                       text_of_side(side));
  };
  if (!axis.is_source_regular()) return uneven(source);
  if (!axis.is_destination_regular()) return uneven(destination);
  return fmt::format("nodes own {} elements of {} and {} of {}",
                     source.block / source.section.stride, text_of_side(source),
                     destination.block / destination.section.stride, text_of_side(destination));
}

}  // namespace

std::vector<std::string> names_of(TransferClass) { return {"shift", "regular", "arbitrary"}; }

TransferClass class_of(const ArrayAssignment& assignment) {
  return std::max(class_of_axis(assignment.rows), class_of_axis(assignment.columns));
}

void require_class(const ArrayAssignment& assignment, TransferClass widest,
                   const std::string& schedule) {
  if (assignment.alignment != Alignment::identical)
    throw ConfigError("kind", fmt::format("{} needs identical alignment", schedule),
                      "use a schedule of transpositions, or identical alignment");
  if (class_of(assignment) <= widest) return;
  const bool by_rows = class_of_axis(assignment.rows) > widest;
  const std::string needed = widest == TransferClass::shift ? "shifts" : "regular transfers";
  throw ConfigError(
      "kind",
      fmt::format("{} serves {} only, and in the {} dimension {}", schedule, needed,
                  by_rows ? "row" : "column",
                  reason_of_axis(by_rows ? assignment.rows : assignment.columns)),
      widest == TransferClass::shift && class_of(assignment) == TransferClass::regular
          ? "use a schedule of regular transfers, or equal shares per node"
          : "use algorithm: block_transfer, or sections that begin and end with blocks");
}

}  // namespace flitwave
