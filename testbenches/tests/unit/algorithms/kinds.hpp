// testbenches/tests/unit/algorithms/kinds.hpp: kinds of the pure layer, built from a line of YAML.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "algorithms/demand.hpp"
#include "algorithms/injection.hpp"
#include "algorithms/routing.hpp"
#include "algorithms/schedule.hpp"
#include "algorithms/traffic.hpp"
#include "topologies/grid_network.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

void register_complete(Topologies&);
void register_custom(Topologies&);
void register_dimension_order(Routings&);
void register_duato(Routings&);
void register_label_order(Routings&);
void register_negative_first(Routings&);
void register_north_last(Routings&);
void register_o1turn(Routings&);
void register_odd_even(Routings&);
void register_romm(Routings&);
void register_shortest_path(Routings&);
void register_valiant(Routings&);
void register_west_first(Routings&);
void register_all_gather(Operations&);
void register_all_reduce(Operations&);
void register_barrier(Operations&);
void register_broadcast(Operations&);
void register_complete_exchange(Operations&);
void register_gather(Operations&);
void register_multicast(Operations&);
void register_multicasts(Operations&);
void register_ping_pong(Operations&);
void register_reduce(Operations&);
void register_reduce_scatter(Operations&);
void register_scan(Operations&);
void register_scatter(Operations&);
void register_transpose(Operations&);
void register_unicast(Operations&);
void register_unicasts(Operations&);
void register_binomial(Collectives&);
void register_column_path(Collectives&);
void register_cube_broadcast(Collectives&);
void register_dimension_wise(Collectives&);
void register_dimensional(Collectives&);
void register_dual_path(Collectives&);
void register_edn(Collectives&);
void register_edn_transposition(Collectives&);
void register_exchange(Collectives&);
void register_fibonacci_tree(Collectives&);
void register_greedy_multicast(Collectives&);
void register_listed_tree(Collectives&);
void register_multi_path(Collectives&);
void register_optimal_multicast(Collectives&);
void register_pairwise(Collectives&);
void register_partitioned(Collectives&);
void register_recursive_doubling(Collectives&);
void register_ring(Collectives&);
void register_scatter_collect(Collectives&);
void register_separate(Collectives&);
void register_shifts(Collectives&);
void register_single_level_dominating(Collectives&);
void register_spare_global_send(Collectives&);
void register_token(Collectives&);
void register_u_torus(Collectives&);
void register_bit_complement(TrafficPatterns&);
void register_bit_reverse(TrafficPatterns&);
void register_hotspot(TrafficPatterns&);
void register_neighbor(TrafficPatterns&);
void register_permutation(TrafficPatterns&);
void register_shuffle(TrafficPatterns&);
void register_tornado(TrafficPatterns&);
void register_transpose(TrafficPatterns&);
void register_uniform(TrafficPatterns&);
void register_bernoulli(Injections&);
void register_bursty(Injections&);
void register_periodic(Injections&);

namespace testing {

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
  Topologies topologies("topology");
  register_complete(topologies);
  return topologies.bind(section("complete", "nodes: " + std::to_string(nodes))).build();
}

/// A custom graph: `channels` is a YAML list as in a job.
inline Topology graph(const std::string& parameters) {
  Topologies topologies("topology");
  register_custom(topologies);
  return topologies.bind(section("custom", parameters)).build();
}

inline std::unique_ptr<RoutingFunction> routing(const std::string& kind, const Topology& topology,
                                                const std::string& parameters = "") {
  Routings routings("routing");
  register_dimension_order(routings);
  register_duato(routings);
  register_label_order(routings);
  register_negative_first(routings);
  register_north_last(routings);
  register_o1turn(routings);
  register_odd_even(routings);
  register_romm(routings);
  register_shortest_path(routings);
  register_valiant(routings);
  register_west_first(routings);
  return routings.bind(section(kind, parameters)).build(topology);
}

inline Demand demand(const std::string& kind, const std::string& parameters,
                     const Topology& topology, std::uint64_t seed = 1) {
  Operations operations("operation");
  register_all_gather(operations);
  register_all_reduce(operations);
  register_barrier(operations);
  register_broadcast(operations);
  register_complete_exchange(operations);
  register_gather(operations);
  register_multicast(operations);
  register_multicasts(operations);
  register_ping_pong(operations);
  register_reduce(operations);
  register_reduce_scatter(operations);
  register_scan(operations);
  register_scatter(operations);
  register_transpose(operations);
  register_unicast(operations);
  register_unicasts(operations);
  Random random(seed, "operation");
  return operations.bind(section(kind, parameters)).build(topology, random);
}

inline Demand broadcast_from(NodeId root, const Topology& topology) {
  return {"broadcast", {{root, all_but(root, topology), Bytes{64}}}};
}

inline Schedule schedule(const std::string& kind, const std::string& parameters,
                         const Demand& demand, const CollectiveContext& network) {
  Collectives collectives("algorithm");
  register_binomial(collectives);
  register_column_path(collectives);
  register_cube_broadcast(collectives);
  register_dimension_wise(collectives);
  register_dimensional(collectives);
  register_dual_path(collectives);
  register_edn(collectives);
  register_edn_transposition(collectives);
  register_exchange(collectives);
  register_fibonacci_tree(collectives);
  register_greedy_multicast(collectives);
  register_listed_tree(collectives);
  register_multi_path(collectives);
  register_optimal_multicast(collectives);
  register_pairwise(collectives);
  register_partitioned(collectives);
  register_recursive_doubling(collectives);
  register_ring(collectives);
  register_scatter_collect(collectives);
  register_separate(collectives);
  register_shifts(collectives);
  register_single_level_dominating(collectives);
  register_spare_global_send(collectives);
  register_token(collectives);
  register_u_torus(collectives);
  return collectives.bind(section(kind, parameters)).build(demand, network);
}

/// `topology` outlives the pattern.
inline std::unique_ptr<TrafficPattern> traffic(const std::string& kind,
                                               const std::string& parameters,
                                               const Topology& topology) {
  TrafficPatterns patterns("traffic pattern");
  register_bit_complement(patterns);
  register_bit_reverse(patterns);
  register_hotspot(patterns);
  register_neighbor(patterns);
  register_permutation(patterns);
  register_shuffle(patterns);
  register_tornado(patterns);
  register_transpose(patterns);
  register_uniform(patterns);
  return patterns.bind(section(kind, parameters)).build(topology);
}

inline std::unique_ptr<InjectionProcess> injection(const std::string& kind,
                                                   const std::string& parameters,
                                                   const OfferedLoad& load) {
  Injections injections("injection process");
  register_bernoulli(injections);
  register_bursty(injections);
  register_periodic(injections);
  return injections.bind(section(kind, parameters)).build(load);
}

/// The text of the ConfigError that `action` throws; empty when it throws none.
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

/// Whether `text` has all `parts`.
inline bool has(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos) return false;
  return true;
}

}  // namespace testing
}  // namespace flitwave
