// algorithms/edn/search.cpp: levels found by search, for grids that have no block of their own.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/search.hpp"

#include <algorithm>
#include <optional>

#include "algorithms/edn/level_search.hpp"
#include "algorithms/edn/relayed_startup.hpp"
#include "topologies/measures/measures.hpp"

namespace flitwave {
namespace {

constexpr int most_searched_nodes = 4096;  // 1.5 s of planning

int search_ports(const Topology& topology) { return std::min(2, greatest_degree(topology)); }

EdnSteps search_steps(NodeId source, const CollectiveContext& network) {
  return search_steps(source, network, routes_of(network.routing, network.topology));
}

SearchedLevels search_from(SearchedLevels known, const CollectiveContext& network,
                           const RouteOf& routes) {
  LevelSearchEffort effort;
  effort.nearest = network.topology.grid()->dimensions() > 2 ? 24 : 16;
  while (known.members.back().size() > 1) {
    EdsLevel level =
        find_small_eds(known.members.back(), network.ports, network.topology, routes, effort);
    known.members.push_back(std::move(level.parents));
    known.descents.push_back(std::move(level.links));
  }
  return known;
}

EdnSteps steps_over(const SearchedLevels& levels, NodeId source, const CollectiveContext& network,
                    const RouteOf& routes) {
  std::size_t level = 0;
  std::optional<EdnSteps> steps;
  while (!(steps = find_startup(source, levels.members[level], network, routes))) ++level;
  // A relay of the start-up has the message before its turn, so that nobody serves it again.
  std::vector<bool> has(static_cast<std::size_t>(network.topology.nodes()), false);
  has[source.index()] = true;
  for (const std::vector<EdsLink>& step : *steps)
    for (const EdsLink& link : step) has[link.child.index()] = true;
  for (; level > 0; --level) {
    steps->emplace_back();
    for (const EdsLink& link : levels.descents[level - 1])
      if (!has[link.child.index()]) steps->back().push_back(link);
  }
  return *steps;
}

}  // namespace

SearchedLevels search_levels(const CollectiveContext& network) {
  return search_levels(network, {{all_nodes(network.topology)}, {}});
}

SearchedLevels search_levels(const CollectiveContext& network, SearchedLevels known) {
  return search_from(std::move(known), network, routes_of(network.routing, network.topology));
}

EdnSteps searched_broadcast(NodeId source, const SearchedLevels& levels,
                            const CollectiveContext& network) {
  return steps_over(levels, source, network, routes_of(network.routing, network.topology));
}

bool search_covers(const Topology& topology) {
  return topology.grid()->dimensions() <= 3 && topology.nodes() <= most_searched_nodes;
}

EdnSteps search_steps(NodeId root, const CollectiveContext& network, const RouteOf& routes) {
  const SearchedLevels levels = search_from({{all_nodes(network.topology)}, {}}, network, routes);
  return steps_over(levels, root, network, routes);
}

EdnShape edn_by_search() {
  return {"meshes and tori of up to three dimensions and 4096 nodes", search_covers, search_ports,
          search_steps};
}

}  // namespace flitwave
