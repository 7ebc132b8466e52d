// algorithms/routing/west_first.cpp: hops to the west first.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/turn_model.hpp"

namespace flitwave {
namespace {

/// West is towards smaller x. Turns to the west are forbidden: a packet moves west first, then
/// east, north or south in any order; x is preferred to y. Minimal.
/// Source: Glass & Ni 1992, "The turn model for adaptive routing".
void west_first(int east, int north, Route& route) {
  if (east < 0) return route.forward(Grid::port(0, -1));
  if (east > 0) route.forward(Grid::port(0, +1));
  if (north != 0) route.forward(Grid::port(1, north));
}

}  // namespace

void register_west_first(Routings& routings) {
  add_turn_model(
      routings, "west_first",
      {"minimal adaptive on a 2D mesh, 1 VC: no turn to the west, so hops to the west are first",
       "Glass & Ni 1992"},
      west_first);
}

}  // namespace flitwave
