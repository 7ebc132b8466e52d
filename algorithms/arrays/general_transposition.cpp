// algorithms/arrays/general_transposition.cpp: see general_transposition.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/general_transposition.hpp"

#include <algorithm>

#include "configs/error.hpp"

namespace flitwave {

namespace {

/// Base patterns of a row whose messages leave the intersection by one side: their numbers counted
/// from the left end and from the right end.
struct ConflictingSet {
  int from_left = 0;
  int from_right = 0;

  void add(int index, int count) {
    from_left = index + 1;
    if (from_right == 0) from_right = count - index;
  }
  int size() const { return std::min(from_left, from_right); }
};

/// Steps that sets need when `channels` of their patterns, at most two, can send at once.
int steps_of(const ConflictingSet& a, const ConflictingSet& b, int channels) {
  return static_cast<int>(ceil_div(std::max(a.size(), b.size()), std::min(channels, 2)));
}

class TurnedSchedule final : public ArraySchedule {
 public:
  TurnedSchedule(const ArrayAssignment& assignment, Surplus surplus)
      : ArraySchedule(assignment), transfer_(assignment, surplus), steps_(steps()) {}

  int slots(TransferPhase phase) const override {
    return phase == TransferPhase::main ? steps_ * pattern_slots() : transfer_.slots(phase);
  }

  void sends_of(MeshPlace node, std::vector<ArraySend>& sends) const override {
    const auto begin = static_cast<std::ptrdiff_t>(sends.size());
    transfer_.append_initial(node, sends);
    append_main(node, sends);
    transfer_.append_final(node, sends);
    std::stable_sort(sends.begin() + begin, sends.end());
  }

 private:
  /// R R' C C' of the largest pattern; R or R' is 1, and C or C' is 1.
  int turns() const {
    return transfer_.rows().most_sources() * transfer_.rows().most_destinations();
  }
  int pattern_slots() const {
    return turns() * transfer_.columns().most_sources() * transfer_.columns().most_destinations();
  }

  int steps() const;
  void append_main(MeshPlace node, std::vector<ArraySend>& sends) const;
  int slot(int pattern, int turn, int source_column, int destination_row) const;
  ProcessorRange mesh_rows_of(const ProcessorRange& destinations) const;
  ProcessorRange mesh_columns() const;

  ShiftedTransfer transfer_;
  int steps_;
};

/// The mesh's rows of destination processors of the column axis, upwards.
ProcessorRange TurnedSchedule::mesh_rows_of(const ProcessorRange& destinations) const {
  const int column = assignment().rows.first_destination();
  const int a = assignment().destination(column, destinations.first).row;
  const int b = assignment().destination(column, destinations.last).row;
  return {std::min(a, b), std::max(a, b)};
}

/// The mesh's columns of all destinations of the main phase.
ProcessorRange TurnedSchedule::mesh_columns() const {
  const AxisPatterns& rows = transfer_.rows();
  const int first = rows.axis().first_destination() + (rows.scatters() && rows.merges_lead());
  const int row = assignment().columns.first_destination();
  const int a = assignment().destination(first, row).column;
  const int b = assignment().destination(rows.axis().last_destination(), row).column;
  return {std::min(a, b), std::max(a, b)};
}

/// Equation 4.2: determined by the largest set that leaves an intersection to the left, right, top
/// or bottom, over all rows. The channels are those of the smallest pattern. Half of one set and
/// all of another are enough steps only if all patterns have two columns (rows), because then the
/// sets on both sides of the intersection comprise every pattern.
int TurnedSchedule::steps() const {
  const AxisPatterns& rows = transfer_.rows();
  const AxisPatterns& columns = transfer_.columns();
  const ProcessorRange across = mesh_columns();
  const int top = rows.axis().first_source();
  const int bottom = rows.axis().last_source();
  ConflictingSet left;
  ConflictingSet right;
  ConflictingSet above;
  ConflictingSet below;
  for (int i = 0; i < columns.count(); ++i) {
    const AxisPattern& pattern = columns.pattern(i);
    if (pattern.empty()) continue;
    const ProcessorRange down = mesh_rows_of(pattern.destinations);
    if (pattern.sources.first < across.last) left.add(i, columns.count());
    if (pattern.sources.last > across.first) right.add(i, columns.count());
    if (down.first < bottom) above.add(i, columns.count());
    if (down.last > top) below.add(i, columns.count());
  }
  return std::max(steps_of(left, right, rows.fewest_sources()),
                  steps_of(above, below, rows.fewest_destinations()));
}

int TurnedSchedule::slot(int pattern, int turn, int source_column, int destination_row) const {
  const bool from_left = pattern < steps_;
  const int step = from_left ? pattern : transfer_.columns().count() - 1 - pattern;
  const int moved = from_left ? turn : (turn + turns() - 1) % turns();
  return ((step * turns() + moved) * transfer_.columns().most_sources() + source_column) *
             transfer_.columns().most_destinations() +
         destination_row;
}

void TurnedSchedule::append_main(MeshPlace node, std::vector<ArraySend>& sends) const {
  const IndexBlock own = transfer_.before_main({node.row, node.row}, {node.column, node.column});
  if (own.empty()) return;
  const AxisPatterns& rows = transfer_.rows();
  const AxisPatterns& columns = transfer_.columns();
  const int index = columns.pattern_of_source(node.column);
  const AxisPattern& row = rows.pattern(rows.pattern_of_source(node.row));
  const AxisPattern& column = columns.pattern(index);
  for (int b = 0; b < row.destinations.size(); ++b)
    for (int x = 0; x < column.destinations.size(); ++x) {
      const int to_row_axis = row.destinations.first + b;
      const int to_column_axis = column.destinations.first + x;
      const MeshPlace to = assignment().destination(to_row_axis, to_column_axis);
      if (to == node) continue;
      const int turn = rows.scatters() ? b : node.row - row.sources.first;
      sends.push_back({TransferPhase::main,
                       slot(index, turn, node.column - column.sources.first, x), node, to,
                       intersection(own, transfer_.after_main({to_row_axis, to_row_axis},
                                                              {to_column_axis, to_column_axis}))});
    }
}

}  // namespace

std::unique_ptr<ArraySchedule> general_transposition(const ArrayAssignment& assignment,
                                                     Surplus surplus) {
  if (assignment.alignment == Alignment::identical)
    throw ConfigError("kind", "the schedule transposes, but both arrays have the same alignment",
                      "use algorithm: block_transfer, or operation.alignment: transposed");
  if (surplus == Surplus::nominal)
    throw ConfigError("surplus", "no schedule can leave out the surplus of a first base pattern",
                      "use lead_merge or exact_max");
  return under_route_order(assignment, [&](const ArrayAssignment& by_rows) {
    return std::make_unique<TurnedSchedule>(by_rows, surplus);
  });
}

}  // namespace flitwave
