// algorithms/arrays/sections/shifted_transfer.hpp: a transfer divided into base patterns by shifts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/arrays/sections/array_schedule.hpp"
#include "algorithms/arrays/sections/axis_patterns.hpp"

namespace flitwave {

/// Both dimensions of a transfer between any block distributions as base patterns, and the shifts
/// between neighbours that separate them. A phase of shifts is one slot, in which all data move by
/// one processor in one direction.
/// Source: Eberhart 1996, sections 3.3.2 and 4.2
class ShiftedTransfer {
 public:
  ShiftedTransfer(const ArrayAssignment& assignment, Surplus surplus);

  const AxisPatterns& rows() const { return rows_; }
  const AxisPatterns& columns() const { return columns_; }

  /// 1 for a phase of shifts in which some node sends, 0 for any other phase.
  int slots(TransferPhase phase) const;
  /// Appends the sends of a node in the shifts before the main phase, and after it.
  void append_initial(MeshPlace node, std::vector<ArraySend>& sends) const;
  void append_final(MeshPlace node, std::vector<ArraySend>& sends) const;

  /// Whether no data leave their processor in the main phase.
  bool is_local() const;
  /// The elements that all sources of a base pattern have when the main phase begins.
  IndexBlock before_main(ProcessorRange rows, ProcessorRange columns) const;
  /// The elements that destinations have when it has ended, by processors of the axes.
  IndexBlock after_main(ProcessorRange rows, ProcessorRange columns) const;

 private:
  bool is_transposed() const { return assignment_.alignment != Alignment::identical; }
  void append_final(TransferPhase phase, bool along_rows, MeshPlace axes,
                    std::vector<ArraySend>& sends) const;

  ArrayAssignment assignment_;
  AxisPatterns rows_;
  AxisPatterns columns_;
};

}  // namespace flitwave
