// algorithms/routing/negative_first.cpp: hops to smaller coordinates first.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/turn_model.hpp"

namespace flitwave {
namespace {

/// Turns from a positive to a negative direction are forbidden: a packet moves west and south in
/// any order, then east and north in any order; x is preferred to y. Minimal.
/// Source: Glass & Ni 1992, "The turn model for adaptive routing".
void negative_first(int east, int north, Route& route) {
  const int sign = east < 0 || north < 0 ? -1 : +1;
  if (east * sign > 0) route.forward(Grid::port(0, sign));
  if (north * sign > 0) route.forward(Grid::port(1, sign));
}

}  // namespace

void register_negative_first(Routings& routings) {
  add_turn_model(
      routings, "negative_first",
      {"minimal adaptive on a 2D mesh, 1 VC: hops to smaller coordinates first", "Glass & Ni 1992"},
      negative_first);
}

}  // namespace flitwave
