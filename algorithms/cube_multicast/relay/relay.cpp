// algorithms/cube_multicast/relay/relay.cpp: greedy multicast, or broadcast to a list.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/relay/relay.hpp"

#include <algorithm>

#include "algorithms/cube_multicast/broadcast.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

CubeDecision<CubeHeader> relay_greedily(const Cube& cube, const RelayRules& rules,
                                        const RelayMessage& message) {
  const GreedyDecision chosen =
      greedy_decision(cube, message.here, message.header.destinations, rules.ties,
                      rules.fault_tolerant ? message.faults : 0);
  CubeDecision<CubeHeader> decision{chosen.deliver, {}, chosen.undeliverable};
  for (const GreedySelection& selection : chosen.selections)
    decision.branches.push_back({selection.dimension,
                                 {static_cast<CubeBits>(selection.destinations.size()),
                                  selection.destinations, message.header.last}});
  return decision;
}

/// The branches of BROADCAST.2 or .F3, each with its last field.
CubeDecision<CubeBits> relay_to_all(const Cube& cube, const RelayRules& rules,
                                    const RelayMessage& message) {
  if (!rules.fault_tolerant) return broadcast_2(cube, message.here, message.header.last);
  // A processor need not know m, so its control vector may be that of a multicast.
  const CubeBits control = message.injected ? cube.all() : message.header.last;
  return broadcast_f3(cube, message.injected, control, message.faults);
}

bool names(const CubeHeader& header, CubeAddress node) {
  const CubeNodes& all = header.destinations;
  return std::find(all.begin(), all.end(), node) != all.end();
}

}  // namespace

CubeDecision<CubeHeader> relay_decision(const Cube& cube, const RelayRules& rules,
                                        const RelayMessage& message) {
  const CubeHeader& header = message.header;
  if (rules.greedy(header) && !header.for_all(cube)) return relay_greedily(cube, rules, message);
  if (!rules.broadcaster)
    throw ConfigError(
        "header.k",
        std::to_string(header.count) + " destinations, and the router has no broadcaster",
        "name at most " + std::to_string(rules.capacity));
  const CubeDecision<CubeBits> to_all = relay_to_all(cube, rules, message);
  CubeDecision<CubeHeader> decision;
  decision.deliver = header.for_all(cube) ? to_all.deliver : names(header, message.here);
  for (const CubeBranch<CubeBits>& branch : to_all.branches)
    decision.branches.push_back(
        {branch.dimension, {header.count, header.destinations, branch.message}});
  return decision;
}

CubeWalk relay_walk(const Cube& cube, const RelayRules& rules, CubeAddress source,
                    const CubeHeader& header, const FaultsAt& faults) {
  cube.require(source, "source");
  check_header(cube, header, rules.format());
  return walk_cube(source, header, [&](CubeAddress here, bool injected, const CubeHeader& came) {
    return relay_decision(cube, rules, {here, injected, came, faults(here)});
  });
}

}  // namespace flitwave
