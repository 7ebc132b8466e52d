// testbenches/tests/timed/job/faults_test.cpp: faults as a part of a job: read, planned, given to
// routers, reported.
// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>
#include <vector>

#include "configs/error.hpp"
#include "testbenches/observers/fault_report.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"

namespace faults_test {

using namespace flitwave;

namespace {

struct NoParams {};

Scenario cube(const std::string& faults, const std::string& evaluation = "untimed") {
  return Scenario::parse(R"(
scenario: test
topology: {kind: hypercube, dimensions: 4}
operation: {kind: unicast, source: 0, destination: 8, message: 64 B}
observe: []
)")
      .with("evaluation", evaluation)
      .with("faults", faults);
}

Plan plan_of(const Scenario& scenario, const Catalog& catalog = standard_catalog()) {
  return Plan::make(Job::read(scenario, catalog));
}

using Rows = std::vector<std::vector<std::string>>;

/// The catalogue with wormhole routers that accept faults and ignore them. The router of node 0,
/// when it is built, reports each fault that `RouterSite::breaks` lists for its ports.
Catalog with_reporting_routers() {
  Catalog catalog = standard_catalog();
  catalog.routers.add("reporting", {"for tests", ""}, Schema<NoParams>{}, [](const NoParams&) {
    RouterModel model = Job::read(cube("{}"), standard_catalog()).router.build();
    model.supports.faults = model.supports.later_faults = true;
    model.build = [build = model.build](const char* name, const RouterSite& site) {
      for (int port = 0; port < site.ports() && site.node == NodeId(0); ++port)
        if (const Cycle onset = site.breaks[static_cast<std::size_t>(port)];
            onset != FaultSet::never)
          site.fault_log->lost({site.node, port, {NodeId(5)}, site.node, PortId(port), onset});
      return build(name, site);
    };
    return model;
  });
  return catalog;
}

}  // namespace

TEST_CASE("a job lists faults at the start and later", "[faults]") {
  const Plan plan = plan_of(
      cube("{nodes: [3, [0, 0, 1, 1]], links: [[0, 4]], later: [{onset: 40 cycle, nodes: [15]}, "
           "{onset: 9 cycle, links: [[[1, 0, 0, 0], 5]]}], condition: warn}",
           "timed")
          .with("router", "{kind: reporting}"),
      with_reporting_routers());
  const FaultSet& faults = plan.topology->faults();

  REQUIRE(faults.nodes().size() == 3);
  CHECK(faults.nodes()[0].node == NodeId(3));
  CHECK(faults.nodes()[1].node == NodeId(12));
  CHECK(faults.onset(NodeId(15)) == 40);
  REQUIRE(faults.links().size() == 2);
  CHECK(faults.links()[0].b == NodeId(4));
  CHECK(faults.links()[1].a == NodeId(1));
  CHECK(faults.links()[1].onset == 9);
  CHECK(faults.onsets() == std::vector<Cycle>{0, 9, 40});
}

TEST_CASE("at least one node works at the start, whatever faults are allowed", "[faults]") {
  const std::string some = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14";
  const std::vector<std::string> all = {
      "nodes: [" + some + ", 15]", "nodes: [" + some + ", 15], random: {links: 1}",
      "random: {nodes: 16}", "nodes: [" + some + "], random: {nodes: 1}"};
  for (const std::string& faulty : all)
    for (const std::string operation : {"{kind: scan, message: 1 B}", "{kind: barrier}"}) {
      const std::string faults = "{condition: warn, " + faulty + "}";
      INFO(faults + operation);
      REQUIRE_THROWS_WITH(plan_of(cube(faults)
                                      .with("operation", operation)
                                      .with("algorithm", "{kind: recursive_doubling}")),
                          Catch::Matchers::Contains("all nodes are faulty"));
    }
  const std::string later =
      "{condition: warn, later: [{onset: 1 cycle, nodes: [" + some + ", 15]}]}";
  REQUIRE_NOTHROW(
      plan_of(cube(later, "timed").with("router", "{kind: reporting}"), with_reporting_routers()));
}

TEST_CASE("a resolved job has the same faults", "[faults]") {
  const Scenario written =
      cube("{nodes: [3], random: {nodes: 2}, links: [[8, 9]], condition: warn}");
  const Scenario resolved =
      Scenario::parse(Job::read(written, standard_catalog()).resolved().to_yaml());

  const FaultSet faults = plan_of(written).topology->faults();
  const FaultSet again = plan_of(resolved).topology->faults();

  REQUIRE(faults.nodes().size() == 3);
  REQUIRE(again.nodes().size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(again.nodes()[i].node == faults.nodes()[i].node);
  CHECK(again.links().size() == 1);
}

TEST_CASE("random faults depend on the seed and spare the nodes that the operation names",
          "[faults]") {
  std::set<NodeId> seen;
  for (int seed = 1; seed <= 60; ++seed) {
    const Scenario scenario = cube("{random: {nodes: 2}}")
                                  .with("algorithm", "{kind: global_unicast}")
                                  .with("seed", std::to_string(seed));
    const FaultSet faults = plan_of(scenario).topology->faults();
    REQUIRE(faults.nodes().size() == 2);
    for (const NodeFault& fault : faults.nodes()) {
      CHECK(fault.node != NodeId(0));
      CHECK(fault.node != NodeId(8));
      seen.insert(fault.node);
    }
    CHECK(plan_of(scenario).topology->faults().nodes()[0].node == faults.nodes()[0].node);
  }
  CHECK(seen.size() == 14);
}

TEST_CASE("an untimed job reports its faults", "[faults]") {
  const Results results = simulate(cube("{nodes: [7, 11], links: [[1, 3]], condition: warn}"));

  CHECK(results.value("faults.nodes") == 2);
  CHECK(results.value("faults.links") == 1);
  CHECK(results.value("faults.valid") == 0);
  CHECK_FALSE(results.has("faults.valid_share"));
  CHECK(results.value("faults.unreachable") == 0);
  CHECK(results.table("faults").rows ==
        Rows{{"node", "1_1_1_0", "0"}, {"node", "1_1_0_1", "0"}, {"link", "1_0_0_0 1_1_0_0", "0"}});
  REQUIRE(results.notes.size() == 1);
  CHECK(results.notes[0].find("1_1_0_0 has the faulty neighbours") != std::string::npos);
  CHECK(simulate(cube("{nodes: [7]}")).value("faults.valid") == 1);
  CHECK_FALSE(simulate(cube("{}").without("faults")).has("faults.nodes"));
}

TEST_CASE("the share of valid faults is over all nodes, whatever is sent", "[faults]") {
  const Results results = simulate(cube("{random: {nodes: 2, draws: 40000}, condition: warn}"));

  CHECK(results.value("faults.valid_share") == Approx(1 - 6.0 / 15).margin(0.01));
}

TEST_CASE("routers are given the onsets of faults of their channels and of their own node",
          "[faults]") {
  const Results results = simulate(
      cube("{nodes: [4], links: [[0, 1]], later: [{onset: 500000 cycle, nodes: [0]}], condition: "
           "warn}",
           "timed")
          .with("router", "{kind: reporting}"),
      with_reporting_routers());

  // The port along dimension d is 2d where bit d is 0; the local port is 8.
  CHECK(results.outcome == Outcome::complete);
  CHECK(results.value("faults.lost") == 5);
  CHECK(results.value("faults.lost_destinations") == 5);
  CHECK(results.table("faulted_messages").rows ==
        Rows{{"lost", "0", "0_0_0_0", "0_0_0_0_to_1_0_0_0", "0_0_0_0", "0", "1_0_1_0"},
             {"lost", "0", "0_0_0_0", "0_0_0_0_to_0_0_1_0", "0_0_0_0", "4", "1_0_1_0"},
             {"lost", "500000", "0_0_0_0", "0_0_0_0_to_0_1_0_0", "0_0_0_0", "2", "1_0_1_0"},
             {"lost", "500000", "0_0_0_0", "0_0_0_0_to_0_0_0_1", "0_0_0_0", "6", "1_0_1_0"},
             {"lost", "500000", "0_0_0_0", "", "0_0_0_0", "8", "1_0_1_0"}});
}

TEST_CASE("messages affected by faults are listed by cycle, in whatever order they are reported",
          "[faults]") {
  const Plan plan = plan_of(cube("{nodes: [7]}"));
  FaultReport report(plan);
  report.unreachable({NodeId(2), 1, {NodeId(6)}, NodeId(4), {}, 30});
  report.rerouted({NodeId(2), 0, {NodeId(1), NodeId(3)}, NodeId(5), PortId(3), 20});
  report.lost({NodeId(2), 0, {NodeId(1), NodeId(3)}, NodeId(5), PortId(2), 20});
  report.lost({NodeId(2), 3, {NodeId(0)}, NodeId(5), PortId(2), 25});
  Results results;

  report.report(results);

  CHECK(results.value("faults.lost") == 2);
  CHECK(results.value("faults.lost_destinations") == 3);
  CHECK(results.value("faults.unreachable") == 1);
  CHECK(results.value("faults.rerouted") == 1);
  CHECK(results.table("faulted_messages").rows ==
        Rows{{"lost", "20", "1_0_1_0", "1_0_1_0_to_1_1_1_0", "0_1_0_0", "0", "1_0_0_0 1_1_0_0"},
             {"rerouted", "20", "1_0_1_0", "", "0_1_0_0", "0", "1_0_0_0 1_1_0_0"},
             {"lost", "25", "1_0_1_0", "1_0_1_0_to_1_1_1_0", "0_1_0_0", "3", "0_0_0_0"},
             {"unreachable", "30", "0_0_1_0", "", "0_1_0_0", "1", "0_1_1_0"}});
}

TEST_CASE("of several reports on a destination in one cycle, the first counts", "[faults]") {
  const Plan plan = plan_of(cube("{nodes: [7]}"));
  FaultReport report(plan);
  report.lost({NodeId(2), 0, {NodeId(1), NodeId(3)}, NodeId(5), PortId(2), 20, 3});
  report.lost({NodeId(2), 0, {NodeId(1), NodeId(3), NodeId(9)}, NodeId(0), PortId(0), 20, 1});
  report.unreachable({NodeId(2), 0, {NodeId(9)}, NodeId(1), {}, 20, 2});
  report.lost({NodeId(2), 0, {NodeId(1)}, NodeId(6), PortId(4), 31, 0});
  report.lost({NodeId(2), 1, {NodeId(1)}, NodeId(5), PortId(2), 31, 0});
  Results results;

  report.report(results);

  CHECK(results.value("faults.lost") == 2);
  CHECK(results.value("faults.lost_destinations") == 3);
  CHECK(results.value("faults.unreachable") == 1);
  CHECK(results.table("faulted_messages").rows ==
        Rows{{"lost", "20", "0_0_0_0", "0_0_0_0_to_1_0_0_0", "0_1_0_0", "0", "1_0_0_0 1_1_0_0"},
             {"unreachable", "20", "1_0_0_0", "", "0_1_0_0", "0", "1_0_0_1"},
             {"lost", "31", "1_0_1_0", "1_0_1_0_to_1_1_1_0", "0_1_0_0", "1", "1_0_0_0"}});
}

}  // namespace faults_test
