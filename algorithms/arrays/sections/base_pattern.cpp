// algorithms/arrays/sections/base_pattern.cpp: see base_pattern.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/sections/base_pattern.hpp"

#include <algorithm>
#include <numeric>

namespace flitwave {

namespace {

/// Elements per node of a regular side.
std::int64_t share_of_side(const BlockSection& side) { return side.block / side.section.stride; }

/// Nodes of the first side for one of the other.
int ratio_of_shares(const BlockSection& many, const BlockSection& few) {
  return static_cast<int>(ceil_div(share_of_side(few), share_of_side(many)));
}

/// Regions that contain the outermost nodes of one end.
int regions_at_end(const OutermostNodes& end, int source_nodes, int destination_nodes) {
  return static_cast<int>(
      ceil_div(end.nodes, end.are_destinations ? destination_nodes : source_nodes));
}

/// Eq. 3.6 of one dimension, from the nodes of one region.
int section_of_axis(const AxisTransfer& axis, int source_nodes, int destination_nodes) {
  return std::max({1, regions_at_end(outermost_low(axis), source_nodes, destination_nodes),
                   regions_at_end(outermost_high(axis), source_nodes, destination_nodes)});
}

/// The outermost nodes of an end with `beyond` more destinations than sources; if negative, more
/// sources than destinations.
OutermostNodes outermost_at_end(int destinations_beyond, int destinations, int sources) {
  if (destinations_beyond > 0) return {std::min(destinations_beyond, destinations), true};
  return {std::min(-destinations_beyond, sources), false};
}

}  // namespace

BasePattern base_pattern(const ArrayAssignment& assignment) {
  const AxisTransfer& rows = assignment.rows;
  const AxisTransfer& columns = assignment.columns;
  return {ratio_of_shares(rows.source(), rows.destination()),
          ratio_of_shares(columns.source(), columns.destination()),
          ratio_of_shares(rows.destination(), rows.source()),
          ratio_of_shares(columns.destination(), columns.source())};
}

std::int64_t elements_per_message(const ArrayAssignment& assignment) {
  const auto shared = [](const AxisTransfer& axis) {
    return std::min(share_of_side(axis.source()), share_of_side(axis.destination()));
  };
  return shared(assignment.rows) * shared(assignment.columns);
}

OutermostNodes outermost_low(const AxisTransfer& axis) {
  return outermost_at_end(axis.first_source() - axis.first_destination(), axis.destinations(),
                          axis.sources());
}

OutermostNodes outermost_high(const AxisTransfer& axis) {
  return outermost_at_end(axis.last_destination() - axis.last_source(), axis.destinations(),
                          axis.sources());
}

RegionGrid::RegionGrid(const ArrayAssignment& assignment, bool gcd_grouping)
    : assignment_(assignment),
      pattern_(base_pattern(assignment)),
      grouping_(gcd_grouping ? std::gcd(pattern_.source_rows, pattern_.destination_columns) : 1) {}

DiagonalSections RegionGrid::sections() const {
  const int down = rows_of_patterns();
  const int across = columns_of_patterns();
  return {section_of_axis(assignment_.rows, pattern_.source_rows * down,
                          pattern_.destination_rows * down),
          section_of_axis(assignment_.columns, pattern_.source_columns * across,
                          pattern_.destination_columns * across)};
}

bool RegionGrid::is_still() const {
  return pattern_.messages() == 1 &&
         assignment_.rows.first_source() == assignment_.rows.first_destination() &&
         assignment_.columns.first_source() == assignment_.columns.first_destination();
}

PatternPlace RegionGrid::place(int row, int column, int pattern_rows, int pattern_columns) const {
  PatternPlace at;
  at.pattern_row = row / pattern_rows;
  at.pattern_column = column / pattern_columns;
  at.row = row % pattern_rows;
  at.column = column % pattern_columns;
  at.row_in_region = at.pattern_row % rows_of_patterns();
  at.column_in_region = at.pattern_column % columns_of_patterns();
  at.region_row = at.pattern_row / rows_of_patterns();
  at.region_column = at.pattern_column / columns_of_patterns();
  return at;
}

PatternPlace RegionGrid::at_source(MeshPlace node) const {
  return place(node.row - assignment_.rows.first_source(),
               node.column - assignment_.columns.first_source(), pattern_.source_rows,
               pattern_.source_columns);
}

PatternPlace RegionGrid::at_destination(MeshPlace node) const {
  return place(node.row - assignment_.rows.first_destination(),
               node.column - assignment_.columns.first_destination(), pattern_.destination_rows,
               pattern_.destination_columns);
}

MeshPlace RegionGrid::source(const PatternPlace& at, int row, int column) const {
  return {
      assignment_.rows.first_source() + at.pattern_row * pattern_.source_rows + row,
      assignment_.columns.first_source() + at.pattern_column * pattern_.source_columns + column};
}

MeshPlace RegionGrid::destination(const PatternPlace& at, int row, int column) const {
  return {assignment_.rows.first_destination() + at.pattern_row * pattern_.destination_rows + row,
          assignment_.columns.first_destination() +
              at.pattern_column * pattern_.destination_columns + column};
}

IndexBlock RegionGrid::source_share(const PatternPlace& at, int row, int column, int rows,
                                    int columns) const {
  const IndexBlock first = assignment_.at_source(source(at, row, column));
  const IndexBlock last = assignment_.at_source(source(at, row + rows - 1, column + columns - 1));
  return {{first.rows.first, last.rows.last}, {first.columns.first, last.columns.last}};
}

IndexBlock RegionGrid::destination_share(const PatternPlace& at, int row, int column, int rows,
                                         int columns) const {
  const IndexBlock first = assignment_.at_destination(destination(at, row, column));
  const IndexBlock last =
      assignment_.at_destination(destination(at, row + rows - 1, column + columns - 1));
  return {{first.rows.first, last.rows.last}, {first.columns.first, last.columns.last}};
}

}  // namespace flitwave
