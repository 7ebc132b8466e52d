// testbenches/reference/rules/adaptive_rules.cpp: the hops that minimal adaptive routings allow.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/rules/adaptive_rules.hpp"

#include <algorithm>

#include "testbenches/reference/rules/dimension_order_rule.hpp"

namespace flitwave::reference {

namespace {

/// A direction of travel.
struct Heading {
  int dimension;
  int step;
};

bool is_west(Heading to) { return to.dimension == 0 && to.step < 0; }
bool is_north(Heading to) { return to.dimension == 1 && to.step > 0; }

/// Whether a packet in direction `from` may turn to direction `to`, by the figures of Glass & Ni.
bool may_turn(TurnModel model, Heading from, Heading to) {
  if (from.dimension == to.dimension) return true;  // straight on: shortest paths never reverse
  switch (model) {
    case TurnModel::west_first:
      return !is_west(to);
    case TurnModel::north_last:
      return !is_north(from);
    case TurnModel::negative_first:
      return !(from.step > 0 && to.step < 0);
  }
  return false;
}

}  // namespace

Hops turn_model_hops(TurnModel model, const Lattice& mesh, int here, int destination) {
  std::vector<Heading> needed;
  for (int dimension = 0; dimension < mesh.dimensions(); ++dimension)
    for (const int step : mesh.shortest_steps(here, destination, dimension))
      needed.push_back({dimension, step});
  Hops hops;
  for (const Heading first : needed)
    if (std::all_of(needed.begin(), needed.end(),
                    [&](Heading later) { return may_turn(model, first, later); }))
      hops.push_back({Lattice::port(first.dimension, first.step), 0, false});
  return hops;
}

Hops duato_hops(const Lattice& lattice, int here, int destination) {
  if (here == destination) return {};
  bool has_ring = false;
  std::vector<int> tie_steps;
  for (int dimension = 0; dimension < lattice.dimensions(); ++dimension) {
    has_ring = has_ring || (lattice.is_ring(dimension) && lattice.extent(dimension) > 1);
    tie_steps.push_back(lattice.coordinate(here, dimension) % 2 == 0 ? +1 : -1);
  }
  const int adaptive_class = has_ring ? 2 : 1;
  Hops hops;
  for (int dimension = 0; dimension < lattice.dimensions(); ++dimension)
    for (const int step : lattice.shortest_steps(here, destination, dimension))
      hops.push_back({Lattice::port(dimension, step), adaptive_class, false});
  Hop escape = dimension_order_hop(lattice, here, destination, tie_steps);
  escape.escape = true;
  hops.push_back(escape);
  return hops;
}

}  // namespace flitwave::reference
