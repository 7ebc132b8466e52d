// algorithms/fixed_pattern.hpp: traffic in which every node always sends to the same node.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/traffic.hpp"

namespace flitwave {

/// The parameters that all such patterns have.
struct FixedPatternParams {
  bool self = false;
};
Schema<FixedPatternParams> fixed_pattern_schema();

/// Every node sends to `destinations[node]`; to itself only if `self`, else not at all. A node
/// whose entry is no node sends nothing.
/// Shape: [nodes]
/// Throws: ConfigError when no node sends.
std::unique_ptr<TrafficPattern> fixed_pattern(std::vector<NodeId> destinations, bool self);

/// The same with `destination(source)` for every node.
std::unique_ptr<TrafficPattern> fixed_pattern(const Topology& topology,
                                              const FixedPatternParams& params,
                                              const std::function<int(int)>& destination);

/// The number of bits of a node's number.
/// Throws: ConfigError when the number of nodes is no power of two; `kind` names the pattern.
int address_bits(const Topology& topology, const std::string& kind);

/// The grid that gives the nodes' coordinates.
/// Throws: ConfigError when the topology has none; `kind` names the pattern.
const Grid& grid_of(const Topology& topology, const std::string& kind);

/// Adds a kind of fixed pattern: `map(topology, params)` is the pattern.
void add_fixed_pattern(TrafficPatterns& patterns, const std::string& kind,
                       const std::string& summary,
                       const std::function<std::unique_ptr<TrafficPattern>(
                           const Topology&, const FixedPatternParams&)>& map);

}  // namespace flitwave
