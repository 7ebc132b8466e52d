// algorithms/arrays/sections/shifted_transfer.cpp: see shifted_transfer.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/sections/shifted_transfer.hpp"

namespace flitwave {

ShiftedTransfer::ShiftedTransfer(const ArrayAssignment& assignment, Surplus surplus)
    : assignment_(assignment),
      rows_(assignment.rows, surplus),
      columns_(assignment.columns, surplus) {}

int ShiftedTransfer::slots(TransferPhase phase) const {
  const AxisPatterns& down = is_transposed() ? columns_ : rows_;
  const AxisPatterns& right = is_transposed() ? rows_ : columns_;
  switch (phase) {
    case TransferPhase::initial_shift_1:
      return rows_.has_initial_shift() ? 1 : 0;
    case TransferPhase::initial_shift_2:
      return columns_.has_initial_shift() ? 1 : 0;
    case TransferPhase::final_shift_1:
      return down.has_final_shift() ? 1 : 0;
    case TransferPhase::final_shift_2:
      return right.has_final_shift() ? 1 : 0;
    default:
      return 0;
  }
}

void ShiftedTransfer::append_initial(MeshPlace node, std::vector<ArraySend>& sends) const {
  const IndexRange own_columns = assignment_.columns.at_source(node.column);
  if (const auto up = rows_.initial_shift(node.row); up && !own_columns.empty())
    sends.push_back({TransferPhase::initial_shift_1,
                     0,
                     node,
                     {up->to, node.column},
                     {up->indices, own_columns}});
  const IndexRange rows = rows_.before_main(node.row);
  if (const auto left = columns_.initial_shift(node.column); left && !rows.empty())
    sends.push_back(
        {TransferPhase::initial_shift_2, 0, node, {node.row, left->to}, {rows, left->indices}});
}

void ShiftedTransfer::append_final(MeshPlace node, std::vector<ArraySend>& sends) const {
  const MeshPlace axes = assignment_.destination_axes(node);
  append_final(TransferPhase::final_shift_1, !is_transposed(), axes, sends);
  append_final(TransferPhase::final_shift_2, is_transposed(), axes, sends);
}

/// One dimension's shift, of all elements that the node has in the other dimension: those received
/// in the main phase, or its own share if that dimension's shift is earlier.
void ShiftedTransfer::append_final(TransferPhase phase, bool along_rows, MeshPlace axes,
                                   std::vector<ArraySend>& sends) const {
  const bool second = phase == TransferPhase::final_shift_2;
  const auto shift = along_rows ? rows_.final_shift(axes.row) : columns_.final_shift(axes.column);
  if (!shift) return;
  const MeshPlace from = assignment_.destination(axes.row, axes.column);
  if (along_rows) {
    const IndexRange columns =
        second ? assignment_.columns.at_destination(axes.column) : columns_.after_main(axes.column);
    if (columns.empty()) return;
    sends.push_back({phase,
                     0,
                     from,
                     assignment_.destination(shift->to, axes.column),
                     {shift->indices, columns}});
  } else {
    const IndexRange rows =
        second ? assignment_.rows.at_destination(axes.row) : rows_.after_main(axes.row);
    if (rows.empty()) return;
    sends.push_back(
        {phase, 0, from, assignment_.destination(axes.row, shift->to), {rows, shift->indices}});
  }
}

bool ShiftedTransfer::is_local() const {
  return !is_transposed() && rows_.is_local() && columns_.is_local();
}

IndexBlock ShiftedTransfer::before_main(ProcessorRange rows, ProcessorRange columns) const {
  return {{rows_.before_main(rows.first).first, rows_.before_main(rows.last).last},
          {columns_.before_main(columns.first).first, columns_.before_main(columns.last).last}};
}

IndexBlock ShiftedTransfer::after_main(ProcessorRange rows, ProcessorRange columns) const {
  return {{rows_.after_main(rows.first).first, rows_.after_main(rows.last).last},
          {columns_.after_main(columns.first).first, columns_.after_main(columns.last).last}};
}

}  // namespace flitwave
