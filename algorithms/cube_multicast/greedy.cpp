// algorithms/cube_multicast/greedy.cpp: column sums, and the assignment of destinations.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/greedy.hpp"

#include <algorithm>
#include <string>

#include "configs/error.hpp"
#include "topologies/ids.hpp"

namespace flitwave {
namespace {

/// How many of the nodes differ from `here` in each dimension; 0 for a faulty one.
std::vector<int> column_sums(const Cube& cube, CubeAddress here, const CubeNodes& nodes,
                             CubeBits faults) {
  std::vector<int> sums(index(cube.dimensions()), 0);
  for (CubeAddress node : nodes)
    for (CubeBits left = (node ^ here) & ~faults; left != 0; left &= left - 1)
      ++sums[index(lowest_bit(left))];
  return sums;
}

/// The dimensions with the greatest sum; none when all are 0.
CubeBits greatest(const std::vector<int>& sums) {
  const int most = *std::max_element(sums.begin(), sums.end());
  CubeBits tied = 0;
  if (most > 0)
    for (std::size_t j = 0; j < sums.size(); ++j)
      if (sums[j] == most) tied |= bit(static_cast<int>(j));
  return tied;
}

void require_nodes(const Cube& cube, CubeAddress source, const CubeNodes& destinations) {
  cube.require(source, "source");
  for (std::size_t i = 0; i < destinations.size(); ++i)
    cube.require(destinations[i], "destinations[" + std::to_string(i) + "]");
}

}  // namespace

CubeDecision<CubeNodes> GreedyDecision::branches() const {
  CubeDecision<CubeNodes> decision{deliver, {}, undeliverable};
  for (const GreedySelection& selection : selections)
    decision.branches.push_back({selection.dimension, selection.destinations});
  return decision;
}

GreedyDecision greedy_decision(const Cube& cube, CubeAddress here, const CubeNodes& destinations,
                               const TieRule& ties, CubeBits faults) {
  GreedyDecision decision;
  CubeNodes left = destinations;
  const auto own = std::remove(left.begin(), left.end(), here);
  decision.deliver = own != left.end();
  left.erase(own, left.end());
  for (;;) {
    std::vector<int> sums = column_sums(cube, here, left, faults);
    const CubeBits tied = greatest(sums);
    if (tied == 0) break;
    const int dimension = ties.choose(here, tied, left);
    const auto served = std::stable_partition(left.begin(), left.end(), [&](CubeAddress node) {
      return !has_bit(node ^ here, dimension);
    });
    decision.selections.push_back({dimension, CubeNodes(served, left.end()), std::move(sums)});
    left.erase(served, left.end());
  }
  decision.undeliverable = std::move(left);
  return decision;
}

const GreedyVisit& GreedyWalk::at(CubeAddress node) const {
  for (const GreedyVisit& visit : visits)
    if (visit.here == node) return visit;
  throw ModelError("the multicast does not reach node " + std::to_string(node));
}

GreedyWalk greedy_walk(const Cube& cube, CubeAddress source, const CubeNodes& destinations,
                       const TieRule& ties, const FaultsAt& faults) {
  require_nodes(cube, source, destinations);
  GreedyWalk walk;
  const auto decide = [&](CubeAddress here, bool, const CubeNodes& list) {
    walk.visits.push_back({here, list, greedy_decision(cube, here, list, ties, faults(here))});
    return walk.visits.back().decision.branches();
  };
  static_cast<CubeWalk&>(walk) = walk_cube(source, destinations, decide);
  return walk;
}

int greedy_traffic(const Cube& cube, CubeAddress source, const CubeNodes& destinations,
                   const TieRule& ties) {
  require_nodes(cube, source, destinations);
  int traffic = 0;
  const auto send = [&](const auto& self, CubeAddress here, const CubeNodes& list) -> void {
    for (const GreedySelection& selection : greedy_decision(cube, here, list, ties).selections) {
      ++traffic;
      self(self, here ^ bit(selection.dimension), selection.destinations);
    }
  };
  send(send, source, destinations);
  return traffic;
}

}  // namespace flitwave
