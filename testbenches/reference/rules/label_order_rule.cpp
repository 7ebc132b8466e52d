// testbenches/reference/rules/label_order_rule.cpp: see label_order_rule.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/rules/label_order_rule.hpp"

#include <algorithm>
#include <cstdlib>

namespace flitwave::reference {

namespace {

struct Neighbour {
  int port = 0;
  int distance = 0;     // to the destination
  int labels_left = 0;  // labels between it and the destination
};

int distance(const Lattice& lattice, int from, int to) {
  int hops = 0;
  for (int dimension = 0; dimension < lattice.dimensions(); ++dimension) {
    const int apart =
        std::abs(lattice.coordinate(from, dimension) - lattice.coordinate(to, dimension));
    hops += lattice.is_ring(dimension) ? std::min(apart, lattice.extent(dimension) - apart) : apart;
  }
  return hops;
}

/// The neighbour in a direction, or -1.
int neighbour(const Lattice& lattice, int here, int dimension, int step) {
  const int extent = lattice.extent(dimension);
  const int next = lattice.coordinate(here, dimension) + step;
  if (extent == 1) return -1;
  if (next >= 0 && next < extent) return lattice.moved(here, dimension, next);
  return lattice.is_ring(dimension) ? lattice.moved(here, dimension, next < 0 ? extent - 1 : 0)
                                    : -1;
}

}  // namespace

int path_label(const Lattice& lattice, int node) {
  int label = 0;
  bool backwards = false;  // reverse direction in this dimension, from the slowest one on
  for (int dimension = lattice.dimensions() - 1; dimension >= 0; --dimension) {
    const int extent = lattice.extent(dimension);
    const int coordinate = lattice.coordinate(node, dimension);
    label = label * extent + (backwards ? extent - 1 - coordinate : coordinate);
    backwards = label % 2 != 0;  // consecutive rows have opposite directions
  }
  return label;
}

Hops label_order_hops(const Lattice& lattice, int here, int destination, bool shortest) {
  const int from = path_label(lattice, here);
  const int to = path_label(lattice, destination);
  std::vector<Neighbour> between;
  for (int dimension = 0; dimension < lattice.dimensions(); ++dimension)
    for (const int step : {+1, -1}) {
      const int next = neighbour(lattice, here, dimension, step);
      if (next < 0) continue;
      const int label = path_label(lattice, next);
      if (from < to ? label <= from || label > to : label >= from || label < to) continue;
      between.push_back({Lattice::port(dimension, step), distance(lattice, next, destination),
                         std::abs(to - label)});
    }
  const auto better = [shortest](const Neighbour& a, const Neighbour& b) {
    if (shortest && a.distance != b.distance) return a.distance < b.distance;
    return a.labels_left < b.labels_left;
  };
  Hops hops;
  if (between.empty()) return hops;
  const Neighbour best = *std::min_element(between.begin(), between.end(), better);
  for (const Neighbour& one : between)
    if (!better(best, one)) hops.push_back({one.port, 0, false});
  return hops;
}

}  // namespace flitwave::reference
