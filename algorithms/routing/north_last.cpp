// algorithms/routing/north_last.cpp: hops to the north last.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/turn_model.hpp"

namespace flitwave {
namespace {

/// North is towards greater y. Turns from the north are forbidden: a packet moves west, east or
/// south in any order, x preferred to y, and north last. Minimal.
/// Source: Glass & Ni 1992, "The turn model for adaptive routing".
void north_last(int east, int north, Route& route) {
  if (east != 0) route.forward(Grid::port(0, east));
  if (north < 0) route.forward(Grid::port(1, -1));
  if (north > 0 && east == 0) route.forward(Grid::port(1, +1));
}

}  // namespace

void register_north_last(Routings& routings) {
  add_turn_model(routings, "north_last",
                 {"minimal adaptive on a 2D mesh, 1 VC: no turn from the north, so hops to the "
                  "north are last",
                  "Glass & Ni 1992"},
                 north_last);
}

}  // namespace flitwave
