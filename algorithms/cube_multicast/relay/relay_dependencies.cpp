// algorithms/cube_multicast/relay/relay_dependencies.cpp: the union of the dependencies of a load's
// walks.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/relay/relay_dependencies.hpp"

#include "algorithms/cube_multicast/cube_dependencies.hpp"

namespace flitwave {

DependencyReport check_relays(const RelayedCube& relayed, bool hop_classes, const RelayLoad& load) {
  const Cube& cube = relayed.cube();
  CubeDependencies dependencies(cube);
  for (const RelayLoad::Message& message : load.messages)
    dependencies.add(relayed.walk(message.source, message.destinations));
  if (load.unicasts)
    for (CubeAddress source = 0; cube.contains(source); ++source)
      for (const CubeAddress destination : cube.all_but(source))
        dependencies.add(relayed.walk(source, {destination}));
  DependencyReport report;
  report.dependencies = dependencies.count();
  const std::vector<CubeHop> cycle = dependencies.cycle();
  if (cycle.empty()) return report;
  if (hop_classes) {
    report.verdict = DependencyVerdict::buffer_classes;
    return report;
  }
  report.verdict = DependencyVerdict::cyclic;
  for (const CubeHop& hop : cycle) report.cycle.push_back({relayed.channel_of(hop), 0});
  return report;
}

}  // namespace flitwave
