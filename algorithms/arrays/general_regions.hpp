// algorithms/arrays/general_regions.hpp: common parts of a general schedule's region routines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "algorithms/arrays/general_schedule.hpp"

namespace flitwave::detail {

/// Base patterns grouped into regions, and regions into sections that work at the same time.
/// Source: Eberhart 1996, equations 3.16 and 3.17
struct PatternGrid {
  int rows = 1;  ///< Patterns per region.
  int columns = 1;
  int section_rows = 1;  ///< Regions per section.
  int section_columns = 1;

  /// The number of steps of the diagonal schedule, and the step, from 0, of a base pattern.
  int steps() const;
  int step(int pattern_row, int pattern_column) const;
};
PatternGrid pattern_grid(const ShiftedTransfer& transfer, int rows, int columns, OffsetRule rule);

/// Shifts, and the main phase between them.
class GeneralSchedule : public ArraySchedule {
 public:
  GeneralSchedule(const ArrayAssignment& assignment, const GeneralOptions& options);

  int slots(TransferPhase phase) const override;
  void sends_of(MeshPlace node, std::vector<ArraySend>& sends) const override;

 protected:
  const ShiftedTransfer& transfer() const { return transfer_; }
  /// Slots of the phases from `gather` to `scatter`; not called when no data leave their processor.
  virtual int region_slots(TransferPhase phase) const = 0;
  /// The messages of a node in these phases, in any order.
  virtual void append_main(MeshPlace node, std::vector<ArraySend>& sends) const = 0;

 private:
  ShiftedTransfer transfer_;
};

std::unique_ptr<ArraySchedule> one_to_one_regions(const ArrayAssignment& assignment,
                                                  const GeneralOptions& options);
std::unique_ptr<ArraySchedule> gather_scatter_regions(const ArrayAssignment& assignment,
                                                      const GeneralOptions& options);

}  // namespace flitwave::detail
