// algorithms/sampling/multicast_draw.cpp: see multicast_draw.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/sampling/multicast_draw.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "topologies/measures/measures.hpp"

namespace flitwave {

std::vector<NodeId> draw_distinct(const std::vector<NodeId>& among, int count, Random& random) {
  std::vector<NodeId> drawn;
  for (int place : random.sample(static_cast<int>(among.size()), count))
    drawn.push_back(among[index(place)]);
  return drawn;
}

std::vector<NodeId> draw_clustered(const Topology& topology, const std::vector<NodeId>& among,
                                   int count, int clusters, Random& random) {
  std::vector<std::vector<NodeId>> nearest;  // by cluster, the nearest last
  for (NodeId centre : draw_distinct(among, clusters, random)) {
    const std::vector<int> hops = hops_from(topology, centre);
    std::vector<NodeId> nodes = among;
    std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
      return std::tuple(hops[b.index()], b) < std::tuple(hops[a.index()], a);
    });
    nearest.push_back(std::move(nodes));
  }
  std::vector<bool> taken(index(topology.nodes()));
  std::vector<NodeId> drawn;
  while (static_cast<int>(drawn.size()) < count) {
    std::vector<NodeId>& left = nearest[drawn.size() % nearest.size()];
    while (taken[left.back().index()]) left.pop_back();
    drawn.push_back(left.back());
    taken[left.back().index()] = true;
  }
  return drawn;
}

HotSpot::HotSpot(const std::vector<NodeId>& among, int destinations, double share, Random& random)
    : destinations_(destinations),
      common_(draw_distinct(among, static_cast<int>(std::lround(share * destinations)), random)) {
  std::sort(common_.begin(), common_.end());
}

std::vector<NodeId> HotSpot::draw(const std::vector<NodeId>& others, Random& random) const {
  std::vector<NodeId> destinations;
  std::vector<NodeId> rest;
  for (NodeId node : others)
    (std::binary_search(common_.begin(), common_.end(), node) ? destinations : rest)
        .push_back(node);
  const int missing = destinations_ - static_cast<int>(destinations.size());
  for (NodeId node : draw_distinct(rest, missing, random)) destinations.push_back(node);
  return destinations;
}

}  // namespace flitwave
