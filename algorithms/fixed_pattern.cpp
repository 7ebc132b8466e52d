// algorithms/fixed_pattern.cpp: see fixed_pattern.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/fixed_pattern.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace flitwave {

namespace {

class FixedPattern final : public TrafficPattern {
 public:
  explicit FixedPattern(std::vector<NodeId> destinations)
      : destinations_(std::move(destinations)) {}

  NodeId destination(NodeId source, Random&) const override {
    return destinations_[source.index()];
  }

  std::vector<double> shares(NodeId source) const override {
    std::vector<double> shares(destinations_.size(), 0);
    const NodeId destination = destinations_[source.index()];
    if (destination.valid()) shares[destination.index()] = 1;
    return shares;
  }

 private:
  std::vector<NodeId> destinations_;  // Shape: [nodes]
};

}  // namespace

Schema<FixedPatternParams> fixed_pattern_schema() {
  return Schema<FixedPatternParams>{}.optional(
      "self", &FixedPatternParams::self,
      "whether a node that the pattern maps to itself sends to itself; otherwise it sends nothing");
}

std::unique_ptr<TrafficPattern> fixed_pattern(std::vector<NodeId> destinations, bool self) {
  bool sends = false;
  for (std::size_t node = 0; node < destinations.size(); ++node) {
    if (!self && destinations[node] == NodeId(static_cast<int>(node))) destinations[node] = {};
    sends = sends || destinations[node].valid();
  }
  if (!sends)
    throw ConfigError("kind", "the pattern maps every node to itself, so that no node sends",
                      "use another pattern or network, or set self: true");
  return std::make_unique<FixedPattern>(std::move(destinations));
}

std::unique_ptr<TrafficPattern> fixed_pattern(const Topology& topology,
                                              const FixedPatternParams& params,
                                              const std::function<int(int)>& destination) {
  std::vector<NodeId> destinations;
  for (int node = 0; node < topology.nodes(); ++node) destinations.emplace_back(destination(node));
  return fixed_pattern(std::move(destinations), params.self);
}

int address_bits(const Topology& topology, const std::string& kind) {
  int bits = 0;
  while ((1 << bits) < topology.nodes()) ++bits;
  if ((1 << bits) != topology.nodes())
    throw ConfigError(
        "kind",
        fmt::format(
            "{} permutes the bits of node numbers; the number of nodes, {}, is not a power of two",
            kind, topology.nodes()),
        fmt::format("use a network of {} or {} nodes, or another pattern", 1 << (bits - 1),
                    1 << bits));
  return bits;
}

const Grid& grid_of(const Topology& topology, const std::string& kind) {
  if (topology.grid()) return *topology.grid();
  throw ConfigError("kind", fmt::format("{} adds to coordinates; this network has none", kind),
                    "use it on a mesh, torus, hypercube or ring, or use another pattern");
}

void add_fixed_pattern(TrafficPatterns& patterns, const std::string& kind,
                       const std::string& summary,
                       const std::function<std::unique_ptr<TrafficPattern>(
                           const Topology&, const FixedPatternParams&)>& map) {
  patterns.add(kind, {summary, "Dally & Towles 2004, section 3.2"}, fixed_pattern_schema(),
               [map](const FixedPatternParams& params, const Topology& topology) {
                 return map(topology, params);
               });
}

}  // namespace flitwave
