// testbenches/tests/unit/algorithms/kinds.hpp: kinds of the pure layer, created from a line of
// YAML.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "algorithms/pure_catalog.hpp"
#include "topologies/grid_network.hpp"

namespace flitwave {

namespace testing {

inline const PureCatalog& all_kinds() {
  static const PureCatalog catalog = pure_catalog();
  return catalog;
}

inline ConfigNode yaml(const std::string& text) { return ConfigNode::parse(text, "job.yaml"); }

/// The map {kind: `kind`, `parameters`}.
inline ConfigNode section(const std::string& kind, const std::string& parameters) {
  return yaml("{kind: " + kind + (parameters.empty() ? "" : ", " + parameters) + "}");
}

inline Topology mesh(const std::vector<int>& shape) {
  return grid_network(Grid(shape, std::vector<bool>(shape.size(), false)), Directions::both);
}
inline Topology hypercube(int dimensions) {
  return mesh(std::vector<int>(static_cast<std::size_t>(dimensions), 2));
}
inline Topology torus(const std::vector<int>& shape, Directions directions = Directions::both) {
  return grid_network(Grid(shape, std::vector<bool>(shape.size(), true)), directions);
}

inline Topology complete(int nodes) {
  return all_kinds()
      .topologies.bind(section("complete", "nodes: " + std::to_string(nodes)))
      .build();
}

/// A custom graph: `channels` is a YAML list as in a job.
inline Topology graph(const std::string& parameters) {
  return all_kinds().topologies.bind(section("custom", parameters)).build();
}

inline std::unique_ptr<RoutingFunction> routing(const std::string& kind, const Topology& topology,
                                                const std::string& parameters = "") {
  return all_kinds().routings.bind(section(kind, parameters)).build(topology);
}

inline Demand demand(const std::string& kind, const std::string& parameters,
                     const Topology& topology, std::uint64_t seed = 1) {
  Random random(seed, "operation");
  return all_kinds().operations.bind(section(kind, parameters)).build(topology, random);
}

inline Demand broadcast_from(NodeId root, const Topology& topology) {
  return {"broadcast", {{root, all_but(root, topology), Bytes{64}}}};
}

inline Schedule schedule(const std::string& kind, const std::string& parameters,
                         const Demand& demand, const CollectiveContext& network) {
  return all_kinds().collectives.bind(section(kind, parameters)).build(demand, network);
}

/// `topology` outlives the pattern.
inline std::unique_ptr<TrafficPattern> traffic(const std::string& kind,
                                               const std::string& parameters,
                                               const Topology& topology) {
  return all_kinds().traffic.bind(section(kind, parameters)).build(topology);
}

inline std::unique_ptr<InjectionProcess> injection(const std::string& kind,
                                                   const std::string& parameters,
                                                   const OfferedLoad& load) {
  return all_kinds().injections.bind(section(kind, parameters)).build(load);
}

/// The text of the ConfigError that `action` throws; empty if it throws none.
template <class Action>
std::string rejection(Action action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

/// Whether `text` contains all `parts`.
inline bool has(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos) return false;
  return true;
}

}  // namespace testing
}  // namespace flitwave
