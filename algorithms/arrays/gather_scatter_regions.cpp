// algorithms/arrays/gather_scatter_regions.cpp: regions where a base pattern sends one message.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/arrays/general_regions.hpp"
#include "algorithms/arrays/line_tree.hpp"

namespace flitwave {

namespace {

/// The processors of a line whose data one send of its tree carries.
ProcessorRange part_of(const ProcessorRange& line, const LineSend& send) {
  return {line.first + send.first, line.first + send.last};
}

/// Algorithm 4 with base patterns of varying sizes: the number of base patterns in a region is the
/// number of channels of the smallest pattern.
/// Source: Eberhart 1996, section 3.3.4
class GatherScatterSchedule final : public detail::GeneralSchedule {
 public:
  GatherScatterSchedule(const ArrayAssignment& assignment, const GeneralOptions& options)
      : GeneralSchedule(assignment, options),
        grid_(detail::pattern_grid(transfer(), transfer().columns().fewest_destinations(),
                                   transfer().rows().fewest_sources(), options.offset)) {}

 private:
  /// The base pattern of a source or a destination: its processors, and the ones that send and
  /// receive for all of them.
  struct Pattern {
    int row = 0;
    int column = 0;
    const AxisPattern* rows = nullptr;
    const AxisPattern* columns = nullptr;
    MeshPlace sender;
    MeshPlace receiver;
  };

  int region_slots(TransferPhase phase) const override;
  void append_main(MeshPlace node, std::vector<ArraySend>& sends) const override;
  Pattern pattern_at(int row, int column) const;
  void append_gather(const Pattern& pattern, MeshPlace node, std::vector<ArraySend>& sends) const;
  void append_scatter(const Pattern& pattern, MeshPlace node, std::vector<ArraySend>& sends) const;

  int first_gather_slots() const { return tree_slots(transfer().columns().most_sources()); }
  int first_scatter_slots() const { return tree_slots(transfer().columns().most_destinations()); }

  detail::PatternGrid grid_;
};

int GatherScatterSchedule::region_slots(TransferPhase phase) const {
  switch (phase) {
    case TransferPhase::gather:
      return first_gather_slots() + tree_slots(transfer().rows().most_sources());
    case TransferPhase::scatter:
      return first_scatter_slots() + tree_slots(transfer().rows().most_destinations());
    default:
      return grid_.steps();
  }
}

GatherScatterSchedule::Pattern GatherScatterSchedule::pattern_at(int row, int column) const {
  Pattern pattern{
      row, column, &transfer().rows().pattern(row), &transfer().columns().pattern(column), {}, {}};
  pattern.sender = {pattern.rows->sources.first + column % grid_.columns,
                    pattern.columns->sources.first};
  pattern.receiver = {pattern.rows->destinations.first,
                      pattern.columns->destinations.first + row % grid_.rows};
  return pattern;
}

void GatherScatterSchedule::append_main(MeshPlace node, std::vector<ArraySend>& sends) const {
  const AxisPatterns& rows = transfer().rows();
  const AxisPatterns& columns = transfer().columns();
  if (!transfer().before_main({node.row, node.row}, {node.column, node.column}).empty()) {
    const Pattern pattern =
        pattern_at(rows.pattern_of_source(node.row), columns.pattern_of_source(node.column));
    append_gather(pattern, node, sends);
    if (node == pattern.sender && node != pattern.receiver)
      sends.push_back({TransferPhase::main, grid_.step(pattern.row, pattern.column), node,
                       pattern.receiver,
                       transfer().before_main(pattern.rows->sources, pattern.columns->sources)});
  }
  if (!transfer().after_main({node.row, node.row}, {node.column, node.column}).empty())
    append_scatter(pattern_at(rows.pattern_of_destination(node.row),
                              columns.pattern_of_destination(node.column)),
                   node, sends);
}

/// Along rows to the first column, then along this column to the sender.
void GatherScatterSchedule::append_gather(const Pattern& pattern, MeshPlace node,
                                          std::vector<ArraySend>& sends) const {
  const ProcessorRange& rows = pattern.rows->sources;
  const ProcessorRange& columns = pattern.columns->sources;
  for (const LineSend& send : line_gather(columns.size(), 0, node.column - columns.first))
    sends.push_back({TransferPhase::gather,
                     send.slot,
                     node,
                     {node.row, columns.first + send.to},
                     transfer().before_main({node.row, node.row}, part_of(columns, send))});
  if (node.column != columns.first) return;
  const int root = pattern.sender.row - rows.first;
  for (const LineSend& send : line_gather(rows.size(), root, node.row - rows.first))
    sends.push_back({TransferPhase::gather,
                     first_gather_slots() + send.slot,
                     node,
                     {rows.first + send.to, node.column},
                     transfer().before_main(part_of(rows, send), columns)});
}

/// Along the first row from the receiver, then along columns.
void GatherScatterSchedule::append_scatter(const Pattern& pattern, MeshPlace node,
                                           std::vector<ArraySend>& sends) const {
  const ProcessorRange& rows = pattern.rows->destinations;
  const ProcessorRange& columns = pattern.columns->destinations;
  const int root = pattern.receiver.column - columns.first;
  if (node.row == rows.first)
    for (const LineSend& send : line_scatter(columns.size(), root, node.column - columns.first))
      sends.push_back({TransferPhase::scatter,
                       send.slot,
                       node,
                       {node.row, columns.first + send.to},
                       transfer().after_main(rows, part_of(columns, send))});
  for (const LineSend& send : line_scatter(rows.size(), 0, node.row - rows.first))
    sends.push_back({TransferPhase::scatter,
                     first_scatter_slots() + send.slot,
                     node,
                     {rows.first + send.to, node.column},
                     transfer().after_main(part_of(rows, send), {node.column, node.column})});
}

}  // namespace

std::unique_ptr<ArraySchedule> detail::gather_scatter_regions(const ArrayAssignment& assignment,
                                                              const GeneralOptions& options) {
  return std::make_unique<GatherScatterSchedule>(assignment, options);
}

}  // namespace flitwave
