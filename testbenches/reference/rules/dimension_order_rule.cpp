// testbenches/reference/rules/dimension_order_rule.cpp: whole routes that correct one coordinate
// after the other.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/rules/dimension_order_rule.hpp"

#include <numeric>

namespace flitwave::reference {

namespace {

int ring_class(ClassRule rule, int hop, int wrap_hop) {
  if (wrap_hop < 0) return 0;
  if (rule == ClassRule::remaining_wrap) return hop <= wrap_hop ? 1 : 0;
  if (rule == ClassRule::after_crossing) return hop >= wrap_hop ? 1 : 0;
  return rule == ClassRule::at_ring_entry ? 1 : 0;
}

/// The hops along one dimension.
void append_ring_hops(const Lattice& lattice, ClassRule rule, int dimension, int step, int from,
                      int to, Hops& route) {
  const int length = lattice.extent(dimension);
  const int border = step > 0 ? length - 1 : 0;
  const int hops = ((to - from) * step + length) % length;
  const int before_wrap = (border - from) * step;  // hops to the node at the wrap channel
  const int wrap_hop = before_wrap < hops ? before_wrap : -1;
  for (int hop = 0; hop < hops; ++hop)
    route.push_back({Lattice::port(dimension, step), ring_class(rule, hop, wrap_hop), false});
}

}  // namespace

Hops dimension_order_route(const Lattice& lattice, const DimensionOrderRule& rule, int source,
                           int destination, const std::vector<int>& tie_steps) {
  Hops route;
  for (const int dimension : rule.order) {
    const std::vector<int> steps = lattice.shortest_steps(source, destination, dimension);
    if (steps.empty()) continue;
    int step = steps.size() == 1 ? steps.front() : tie_steps[static_cast<std::size_t>(dimension)];
    if (rule.always != 0 && lattice.is_ring(dimension)) step = rule.always;
    append_ring_hops(lattice, rule.classes, dimension, step, lattice.coordinate(source, dimension),
                     lattice.coordinate(destination, dimension), route);
  }
  return route;
}

Hop dimension_order_hop(const Lattice& lattice, int here, int destination,
                        const std::vector<int>& tie_steps) {
  DimensionOrderRule rule;
  rule.order.resize(lattice.extents.size());
  std::iota(rule.order.begin(), rule.order.end(), 0);
  return dimension_order_route(lattice, rule, here, destination, tie_steps).front();
}

}  // namespace flitwave::reference
