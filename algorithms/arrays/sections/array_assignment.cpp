// algorithms/arrays/sections/array_assignment.cpp: see array_assignment.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/sections/array_assignment.hpp"

#include <algorithm>

namespace flitwave {

namespace {

bool is_transposed(Alignment alignment) { return alignment != Alignment::identical; }
bool mirrors_rows(Alignment alignment) {
  return alignment == Alignment::rotated_cw || alignment == Alignment::anti_transposed;
}
bool mirrors_columns(Alignment alignment) {
  return alignment == Alignment::rotated_ccw || alignment == Alignment::anti_transposed;
}

/// A destination processor of an axis, or its mirror image in the axis.
int mirrored(const AxisTransfer& axis, int processor, bool mirror) {
  return mirror ? axis.first_destination() + axis.last_destination() - processor : processor;
}

Alignment exchanged(Alignment alignment) {
  if (alignment == Alignment::rotated_ccw) return Alignment::rotated_cw;
  if (alignment == Alignment::rotated_cw) return Alignment::rotated_ccw;
  return alignment;
}

}  // namespace

std::vector<std::string> names_of(Alignment) {
  return {"identical", "transposed", "rotated_ccw", "rotated_cw", "anti_transposed"};
}

MeshPlace ArrayAssignment::destination(int row, int column) const {
  const int of_rows = mirrored(rows, row, mirrors_rows(alignment));
  const int of_columns = mirrored(columns, column, mirrors_columns(alignment));
  return is_transposed(alignment) ? MeshPlace{of_columns, of_rows} : MeshPlace{of_rows, of_columns};
}

IndexBlock ArrayAssignment::at_source(MeshPlace place) const {
  return {rows.at_source(place.row), columns.at_source(place.column)};
}

MeshPlace ArrayAssignment::destination_axes(MeshPlace place) const {
  const bool transposed = is_transposed(alignment);
  return {mirrored(rows, transposed ? place.column : place.row, mirrors_rows(alignment)),
          mirrored(columns, transposed ? place.row : place.column, mirrors_columns(alignment))};
}

IndexBlock ArrayAssignment::at_destination(MeshPlace place) const {
  const MeshPlace axes = destination_axes(place);
  return {rows.at_destination(axes.row), columns.at_destination(axes.column)};
}

int ArrayAssignment::mesh_rows() const {
  const AxisTransfer& axis = is_transposed(alignment) ? columns : rows;
  return 1 + std::max(rows.last_source(), axis.last_destination());
}

int ArrayAssignment::mesh_columns() const {
  const AxisTransfer& axis = is_transposed(alignment) ? rows : columns;
  return 1 + std::max(columns.last_source(), axis.last_destination());
}

std::vector<ArrayMessage> ArrayAssignment::messages() const {
  const std::vector<AxisMessage> of_columns = columns.messages();
  std::vector<ArrayMessage> messages;
  for (const AxisMessage& row : rows.messages())
    for (const AxisMessage& column : of_columns)
      messages.push_back({source(row.from, column.from),
                          destination(row.to, column.to),
                          {row.indices, column.indices}});
  std::sort(messages.begin(), messages.end(), [](const ArrayMessage& a, const ArrayMessage& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  return messages;
}

ArrayAssignment ArrayAssignment::exchanged() const {
  return {columns, rows, flitwave::exchanged(alignment), RouteOrder::row_first};
}

}  // namespace flitwave
