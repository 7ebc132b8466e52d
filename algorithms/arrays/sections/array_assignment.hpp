// algorithms/arrays/sections/array_assignment.hpp: the assignment of a section of one distributed
// array to a section of another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/arrays/sections/axis_transfer.hpp"

namespace flitwave {

/// A processor of the mesh. Rows grow downwards, columns to the right.
struct MeshPlace {
  int row = 0;
  int column = 0;

  friend bool operator==(MeshPlace a, MeshPlace b) {
    return a.row == b.row && a.column == b.column;
  }
  friend bool operator!=(MeshPlace a, MeshPlace b) { return !(a == b); }
  friend bool operator<(MeshPlace a, MeshPlace b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  }
};

/// How the destination array's dimensions map to the processors' rows and columns; the source
/// array's rows always map to rows. Mirrored: within the processors that own the section.
/// Source: Eberhart 1996, sections 2.2.2 and 4.1.2
enum class Alignment {
  identical,        ///< Its rows on processor rows.
  transposed,       ///< Its rows on processor columns, its columns on processor rows.
  rotated_ccw,      ///< Transposed, and its columns mirrored: a quarter turn counter-clockwise.
  rotated_cw,       ///< Transposed, and its rows mirrored.
  anti_transposed,  ///< Transposed, and both mirrored.
};
std::vector<std::string> names_of(Alignment);

/// The route of messages: along the source's row first, then along the destination's column, as in
/// dimension order (x, y); or along the source's column first.
enum class RouteOrder { row_first, column_first };

/// The message of one processor to another: a rectangle of section indices.
struct ArrayMessage {
  MeshPlace from;
  MeshPlace to;
  IndexBlock block;
};

/// The assignment of a 2D section to another, each array distributed in blocks over a mesh of
/// processors. A value type; all results follow from sections and distributions alone.
struct ArrayAssignment {
  AxisTransfer rows;     ///< The arrays' row dimension.
  AxisTransfer columns;  ///< The arrays' column dimension.
  Alignment alignment = Alignment::identical;
  RouteOrder order = RouteOrder::row_first;

  /// The processor that owns the shares of the row axis's processor `row` and of the column axis's
  /// processor `column`.
  MeshPlace source(int row, int column) const { return {row, column}; }
  MeshPlace destination(int row, int column) const;
  /// The reverse: the processor of the row axis and of the column axis at a position in the mesh.
  MeshPlace destination_axes(MeshPlace place) const;
  /// The part of the section that a processor of the mesh owns; empty when none.
  IndexBlock at_source(MeshPlace place) const;
  IndexBlock at_destination(MeshPlace place) const;

  /// Elements of the section.
  std::int64_t elements() const { return rows.elements() * columns.elements(); }

  /// The least numbers of rows and columns of processors that the mesh needs.
  int mesh_rows() const;
  int mesh_columns() const;

  /// Every processor's message to every other processor and to itself, by sender, then by receiver,
  /// each row by row.
  std::vector<ArrayMessage> messages() const;

  /// The same problem with rows and columns exchanged and messages routed along rows first. Its
  /// schedule, mirrored at the diagonal, is a schedule of this problem under the other route order.
  ArrayAssignment exchanged() const;
};

}  // namespace flitwave
