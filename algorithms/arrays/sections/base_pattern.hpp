// algorithms/arrays/sections/base_pattern.hpp: groups of nodes that exchange elements only with
// each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "algorithms/arrays/sections/array_assignment.hpp"
#include "algorithms/arrays/sections/diagonal.hpp"

namespace flitwave {

/// R x C -> R' x C': R rows and C columns of source nodes send to R' rows and C' columns of
/// destination nodes, each to each, and to no other node. R or R' is 1, and C or C' is 1.
/// Source: Eberhart 1996, equations 3.4 and 3.5
struct BasePattern {
  int source_rows = 1;          ///< R
  int source_columns = 1;       ///< C
  int destination_rows = 1;     ///< R'
  int destination_columns = 1;  ///< C'

  int sources() const { return source_rows * source_columns; }
  int destinations() const { return destination_rows * destination_columns; }
  int messages() const { return sources() * destinations(); }

  friend bool operator==(const BasePattern& a, const BasePattern& b) {
    return a.source_rows == b.source_rows && a.source_columns == b.source_columns &&
           a.destination_rows == b.destination_rows &&
           a.destination_columns == b.destination_columns;
  }
};
/// The base pattern of a regular assignment.
BasePattern base_pattern(const ArrayAssignment& assignment);
/// Elements that one source node of it has for one destination node.
std::int64_t elements_per_message(const ArrayAssignment& assignment);

/// The nodes of a dimension at one of its ends that are beyond all nodes of the other side.
struct OutermostNodes {
  int nodes = 0;
  bool are_destinations = false;
};
/// At the end of row or column 0; at the other end.
OutermostNodes outermost_low(const AxisTransfer& axis);
OutermostNodes outermost_high(const AxisTransfer& axis);

/// The position of a node of a side: its base pattern, and the base pattern's region.
struct PatternPlace {
  int pattern_row = 0;  ///< Position of the base pattern among all.
  int pattern_column = 0;
  int row = 0;  ///< Position of the node in its base pattern.
  int column = 0;
  int row_in_region = 0;  ///< Position of the base pattern in its region.
  int column_in_region = 0;
  int region_row = 0;  ///< Position of the region among all.
  int region_column = 0;
};

/// Base patterns of a regular assignment, grouped into regions that use as many channels across as
/// down: C' base patterns down and R across. Routes follow rows first.
/// Source: Eberhart 1996, section 3.2.2
class RegionGrid {
 public:
  /// `gcd_grouping`: regions of C'/g x R/g base patterns, g being their greatest common divisor.
  RegionGrid(const ArrayAssignment& assignment, bool gcd_grouping);

  const ArrayAssignment& assignment() const { return assignment_; }
  const BasePattern& pattern() const { return pattern_; }
  /// Base patterns of a region.
  int rows_of_patterns() const { return pattern_.destination_columns / grouping_; }
  int columns_of_patterns() const { return pattern_.source_rows / grouping_; }
  /// Sections, counted in regions.
  /// Source: Eberhart 1996, equations 3.6 and 3.7; destination regions' sizes divide destination
  ///   nodes and source regions' source nodes, and a section has at least one region
  DiagonalSections sections() const;
  /// Whether no data leave their node.
  bool is_still() const;

  bool has_source(MeshPlace node) const { return !assignment_.at_source(node).empty(); }
  bool has_destination(MeshPlace node) const { return !assignment_.at_destination(node).empty(); }
  /// The position of a node of the source area, and of the destination area.
  /// Needs: has_source(node); has_destination(node)
  PatternPlace at_source(MeshPlace node) const;
  PatternPlace at_destination(MeshPlace node) const;

  /// A node of the base pattern of `at`: by its row and column in it.
  MeshPlace source(const PatternPlace& at, int row, int column) const;
  MeshPlace destination(const PatternPlace& at, int row, int column) const;
  /// The elements that `rows` x `columns` neighbouring nodes of that pattern own, beginning with a
  /// node.
  IndexBlock source_share(const PatternPlace& at, int row, int column, int rows, int columns) const;
  IndexBlock destination_share(const PatternPlace& at, int row, int column, int rows,
                               int columns) const;

 private:
  PatternPlace place(int row, int column, int pattern_rows, int pattern_columns) const;

  ArrayAssignment assignment_;
  BasePattern pattern_;
  int grouping_;
};

}  // namespace flitwave
