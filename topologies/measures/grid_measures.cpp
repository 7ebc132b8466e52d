// topologies/measures/grid_measures.cpp: closed forms for products of paths and rings.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <vector>

#include "topologies/grid_network.hpp"

namespace flitwave {
namespace {

/// One dimension with channels, i.e. with an extent of at least 2: a path, a ring with channels in
/// both directions, or a ring of one-way channels.
struct Axis {
  int extent;
  bool ring;
  bool one_way;

  bool two_way_ring() const { return ring && !one_way; }

  int diameter() const { return two_way_ring() ? extent / 2 : extent - 1; }

  /// The sum of the distances between all ordered pairs.
  std::int64_t distances() const {
    const std::int64_t k = extent;
    if (one_way) return k * k * (k - 1) / 2;
    return ring ? k * (k * k / 4) : k * (k * k - 1) / 3;
  }

  /// Fewest channels out of a node, which is also the connectivity of the axis alone.
  int degree() const { return two_way_ring() ? 2 : 1; }

  /// Channels, in both directions, that one straight cut crosses in a single row.
  int cut() const { return two_way_ring() ? 4 : 2; }
};

std::vector<Axis> axes_of(const Grid& grid, Directions directions) {
  std::vector<Axis> axes;
  for (int d = 0; d < grid.dimensions(); ++d) {
    const bool ring = grid.wraps(d);
    if (grid.extent(d) > 1)
      axes.push_back({grid.extent(d), ring, ring && directions != Directions::both});
  }
  return axes;
}

/// Let S be a set of nodes, D the dimensions in which some row is split by S. Then S is the same
/// in all layers across the other dimensions, and each of them loses at least the degrees of D:
/// the cut takes at least sum(degree, D) * product(extent, not D), and a corner of the D-layers
/// attains it. Over all D the least is at D = all, or at one single dimension (only next to
/// rings of two, whose degree reaches their extent).
int connectivity(const std::vector<Axis>& axes, int nodes) {
  int least = 0;
  for (const Axis& axis : axes) least += axis.degree();
  for (const Axis& axis : axes) least = std::min(least, axis.degree() * (nodes / axis.extent));
  return least;
}

/// An even axis whose straight cut is a best bisection, or null.
///
/// Send one unit between every ordered pair of nodes, in dimension order, and count the channels
/// between neighbours in both directions together. Per channel, an axis then carries at most nodes
/// * m / (4 k) units, where m is k^2, or k^2 - 1 for odd k, and half of that on a two-way ring. Two
/// halves of the nodes exchange nodes^2 / 2 units, so no bisection takes fewer channels than the
/// straight cut across the axis with the greatest load, if its extent is even. (On one-way rings,
/// as many channels enter a set of nodes as leave it, so taking both ways together loses nothing.)
const Axis* straight_cut(const std::vector<Axis>& axes) {
  const auto numerator = [](const Axis& axis) {
    const std::int64_t k = axis.extent;
    return k * k - k % 2;
  };
  const auto denominator = [](const Axis& axis) {
    return std::int64_t{axis.extent} * (axis.two_way_ring() ? 2 : 1);
  };
  const Axis* busiest = nullptr;
  for (const Axis& axis : axes) {
    const std::int64_t left = busiest ? numerator(axis) * denominator(*busiest) : 1;
    const std::int64_t right = busiest ? numerator(*busiest) * denominator(axis) : 0;
    if (left > right || (left == right && axis.extent % 2 == 0)) busiest = &axis;
  }
  return busiest != nullptr && busiest->extent % 2 == 0 ? busiest : nullptr;
}

/// Where all axes are of one kind: one straight cut after the other, through the longest axis, then
/// through the middle layer that it leaves, until an axis is even.
/// Source: Azizoglu & Egecioglu 2004, "The bisection width and the isoperimetric number of
///   arrays", for paths; Arjona Aroca & Fernandez Anta 2012, "Bisection (band)width of product
///   networks with application to data centers", for rings of at least three nodes.
int staircase_cut(std::vector<Axis> axes, int nodes) {
  std::sort(axes.begin(), axes.end(),
            [](const Axis& a, const Axis& b) { return a.extent > b.extent; });
  int sum = 0;
  int layer = nodes;
  for (const Axis& axis : axes) {
    layer /= axis.extent;
    sum += axis.cut() * layer;
    if (axis.extent % 2 == 0) break;
  }
  return sum;
}

std::optional<int> bisection(const std::vector<Axis>& axes, int nodes) {
  if (axes.empty()) return 0;
  if (const Axis* axis = straight_cut(axes)) return axis->cut() * (nodes / axis->extent);
  const bool alike = std::all_of(axes.begin(), axes.end(), [&axes](const Axis& axis) {
    const bool covered = !axis.ring || axis.extent > 2;
    return covered && axis.ring == axes[0].ring && axis.one_way == axes[0].one_way;
  });
  if (alike) return staircase_cut(axes, nodes);
  return std::nullopt;
}

}  // namespace

KnownMeasures grid_measures(const Grid& grid, Directions directions) {
  const std::vector<Axis> axes = axes_of(grid, directions);
  const std::int64_t nodes = grid.nodes();
  int diameter = 0;
  std::int64_t distances = 0;
  for (const Axis& axis : axes) {
    const std::int64_t rows = nodes / axis.extent;
    diameter += axis.diameter();
    distances += axis.distances() * rows * rows;
  }
  KnownMeasures known;
  known.diameter = diameter;
  known.mean_distance =
      nodes > 1 ? static_cast<double>(distances) / static_cast<double>(nodes * (nodes - 1)) : 0.0;
  known.connectivity = connectivity(axes, grid.nodes());
  known.bisection = bisection(axes, grid.nodes());
  return known;
}

}  // namespace flitwave
