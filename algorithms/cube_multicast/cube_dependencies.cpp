// algorithms/cube_multicast/cube_dependencies.cpp: from the hop into a node to those out of it.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/cube_dependencies.hpp"

#include <map>

namespace flitwave {

CubeDependencies::CubeDependencies(const Cube& cube)
    : cube_(cube), waits_(index(cube.nodes() * cube.dimensions())) {}

void CubeDependencies::add(const CubeWalk& walk) {
  std::map<CubeAddress, int> came;  // the channel by which the message arrived at a node
  for (const CubeHop& hop : walk.hops) {
    const int channel = number(hop.from, hop.dimension);
    if (const auto held = came.find(hop.from); held != came.end())
      waits_[index(held->second)].insert(channel);
    came[hop.to()] = channel;
  }
}

std::int64_t CubeDependencies::count() const {
  std::int64_t pairs = 0;
  for (const std::set<int>& waits : waits_) pairs += static_cast<std::int64_t>(waits.size());
  return pairs;
}

std::vector<CubeHop> CubeDependencies::cycle() const {
  DependencyLists graph;
  for (const std::set<int>& waits : waits_) graph.lists.emplace_back(waits.begin(), waits.end());
  const int start = vertex_on_cycle(graph);
  if (start < 0) return {};
  std::vector<CubeHop> channels;
  for (int channel : shortest_cycle(graph, start))
    channels.push_back(
        {static_cast<CubeAddress>(channel / cube_.dimensions()), channel % cube_.dimensions(), 0});
  return channels;
}

}  // namespace flitwave
