// testbenches/reference/rules/adaptive_rules.hpp: the hops that minimal adaptive routings allow.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/reference/rules/hop.hpp"
#include "testbenches/reference/rules/lattice.hpp"

namespace flitwave::reference {

/// The turn models of Glass & Ni 1992 on a 2D mesh. West is smaller x (dimension 0), north is
/// greater y (dimension 1).
enum class TurnModel { west_first, north_last, negative_first };

/// The hops on shortest paths that a model allows: a hop is allowed if the remaining route needs no
/// forbidden turn. All of class 0.
Hops turn_model_hops(TurnModel model, const Lattice& mesh, int here, int destination);

/// The hops of Duato 1993, section 4. There is an escape by dimension order, whose classes are
/// those of Dally & Seitz (0 on a mesh; 0 and 1 if a dimension is a ring of two nodes or more), and
/// one more class of virtual channels, on which every hop on a shortest path is allowed. If both
/// directions of a ring have the same length, which the paper does not cover, escapes go up from
/// nodes with an even coordinate, else down.
Hops duato_hops(const Lattice& lattice, int here, int destination);

}  // namespace flitwave::reference
