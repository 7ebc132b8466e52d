// algorithms/cube_multicast/relay_dependencies.cpp: the walks of a load, laid over each other.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/cube_multicast/relay_dependencies.hpp"

#include "flitwave/algorithms/cube_multicast/cube_dependencies.hpp"

namespace flitwave {
namespace {

VirtualChannel channel_of(const Topology& topology, const CubeHop& hop) {
  const PortId port = Grid::port(hop.dimension, has_bit(hop.from, hop.dimension) ? -1 : 1);
  return {topology.channel_out(NodeId(static_cast<int>(hop.from)), port), 0};
}

}  // namespace

DependencyReport check_relays(const Topology& topology, const RelayRules& rules, bool hop_classes,
                              const RelayLoad& load, const FaultsAt& faults) {
  const Cube cube(topology.grid()->dimensions());
  CubeDependencies dependencies(cube);
  const auto follow = [&](CubeAddress source, const CubeNodes& destinations) {
    const CubeHeader header = header_for(cube, source, destinations, rules.format());
    dependencies.add(relay_walk(cube, rules, source, header, faults));
  };
  for (const RelayLoad::Message& message : load.messages)
    follow(message.source, message.destinations);
  if (load.unicasts)
    for (CubeAddress source = 0; cube.contains(source); ++source)
      for (const CubeAddress destination : cube.all_but(source)) follow(source, {destination});
  DependencyReport report;
  report.dependencies = dependencies.count();
  const std::vector<CubeHop> circle = dependencies.circle();
  if (circle.empty()) return report;
  if (hop_classes) {
    report.verdict = DependencyVerdict::buffer_classes;
    return report;
  }
  report.verdict = DependencyVerdict::cyclic;
  for (const CubeHop& hop : circle) report.cycle.push_back(channel_of(topology, hop));
  return report;
}

}  // namespace flitwave
