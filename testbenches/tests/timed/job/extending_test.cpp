// testbenches/tests/timed/job/extending_test.cpp: the examples of docs/extending.md, one file each,
// work.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/deadlock/deadlock.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace flitwave {
void register_chordal_ring(Topologies&);
void register_parity_order(Routings&);
void register_halo_exchange(Operations&);
void register_chain(Collectives&);
void register_one_hop(TrafficPatterns&);
void register_pairs(Injections&);
void register_first_flit(Observers&);
void register_fifo(Routers&);
void register_poller(Nodes&);
}  // namespace flitwave

namespace extending_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

// [catalog]
Catalog extended_catalog() {
  Catalog catalog = standard_catalog();
  register_chordal_ring(catalog.topologies);
  register_parity_order(catalog.routings);
  register_halo_exchange(catalog.operations);
  register_chain(catalog.collectives);
  register_one_hop(catalog.traffic);
  register_pairs(catalog.injections);
  register_first_flit(catalog.observers);
  register_fifo(catalog.routers);
  register_poller(catalog.nodes);
  return catalog;
}
// [catalog]

}  // namespace

TEST_CASE("a topology from outside the tree is wired, routed and simulated", "[timed]") {
  const Scenario scenario =
      uniform_traffic({{"topology", "{kind: chordal_ring, nodes: 12, chord: 4}"},
                       {"routing", "{kind: shortest_path}"}});

  const Results results = simulate(scenario, extended_catalog());

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("latency.packets") > 100);
  REQUIRE_THROWS_AS(simulate(scenario.with("topology.chord", "11"), extended_catalog()),
                    ConfigError);
}

TEST_CASE("a routing function from outside the tree is checked for deadlock and simulated",
          "[timed]") {
  const Catalog catalog = extended_catalog();
  const Scenario scenario =
      uniform_traffic({{"routing", "{kind: parity_order}"}, {"channel.vcs", "2"}});
  const Topology topology = Job::read(scenario, catalog).topology.build();
  const auto routing = Job::read(scenario, catalog).routing.build(topology);

  const DependencyReport report = check_dependencies(topology, *routing);
  const Results results = simulate(scenario, catalog);

  REQUIRE(report.verdict == DependencyVerdict::acyclic);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE_THROWS_AS(simulate(scenario.with("channel.vcs", "1"), catalog), ConfigError);
}

TEST_CASE("a collective and an observer from outside the tree work in a job", "[timed]") {
  const Scenario scenario = Scenario::parse(R"(
scenario: chain
topology: {kind: mesh, shape: [3, 3]}
operation: {kind: broadcast, root: 4, message: 16 B}
algorithm: {kind: chain}
observe: [{kind: first_flit}, {kind: steps}]
)");

  const Results results = simulate(scenario, extended_catalog());

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("steps") == 8);
  REQUIRE(results.value("first_flit.nodes") == 8);
  REQUIRE(results.table("first_flit").rows.size() == 8);
  REQUIRE(results.table("first_flit").rows.front().front() == "0_0");
}

TEST_CASE("a collective serves an operation from outside the tree", "[timed]") {
  const Scenario scenario = Scenario::parse(R"(
scenario: halo
topology: {kind: mesh, shape: [3, 3]}
operation: {kind: halo_exchange, message: 16 B}
observe: [{kind: steps}]
)");

  const Results results = simulate(scenario, extended_catalog());

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("packets") == 24);  // one for each channel
  const Scenario chained = scenario.with("algorithm", "{kind: chain}").with("node.ports", "4");
  REQUIRE(simulate(chained, extended_catalog()).value("packets") == 24);
}

TEST_CASE("a traffic pattern from outside the tree loads a network", "[timed]") {
  const Scenario scenario =
      uniform_traffic({{"traffic.pattern", "{kind: one_hop}"},
                       {"observe", "[{kind: latency}, {kind: channel_load}]"}});

  const Results results = simulate(scenario, extended_catalog());

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("latency.packets") > 100);
  // A packet of 4 flits crosses one channel of the network, besides injection and ejection.
  REQUIRE(results.value("transits") == 3 * 4 * results.value("packets"));
}

TEST_CASE("an injection process from outside the tree creates packets at the rate of the load",
          "[timed]") {
  const Scenario scenario = uniform_traffic({{"traffic.injection", "{kind: pairs, apart: 2 cycle}"},
                                             {"traffic.rate", "0.1 flit/node/cycle"},
                                             {"traffic.measure", "20000 cycle"}});

  const Results results = simulate(scenario, extended_catalog());

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("throughput.offered") == Approx(0.1).epsilon(0.05));
  REQUIRE_THROWS_AS(
      simulate(scenario.with("traffic.injection.apart", "90 cycle"), extended_catalog()),
      ConfigError);
}

TEST_CASE(
    "a router from outside the tree carries a load, with the same results in every scheduling",
    "[timed]") {
  const auto rate = GENERATE(as<std::string>{}, "0.05", "0.2", "0.6");
  const Scenario scenario = uniform_traffic({{"router", "{kind: fifo}"},
                                             {"traffic.rate", rate + " flit/node/cycle"},
                                             {"traffic.measure", "1000 cycle"}});
  const Results results = simulate(scenario, extended_catalog());

  CAPTURE(rate);
  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("throughput.accepted") > 0.04);
  CHECK(difference_between(scenario, compared_variants(), extended_catalog()) == "");
}

TEST_CASE("a router from outside the tree states its needs before anything is simulated",
          "[timed]") {
  const Catalog catalog = extended_catalog();
  const Scenario scenario = uniform_traffic({{"router", "{kind: fifo}"}});
  const auto rejected = [&](const Scenario& job) -> std::vector<std::string> {
    try {
      Plan::make(Job::read(job, catalog));
    } catch (const ConfigError& error) {
      CHECK(error.place().known());
      return {error.key(), error.problem(), error.remedy()};
    }
    return {};
  };
  const std::vector<std::string> none;

  CHECK(rejected(scenario) == none);
  CHECK(rejected(scenario.with("topology", "{kind: torus, shape: [4, 4]}")) ==
        std::vector<std::string>{"topology",
                                 "packets in fifo routers can block each other around a ring",
                                 "use topology.kind: mesh or hypercube"});
  CHECK(rejected(scenario.with("channel.vcs", "4")) ==
        std::vector<std::string>{"channel.vcs", "a fifo router has no virtual channels",
                                 "set channel.vcs to 1"});
  CHECK(rejected(scenario.with("channel.handshake", "ready_valid")) ==
        std::vector<std::string>{"channel.handshake",
                                 "a fifo router counts the free slots behind its outputs",
                                 "set channel.handshake to credit"});
  CHECK(rejected(scenario.with("routing", "{kind: duato}").with("channel.vcs", "3")) ==
        std::vector<std::string>{
            "routing", "a fifo router takes the first candidate of a route and has no escapes",
            "use routing.kind: dimension_order"});
  // What all routers need, and what few support, no kind says.
  CHECK(rejected(scenario.with("channel.handshake", "acknowledge")).front() == "router");
  CHECK(rejected(scenario.with("channel.handshake", "request")).front() == "router");
  CHECK(rejected(scenario.with("node.ejection_sharing", "packets")).front() ==
        "node.ejection_sharing");
}

TEST_CASE("a TLM initiator from outside the tree makes its transactions", "[timed]") {
  const Scenario scenario = Scenario::parse(R"(
scenario: poller
topology: {kind: mesh, shape: [3, 3]}
node:
  at:
    - {nodes: [[0, 0], [2, 0]], kind: poller, address: 0x1000, times: 5, pause: 40 cycle}
    - {nodes: [[1, 2]], kind: tlm, memory: {size: 1 KiB, wait: 10 ns}}
transactions: {map: [{base: 0x1000, size: 1 KiB, node: [1, 2]}]}
)");

  const Results results = simulate(scenario, extended_catalog());

  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("transactions.loads") == 10);
  CHECK(results.value("transactions.errors") == 0);
  CHECK(difference_between(scenario, compared_variants(), extended_catalog()) == "");
}

TEST_CASE("a router from outside the tree is rejected together with routers that it does not fit",
          "[timed]") {
  const Catalog catalog = extended_catalog();
  const Scenario mixed =
      uniform_traffic({{"router", "{kind: wormhole, at: [{nodes: [3], kind: fifo}]}"}});

  CHECK(simulate(mixed, catalog).outcome == Outcome::complete);
  REQUIRE_THROWS_AS(Plan::make(Job::read(mixed.with("channel.vcs", "2"), catalog)), ConfigError);
}

}  // namespace extending_test
