// algorithms/arrays/sections/diagonal.cpp: see diagonal.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/sections/diagonal.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "algorithms/arrays/sections/transfer_class.hpp"
#include "configs/error.hpp"

namespace flitwave {

namespace {

/// The distance of a shift. Unit: nodes, to the right and downwards.
struct ShiftOffset {
  int rows;
  int columns;

  explicit ShiftOffset(const ArrayAssignment& of)
      : rows(of.rows.first_destination() - of.rows.first_source()),
        columns(of.columns.first_destination() - of.columns.first_source()) {}
  bool is_zero() const { return rows == 0 && columns == 0; }
};

/// Each source node sends once, in the slot of its diagonal.
class ShiftSchedule final : public ArraySchedule {
 public:
  /// `columns_first`: diagonals are counted to the right instead of downwards.
  ShiftSchedule(const ArrayAssignment& assignment, DiagonalSections sections, bool columns_first)
      : ArraySchedule(assignment),
        offset_(assignment),
        sections_(sections),
        columns_first_(columns_first) {}

  int slots(TransferPhase phase) const override {
    return phase == TransferPhase::main && !offset_.is_zero() ? sections_.slots() : 0;
  }

  void sends_of(MeshPlace node, std::vector<ArraySend>& sends) const override {
    const IndexBlock block = assignment().at_source(node);
    if (block.empty() || offset_.is_zero()) return;
    const int row = node.row - assignment().rows.first_source();
    const int column = node.column - assignment().columns.first_source();
    const DiagonalSections exchanged{sections_.columns, sections_.rows};
    sends.push_back({TransferPhase::main,
                     columns_first_ ? exchanged.slot(column, row) : sections_.slot(row, column),
                     node,
                     {node.row + offset_.rows, node.column + offset_.columns},
                     block});
  }

 private:
  ShiftOffset offset_;
  DiagonalSections sections_;
  bool columns_first_;
};

DiagonalSections shift_sections(const ArrayAssignment& of) {
  const ShiftOffset offset(of);
  return {std::clamp(std::abs(offset.rows), 1, of.rows.sources()),
          std::clamp(std::abs(offset.columns), 1, of.columns.sources())};
}

/// Larger sections where areas overlap, so that senders and receivers are on different diagonals.
DiagonalSections one_port_sections(const ArrayAssignment& of) {
  const ShiftOffset offset(of);
  const int down = std::abs(offset.rows);
  const int across = std::abs(offset.columns);
  const bool overlap = down < of.rows.sources() && across < of.columns.sources();
  if (!overlap || offset.is_zero()) return shift_sections(of);
  if (down == 0) return {1, across + 1};
  if (across == 0) return {down + 1, 1};
  if (down == across) return {down + 1, across};
  return {std::max(down, across), std::max(down, across)};
}

void require_separate_areas(const ArrayAssignment& of) {
  const ShiftOffset offset(of);
  if (std::abs(offset.rows) >= of.rows.sources() &&
      std::abs(offset.columns) >= of.columns.sources())
    return;
  throw ConfigError(
      "kind",
      fmt::format("the plain diagonal schedule needs areas that share no row and no column of the "
                  "mesh, and one of {} x {} nodes is shifted by {} rows and {} columns",
                  of.rows.sources(), of.columns.sources(), offset.rows, offset.columns),
      "use the diagonal schedule on sections");
}

}  // namespace

int DiagonalSections::slot(int row, int column) const {
  const int diagonal = row % rows - column % columns;
  return diagonal < 0 ? diagonal + slots() : diagonal;
}

std::unique_ptr<ArraySchedule> plain_diagonal(const ArrayAssignment& assignment) {
  require_class(assignment, TransferClass::shift, "the plain diagonal schedule");
  require_separate_areas(assignment);
  return under_route_order(assignment, [](const ArrayAssignment& of) {
    const DiagonalSections area{of.rows.sources(), of.columns.sources()};
    return std::make_unique<ShiftSchedule>(of, area, true);
  });
}

std::unique_ptr<ArraySchedule> section_diagonal(const ArrayAssignment& assignment) {
  require_class(assignment, TransferClass::shift, "the diagonal schedule on sections");
  return under_route_order(assignment, [](const ArrayAssignment& of) {
    return std::make_unique<ShiftSchedule>(of, shift_sections(of), false);
  });
}

std::unique_ptr<ArraySchedule> one_port_diagonal(const ArrayAssignment& assignment) {
  require_class(assignment, TransferClass::shift, "the diagonal schedule for one port");
  return under_route_order(assignment, [](const ArrayAssignment& of) {
    return std::make_unique<ShiftSchedule>(of, one_port_sections(of), false);
  });
}

}  // namespace flitwave
