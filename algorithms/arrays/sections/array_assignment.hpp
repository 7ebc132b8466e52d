// algorithms/arrays/sections/array_assignment.hpp: a section of a distributed array goes to
// another's.
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

/// How the destination array's dimensions lie on the processors' rows and columns; those of the
/// source array always lie row on row. Mirrored: within the processors that own the section.
/// Source: Eberhart 1996, sections 2.2.2 and 4.1.2
enum class Alignment {
  identical,        ///< Its rows on processor rows.
  transposed,       ///< Its rows on processor columns, its columns on processor rows.
  rotated_ccw,      ///< Transposed, and its columns mirrored: a quarter turn counter-clockwise.
  rotated_cw,       ///< Transposed, and its rows mirrored.
  anti_transposed,  ///< Transposed, and both mirrored.
};
std::vector<std::string> names_of(Alignment);

/// Which way messages take: along the source's row first, then along the destination's column, as
/// dimension order (x, y) does; or along the source's column first.
enum class RouteOrder { row_first, column_first };

/// What one processor has to send to another: a rectangle of section indices.
struct ArrayMessage {
  MeshPlace from;
  MeshPlace to;
  IndexBlock block;
};

/// The assignment of a 2D section to another, each array distributed in blocks over a mesh of
/// processors. A value; everything in it follows from sections and distributions alone.
struct ArrayAssignment {
  AxisTransfer rows;     ///< Of the arrays' row dimension.
  AxisTransfer columns;  ///< Of the arrays' column dimension.
  Alignment alignment = Alignment::identical;
  RouteOrder order = RouteOrder::row_first;

  /// The processor that has what the row axis's processor `row`, and the column axis's, own.
  MeshPlace source(int row, int column) const { return {row, column}; }
  MeshPlace destination(int row, int column) const;
  /// The reverse: a place's processor of the row axis, and of the column axis.
  MeshPlace destination_axes(MeshPlace place) const;
  /// What a processor of the mesh owns of the section; empty when nothing.
  IndexBlock at_source(MeshPlace place) const;
  IndexBlock at_destination(MeshPlace place) const;

  /// Elements of the section.
  std::int64_t elements() const { return rows.elements() * columns.elements(); }

  /// Rows and columns of processors that the mesh needs at least.
  int mesh_rows() const;
  int mesh_columns() const;

  /// Every processor's message to every other, and to itself, by sender, then by receiver, each row
  /// by row.
  std::vector<ArrayMessage> messages() const;

  /// The same problem with rows and columns exchanged, messages going along rows first: what is
  /// scheduled for it and mirrored at the diagonal serves this one with the other route order.
  ArrayAssignment exchanged() const;
};

}  // namespace flitwave
