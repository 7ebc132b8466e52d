// testbenches/tests/consumer/extended.cpp: user-defined kinds, one file each, beside those of the
// installed package.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <string>

#include "flitwave/testbenches/run/simulate.hpp"

namespace flitwave {
void register_chordal_ring(Topologies&);
void register_parity_order(Routings&);
void register_halo_exchange(Operations&);
void register_chain(Collectives&);
void register_one_hop(TrafficPatterns&);
void register_pairs(Injections&);
void register_first_flit(Observers&);
void register_fifo(Routers&);
}  // namespace flitwave

namespace {

flitwave::Catalog own_catalog() {
  using namespace flitwave;
  Catalog catalog = standard_catalog();
  register_chordal_ring(catalog.topologies);
  register_parity_order(catalog.routings);
  register_halo_exchange(catalog.operations);
  register_chain(catalog.collectives);
  register_one_hop(catalog.traffic);
  register_pairs(catalog.injections);
  register_first_flit(catalog.observers);
  register_fifo(catalog.routers);
  return catalog;
}

bool runs(const std::string& name, const std::string& job) {
  const flitwave::Results results =
      flitwave::simulate(flitwave::Scenario::parse("scenario: own\n" + job), own_catalog());
  const bool complete = results.outcome == flitwave::Outcome::complete;
  std::cout << name << ": " << (complete ? "complete" : results.message) << "\n";
  return complete;
}

}  // namespace

// libsystemc defines main(), which calls this function.
int sc_main(int, char*[]) {
  const std::string load = "rate: 0.1 flit/node/cycle, packet: 4 flit, measure: 500 cycle";
  const bool ring = runs("topology, traffic, injection and observer",
                         "topology: {kind: chordal_ring, nodes: 12, chord: 4}\n"
                         "routing: shortest_path\n"
                         "traffic: {pattern: one_hop, injection: pairs, " +
                             load + "}\nobserve: [first_flit]\n");
  const bool mesh = runs("router, operation and collective",
                         "topology: {kind: mesh, shape: [3, 3]}\n"
                         "router: fifo\n"
                         "node: {ports: 4}\n"
                         "operation: {kind: halo_exchange, message: 16 B}\n"
                         "algorithm: chain\n");
  const bool parity = runs("routing",
                           "topology: {kind: mesh, shape: [3, 3]}\n"
                           "routing: parity_order\n"
                           "channel: {vcs: 2}\n"
                           "traffic: {" +
                               load + "}\n");
  return ring && mesh && parity ? 0 : 1;
}
