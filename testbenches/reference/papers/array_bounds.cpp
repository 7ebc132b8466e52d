// testbenches/reference/papers/array_bounds.cpp: see array_bounds.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/papers/array_bounds.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "algorithms/arrays/sections/base_pattern.hpp"

namespace flitwave {

namespace {

/// Messages and their elements over one channel, or the difference from the previous channel.
struct ChannelSum {
  std::int64_t messages = 0;
  std::int64_t elements = 0;

  void add(const ChannelSum& other) {
    messages += other.messages;
    elements += other.elements;
  }
  ChannelSum negative() const { return {-messages, -elements}; }
};

/// Loads of all channels. Each message changes, at four positions, the difference between a
/// channel's load and that of its neighbour in the same direction; sums along rows and columns turn
/// the differences into loads.
class MeshLoads {
 public:
  MeshLoads(int rows, int columns) : rows_(rows), columns_(columns) {
    for (std::vector<ChannelSum>& loads : loads_)
      loads.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  }

  void add_message(MeshPlace from, MeshPlace to, RouteOrder order, const ChannelSum& load) {
    const bool row_first = order == RouteOrder::row_first;
    const int row = row_first ? from.row : to.row;
    const int column = row_first ? to.column : from.column;
    add_run(ChannelDirection::east, {row, from.column}, {row, to.column}, load);
    add_run(ChannelDirection::west, {row, from.column}, {row, to.column}, load);
    add_run(ChannelDirection::south, {from.row, column}, {to.row, column}, load);
    add_run(ChannelDirection::north, {from.row, column}, {to.row, column}, load);
  }

  void sum() {
    for (int row = 0; row < rows_; ++row)
      for (int column = 1; column < columns_; ++column) {
        at(ChannelDirection::east, {row, column})
            .add(at(ChannelDirection::east, {row, column - 1}));
        const int back = columns_ - 1 - column;
        at(ChannelDirection::west, {row, back}).add(at(ChannelDirection::west, {row, back + 1}));
      }
    for (int row = 1; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column) {
        at(ChannelDirection::south, {row, column})
            .add(at(ChannelDirection::south, {row - 1, column}));
        const int back = rows_ - 1 - row;
        at(ChannelDirection::north, {back, column})
            .add(at(ChannelDirection::north, {back + 1, column}));
      }
  }

  ChannelBound heaviest(MessageCost cost) {
    ChannelBound bound;
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column)
        for (int i = 0; i < directions; ++i) {
          const MeshChannel channel{{row, column}, static_cast<ChannelDirection>(i)};
          const ChannelSum& load = at(channel.direction, channel.from);
          const double value = cost.of(load.elements, load.messages);
          if (load.messages == 0 || value < bound.value) continue;
          if (value > bound.value || bound.heaviest.empty())
            bound = {value, load.messages, load.elements, {}};
          bound.heaviest.push_back(channel);
        }
    return bound;
  }

 private:
  static constexpr int directions = 4;

  ChannelSum& at(ChannelDirection direction, MeshPlace place) {
    return loads_[static_cast<std::size_t>(direction)]
                 [static_cast<std::size_t>(place.row) * static_cast<std::size_t>(columns_) +
                  static_cast<std::size_t>(place.column)];
  }

  /// Channels from one node upwards to another, if it is in that direction. A channel belongs to
  /// the node that it leaves, so the last node's own channel is not included.
  void add_run(ChannelDirection direction, MeshPlace from, MeshPlace to, const ChannelSum& load) {
    const bool forward =
        direction == ChannelDirection::east || direction == ChannelDirection::south;
    if (forward ? !(from < to) : !(to < from)) return;
    at(direction, from).add(load);
    at(direction, to).add(load.negative());
  }

  int rows_;
  int columns_;
  std::array<std::vector<ChannelSum>, directions> loads_;
};

/// Messages over the channel at an end: the sum over the outermost nodes of that end.
int bound_of_end(const OutermostNodes& end, int per_source, int per_destination) {
  return end.nodes * (end.are_destinations ? per_destination : per_source);
}

}  // namespace

std::vector<std::string> names_of(ChannelDirection) { return {"east", "west", "south", "north"}; }

ChannelBound channel_bound(const ArrayAssignment& assignment, MessageCost cost) {
  MeshLoads loads(assignment.mesh_rows(), assignment.mesh_columns());
  const std::vector<AxisMessage> of_columns = assignment.columns.messages();
  for (const AxisMessage& row : assignment.rows.messages())
    for (const AxisMessage& column : of_columns)
      loads.add_message(assignment.source(row.from, column.from),
                        assignment.destination(row.to, column.to), assignment.order,
                        {1, row.indices.size() * column.indices.size()});
  loads.sum();
  return loads.heaviest(cost);
}

int shift_bound(const ArrayAssignment& assignment) {
  const int down = assignment.rows.first_destination() - assignment.rows.first_source();
  const int across = assignment.columns.first_destination() - assignment.columns.first_source();
  if (down == 0 && across == 0) return 0;
  return std::max(std::clamp(std::abs(down), 1, assignment.rows.sources()),
                  std::clamp(std::abs(across), 1, assignment.columns.sources()));
}

int regular_bound(const ArrayAssignment& assignment) {
  if (assignment.order == RouteOrder::column_first) return regular_bound(assignment.exchanged());
  const BasePattern pattern = base_pattern(assignment);
  // Over a row's channel; over a column's. Messages of one node, or of one column and one row.
  const int between = pattern.source_columns * pattern.destination_rows;
  const AxisTransfer& columns = assignment.columns;
  const AxisTransfer& rows = assignment.rows;
  return std::max({bound_of_end(outermost_low(columns), pattern.destinations(), between),
                   bound_of_end(outermost_high(columns), pattern.destinations(), between),
                   bound_of_end(outermost_low(rows), between, pattern.sources()),
                   bound_of_end(outermost_high(rows), between, pattern.sources())});
}

}  // namespace flitwave
