// algorithms/arrays/one_to_one_regions.cpp: regions where each source sends to each destination.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/general_regions.hpp"

namespace flitwave {

namespace {

/// Algorithm 3 with base patterns of varying sizes: the number of slots is that of the largest
/// pattern, and a smaller pattern is idle in the slots that it does not need.
/// Source: Eberhart 1996, section 3.3.4; the local index counts R rows and C columns per pattern,
///   where the thesis prints one
class OneToOneSchedule final : public detail::GeneralSchedule {
 public:
  OneToOneSchedule(const ArrayAssignment& assignment, const GeneralOptions& options)
      : GeneralSchedule(assignment, options),
        source_rows_(transfer().rows().most_sources()),
        source_columns_(transfer().columns().most_sources()),
        rows_(transfer().rows().most_destinations()),
        columns_(transfer().columns().most_destinations()),
        grid_(detail::pattern_grid(transfer(), columns_, source_rows_, options.offset)) {}

 private:
  int region_slots(TransferPhase phase) const override {
    const int slots = source_rows_ * source_columns_ * rows_ * columns_;
    return phase == TransferPhase::main ? grid_.steps() * slots : 0;
  }

  void append_main(MeshPlace node, std::vector<ArraySend>& sends) const override;

  /// The slot of the step in which a source at these positions of its region sends.
  int slot(int local_row, int local_column, int to_row, int to_column) const {
    int turn = local_row / columns_ - local_column / source_columns_;
    if (turn < 0) turn += source_rows_;
    const int rotated = (to_column + columns_ - 1 - local_row % columns_) % columns_;
    return ((turn * columns_ + rotated) * source_columns_ + local_column % source_columns_) *
               rows_ +
           to_row;
  }

  int source_rows_;  ///< R, C, R', C' of the largest pattern.
  int source_columns_;
  int rows_;
  int columns_;
  detail::PatternGrid grid_;
};

void OneToOneSchedule::append_main(MeshPlace node, std::vector<ArraySend>& sends) const {
  const AxisPatterns& of_rows = transfer().rows();
  const AxisPatterns& of_columns = transfer().columns();
  const IndexBlock own = transfer().before_main({node.row, node.row}, {node.column, node.column});
  if (own.empty()) return;
  const int pattern_row = of_rows.pattern_of_source(node.row);
  const int pattern_column = of_columns.pattern_of_source(node.column);
  const AxisPattern& row = of_rows.pattern(pattern_row);
  const AxisPattern& column = of_columns.pattern(pattern_column);
  const int local_row = pattern_row % columns_ * source_rows_ + node.row - row.sources.first;
  const int local_column =
      pattern_column % source_rows_ * source_columns_ + node.column - column.sources.first;
  const int begin =
      grid_.step(pattern_row, pattern_column) * source_rows_ * source_columns_ * rows_ * columns_;
  for (int x = 0; x < row.destinations.size(); ++x)
    for (int y = 0; y < column.destinations.size(); ++y) {
      const MeshPlace to{row.destinations.first + x, column.destinations.first + y};
      if (to == node) continue;
      const IndexBlock due = transfer().after_main({to.row, to.row}, {to.column, to.column});
      sends.push_back({TransferPhase::main, begin + slot(local_row, local_column, x, y), node, to,
                       intersection(own, due)});
    }
}

}  // namespace

std::unique_ptr<ArraySchedule> detail::one_to_one_regions(const ArrayAssignment& assignment,
                                                          const GeneralOptions& options) {
  return std::make_unique<OneToOneSchedule>(assignment, options);
}

}  // namespace flitwave
