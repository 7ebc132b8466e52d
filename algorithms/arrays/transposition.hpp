// algorithms/arrays/transposition.hpp: transpositions and rotations between equal distributions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "algorithms/arrays/sections/array_schedule.hpp"

namespace flitwave {

/// The position of the first destination processor, relative to the first source processor.
struct TranspositionShape {
  int rows = 1;  ///< Rows of source processors.
  int columns = 1;
  int row_offset = 0;
  int column_offset = 0;
};

/// The most messages that any channel carries: a lower bound of the steps of any schedule; the same
/// for a transposition and for rotations.
/// Source: Eberhart 1996, equation 4.1
int transposition_bound(const TranspositionShape& shape);
/// The bound of an assignment: along rows, or with rows and columns exchanged where messages follow
/// columns first.
/// Throws: as column_transposition()
int transposition_bound(const ArrayAssignment& assignment);

/// One column of source processors after another. The fewest steps when source and destination do
/// not overlap.
/// Source: Eberhart 1996, section 4.1
/// Throws: ConfigError on the key `alignment` when the destination's is identical; on
///   `distribution` when some processor would send to several, or receive from several: see
///   general_transposition()
std::unique_ptr<ArraySchedule> column_transposition(const ArrayAssignment& assignment);

/// From both ends of a row inwards; the right end sends as long as its messages do not share
/// channels with the left end's; transposition_bound() steps. The thesis gives the transposition
/// and states that the rule fits counter-clockwise rotation; the other two turns follow by
/// symmetry.
/// Source: Eberhart 1996, section 4.1.2, Algorithm 7; columns counted from 1, as in its proof
/// Throws: as column_transposition()
std::unique_ptr<ArraySchedule> two_ended_transposition(const ArrayAssignment& assignment);

}  // namespace flitwave
