// algorithms/arrays/sections/diagonal.hpp: shifts of array sections: nodes on one diagonal send
// together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "algorithms/arrays/sections/array_schedule.hpp"

namespace flitwave {

/// Sections of equal size into which an area of nodes, or of regions, is divided from its corner;
/// all on the same diagonal of their sections send together.
/// Source: Eberhart 1996, algorithm 1
struct DiagonalSections {
  int rows = 1;     ///< Per section, >= 1.
  int columns = 1;  ///< Per section, >= 1.

  int slots() const { return rows > columns ? rows : columns; }
  /// When the node or region at a row and column of the area sends.
  /// Range: 0 .. slots() - 1
  int slot(int row, int column) const;
};

/// The plain diagonal schedule of a shift whose source and destination area share neither rows nor
/// columns of the mesh.
///
/// Slots: the rows or the columns of the source area, whichever is more; the least possible.
/// Contention: none on channels.
/// Throws: ConfigError on the key `kind` unless the assignment is such a shift.
/// Source: Eberhart 1996, section 3.1.3, before algorithm 1
std::unique_ptr<ArraySchedule> plain_diagonal(const ArrayAssignment& assignment);

/// The diagonal schedule on sections of a shift, also for overlapping areas: nodes at the distance
/// of the shift send together.
///
/// Slots: the rows or the columns of a section, whichever is more; the least possible. None when
///   nothing leaves its node.
/// Contention: none on channels.
/// Throws: ConfigError on the key `kind` unless the assignment is a shift.
/// Source: Eberhart 1996, algorithm 1 and theorem 1
std::unique_ptr<ArraySchedule> section_diagonal(const ArrayAssignment& assignment);

/// The same on sections of other sizes, so that no node sends and receives in one slot.
///
/// Slots: as many, or one more where areas overlap and they are shifted along one dimension only or
///   equally far along both.
/// Throws: ConfigError on the key `kind` unless the assignment is a shift.
/// Source: Eberhart 1996, section 3.1.4
std::unique_ptr<ArraySchedule> one_port_diagonal(const ArrayAssignment& assignment);

}  // namespace flitwave
