// algorithms/arrays/transposition.cpp: see transposition.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/transposition.hpp"

#include <algorithm>

#include "configs/error.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

namespace {

/// Whether each source sends to one destination, and each destination receives from one source.
bool is_one_to_one(const AxisTransfer& axis) {
  return axis.sources() == axis.destinations() && axis.messages().size() == index(axis.sources());
}

void check_turned(const ArrayAssignment& assignment) {
  if (assignment.alignment == Alignment::identical)
    throw ConfigError("kind", "the schedule transposes, but both arrays have the same alignment",
                      "use operation.alignment: transposed, rotated_ccw, rotated_cw or "
                      "anti_transposed");
  if (!is_one_to_one(assignment.rows) || !is_one_to_one(assignment.columns))
    throw ConfigError("kind", "some processor would send to several others or receive from several",
                      "use algorithm: block_transposition, or blocks of equal shares");
}

TranspositionShape shape_of(const ArrayAssignment& assignment) {
  return {assignment.rows.sources(), assignment.columns.sources(),
          assignment.columns.first_destination() - assignment.rows.first_source(),
          assignment.rows.first_destination() - assignment.columns.first_source()};
}

/// Columns of source processors in an order: some alone in their step, some in pairs.
class ColumnOrderSchedule final : public ArraySchedule {
 public:
  ColumnOrderSchedule(const ArrayAssignment& assignment, int steps)
      : ArraySchedule(assignment), shape_(shape_of(assignment)), steps_(steps) {}

  int slots(TransferPhase phase) const override {
    return phase == TransferPhase::main ? steps_ : 0;
  }

  void sends_of(MeshPlace node, std::vector<ArraySend>& sends) const override {
    const ArrayAssignment& of = assignment();
    const IndexBlock block = of.at_source(node);
    if (block.empty()) return;
    const int row = node.row - of.rows.first_source();
    const int column = node.column - of.columns.first_source();
    const MeshPlace to =
        of.destination(of.rows.first_destination() + row, of.columns.first_destination() + column);
    if (to == node) return;
    const int slot = column < steps_ ? column : shape_.columns - 1 - column;
    sends.push_back({TransferPhase::main, slot, node, to, block});
  }

 private:
  TranspositionShape shape_;
  int steps_;
};

}  // namespace

int transposition_bound(const TranspositionShape& shape) {
  const int largest =
      std::max({shape.rows - shape.row_offset - 1, shape.rows + shape.column_offset - 1,
                shape.columns + shape.row_offset - 1, shape.columns - shape.column_offset - 1});
  return std::clamp(largest, 0, shape.columns);
}

int transposition_bound(const ArrayAssignment& assignment) {
  check_turned(assignment);
  return transposition_bound(
      shape_of(assignment.order == RouteOrder::row_first ? assignment : assignment.exchanged()));
}

std::unique_ptr<ArraySchedule> column_transposition(const ArrayAssignment& assignment) {
  check_turned(assignment);
  return under_route_order(assignment, [](const ArrayAssignment& by_rows) {
    return std::make_unique<ColumnOrderSchedule>(by_rows, by_rows.columns.sources());
  });
}

std::unique_ptr<ArraySchedule> two_ended_transposition(const ArrayAssignment& assignment) {
  check_turned(assignment);
  return under_route_order(assignment, [](const ArrayAssignment& by_rows) {
    return std::make_unique<ColumnOrderSchedule>(by_rows, transposition_bound(by_rows));
  });
}

}  // namespace flitwave
