// testbenches/reference/papers/multicast_methods.cpp: the traffic of a multicast by six methods.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/papers/multicast_methods.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/cube_multicast/exact_trees.hpp"
#include "algorithms/cube_multicast/greedy.hpp"
#include "configs/error.hpp"

namespace flitwave {

std::vector<std::string> names_of(MulticastMethod) {
  return {"greedy", "spare_global_send", "multiple_unicast", "broadcast", "optimal", "lower_bound"};
}

MulticastTraffic::MulticastTraffic(const Cube& cube, CubeAddress source, TieRule ties,
                                   NearestTie nearest)
    : cube_(cube),
      source_(source),
      ties_(std::move(ties)),
      nearest_(nearest),
      levels_(cube, source) {}

int MulticastTraffic::of(MulticastMethod method, const CubeNodes& destinations) const {
  require(destinations);
  switch (method) {
    case MulticastMethod::greedy:
      return greedy_traffic(cube_, source_, destinations, ties_);
    case MulticastMethod::spare_global_send:
      return spare_traffic(spare_global_send(source_, destinations, nearest_));
    case MulticastMethod::multiple_unicast:
      return multiple_unicast_traffic(source_, destinations);
    case MulticastMethod::broadcast:
      return broadcast_traffic(cube_);
    case MulticastMethod::optimal:
      return optimal(destinations);
    default:
      return static_cast<int>(destinations.size());
  }
}

void MulticastTraffic::require(const CubeNodes& destinations) const {
  std::vector<bool> seen(static_cast<std::size_t>(cube_.nodes()), false);
  seen[source_] = true;
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    const std::string key = "destinations[" + std::to_string(i) + "]";
    cube_.require(destinations[i], key);
    if (seen[destinations[i]])
      throw ConfigError(key,
                        "node " + std::to_string(destinations[i]) +
                            (destinations[i] == source_ ? " is the source" : " is named twice"));
    seen[destinations[i]] = true;
  }
}

int MulticastTraffic::optimal(const CubeNodes& destinations) const {
  constexpr std::size_t few = 11;  // up to here splitting the set is faster
  if (destinations.empty()) return 0;
  return destinations.size() <= few ? fewest_links_by_subsets(source_, destinations)
                                    : fewest_links_by_levels(levels_, destinations);
}

Excess excess_of(const std::vector<int>& values, const std::vector<int>& over) {
  if (values.size() != over.size() || values.empty())
    throw ModelError("an excess needs equally many values, at least one");
  Excess excess;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int difference = values[i] - over[i];
    excess.mean += difference;
    squares += difference * difference;
    excess.worst = i == 0 ? difference : std::max(excess.worst, difference);
  }
  const auto count = static_cast<double>(values.size());
  excess.mean /= count;
  excess.deviation = std::sqrt(std::max(0.0, squares / count - excess.mean * excess.mean));
  return excess;
}

}  // namespace flitwave
