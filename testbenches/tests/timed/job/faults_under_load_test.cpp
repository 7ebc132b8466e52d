// testbenches/tests/timed/job/faults_under_load_test.cpp: open-loop loads in networks with faults.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace faults_under_load_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

const char* const fault_sets[] = {
    "{nodes: [3]}",
    "{random: {nodes: 2}}",
    "{nodes: [3, 12], links: [[8, 9], [0, 1]], condition: warn}",
    "{random: {nodes: 5, links: 2}, condition: warn}",
};

Scenario cube(const std::string& faults) {
  return Scenario::parse(R"(
scenario: load
topology: {kind: hypercube, dimensions: 4}
channel: {handshake: request, buffer: 128 flit}
router: {kind: greedy_multicast, fault_tolerant: true, buffers: hop_classes}
observe: [{kind: latency, packets: true}]
)")
      .with("faults", faults);
}

Scenario multicasts(const std::string& faults, int gap) {
  return cube(faults)
      .with("operation",
            fmt::format("{{kind: multicasts, destinations: [1, 6], message: 64 B, gap: {} cycle, "
                        "warmup: 1000 cycle, measure: 10000 cycle, cooldown: 1000 cycle}}",
                        gap))
      .with("algorithm", "{kind: hardware_multicast}");
}

Scenario uniform(const std::string& faults, double rate, const std::string& pattern = "uniform") {
  return cube(faults).with(
      "traffic", fmt::format("{{rate: {} flit/node/cycle, packet: 8 flit, pattern: {}, warmup: "
                             "500 cycle, measure: 4000 cycle}}",
                             rate, pattern));
}

Results run(const Scenario& scenario) {
  Results results = simulate(scenario, standard_catalog());
  REQUIRE(results.message.empty());
  REQUIRE(results.outcome == Outcome::complete);
  return results;
}

std::set<std::string> faulty_nodes(const Results& results) {
  std::set<std::string> nodes;
  for (const auto& row : results.table("faults").rows)
    if (row[0] == "node") nodes.insert(row[1]);
  return nodes;
}

}  // namespace

TEST_CASE("multicasts under load are accounted for completely with any faults",
          "[timed][faults][lan_1988]") {
  const std::string faults = GENERATE(from_range(std::begin(fault_sets), std::end(fault_sets)));
  const int gap = GENERATE(8000, 2000, 700);
  if (instrumented && gap != 2000) return;
  CAPTURE(faults, gap);
  const Scenario scenario = multicasts(faults, gap);
  const Plan plan = Plan::make(Job::read(scenario, standard_catalog()));

  const Results results = run(scenario);

  const std::set<std::string> faulty = faulty_nodes(results);
  std::size_t expected = 0;
  for (const Delivery& delivery : plan.schedule->demand().deliveries) {
    REQUIRE(faulty.count(plan.topology->label(delivery.source())) == 0);
    for (const NodeId node : delivery.destinations)
      REQUIRE(faulty.count(plan.topology->label(node)) == 0);
    expected += delivery.destinations.size();
  }
  // Each transfer is done once or never, and those never done are unreachable.
  const Table& transfers = results.table("transfers");
  REQUIRE(transfers.rows.size() == expected);
  const std::vector<double> done = column(transfers, "done_cycle");
  const auto never = std::count(done.begin(), done.end(), -1.0);
  REQUIRE(results.value("faults.unreachable") == static_cast<double>(never));
  REQUIRE(results.value("faults.unreachable") ==
          static_cast<double>(plan.untimed->given_up.size()));
  for (const int number : plan.untimed->given_up)
    REQUIRE(done[static_cast<std::size_t>(number)] == -1);
  REQUIRE(results.value("packets") == static_cast<double>(expected));
  // Only invalid faults or faulty links keep a message from a node.
  if (faults.find("warn") == std::string::npos) REQUIRE(never == 0);
  REQUIRE(results.has("delivery.incomplete") == (never > 0));
  REQUIRE(results.value("delivery.count") > 0);
  REQUIRE(results.value("delivery.accepted") > 0);
  if (results.value("saturated") == 0) {
    REQUIRE(results.value("delivery.mean") > 64);
    REQUIRE(results.value("delivery.destination.max") == results.value("delivery.max"));
  }
  const Results again = run(scenario);
  REQUIRE(again.fingerprint == results.fingerprint);
  const Results other = run(scenario.with("clock.scheduling", "per_module"));
  REQUIRE(other.fingerprint == results.fingerprint);
}

TEST_CASE("open-loop traffic is accounted for completely with any faults",
          "[timed][faults][lan_1988]") {
  const std::string faults = GENERATE(from_range(std::begin(fault_sets), std::end(fault_sets)));
  const double rate = GENERATE(0.01, 0.05, 0.2);
  const bool warns = faults.find("warn") != std::string::npos;
  if (instrumented && rate != (warns ? 0.2 : 0.05)) return;
  CAPTURE(faults, rate);
  const Scenario scenario = uniform(faults, rate);

  const Results results = run(scenario);

  const std::set<std::string> faulty = faulty_nodes(results);
  for (const auto& row : results.table("packets").rows) {
    REQUIRE(faulty.count(row[0]) == 0);
    REQUIRE(faulty.count(row[1]) == 0);
  }
  if (!warns)
    REQUIRE(results.value("faults.unreachable") == 0);
  else if (rate > 0.1)
    REQUIRE(results.value("faults.unreachable") > 0);
  REQUIRE(results.value("faults.lost") == 0);
  const double working = 16 - static_cast<double>(faulty.size());
  REQUIRE(results.value("throughput.offered") == Approx(rate * working / 16).epsilon(0.3));
  REQUIRE(run(scenario).fingerprint == results.fingerprint);
  REQUIRE(run(scenario.with("clock.scheduling", "per_module")).fingerprint == results.fingerprint);
}

TEST_CASE("packets of one flit are accounted for completely, although no head precedes their tail",
          "[timed][faults][lan_1988]") {
  const int seed = GENERATE(range(0, 60));
  if (left_out(seed, 10)) return;
  CAPTURE(seed);
  const Results results = run(uniform("{nodes: [3]}", 0.05)
                                  .with("topology.dimensions", "2")
                                  .with("router.selection", "2 cycle")
                                  .with("traffic.packet", "1 flit")
                                  .with("seed", std::to_string(seed)));
  REQUIRE(results.value("packets") > 0);
}

TEST_CASE("a message without a working destination is not sent", "[timed][faults][lan_1988]") {
  const Results results = run(cube("{nodes: [0]}")
                                  .with("topology.dimensions", "1")
                                  .with("operation", "{kind: broadcast, root: 1, message: 16 B}")
                                  .with("algorithm", "{kind: hardware_multicast}"));
  REQUIRE(results.value("packets") == 0);
}

TEST_CASE("a source whose only destination is faulty sends nothing", "[timed][faults]") {
  // Node 3 of bit_complement sends to 12, and 12 to 3.
  const Results results = run(uniform("{nodes: [3]}", 0.05, "bit_complement"));

  std::set<std::string> senders;
  for (const auto& row : results.table("packets").rows) senders.insert(row[0]);
  REQUIRE(senders.size() == 14);
  REQUIRE(senders.count("0_0_1_1") == 0);
  REQUIRE(results.value("faults.unreachable") == 0);
}

TEST_CASE("a delivery that reaches no destination has no latency and is counted",
          "[timed][faults]") {
  // The only link is faulty.
  const Results results = run(multicasts("{links: [[0, 1]]}", 500)
                                  .with("topology.dimensions", "1")
                                  .with("operation.destinations", "1"));

  REQUIRE(results.value("delivery.count") > 0);
  REQUIRE(results.value("delivery.incomplete") == results.value("delivery.count"));
  REQUIRE(results.value("delivery.accepted") == 0);
  REQUIRE(results.value("delivery.payload") == 0);
  REQUIRE_FALSE(results.has("delivery.mean"));
  REQUIRE(results.value("saturated") == 0);
  for (const auto& row : results.table("deliveries").rows) REQUIRE(row[4] == "");
}

TEST_CASE("a collective whose messages are all blocked by faults reports no time",
          "[timed][faults]") {
  // There is one message, and both links of its source are faulty.
  const Scenario job = Scenario::parse(R"(
scenario: cut_off
topology: {kind: mesh, shape: [2, 2]}
faults: {links: [[0, 2], [2, 3]], condition: warn}
channel: {handshake: request, buffer: 11 flit}
router: {kind: greedy_multicast, fault_tolerant: true}
operation: {kind: cyclic_assignment, source: {processors: [2, 1]}, destination: {processors: [1, 1]}, elements: [2, 1]}
algorithm: {kind: coloured_transfer}
)",
                                       "test");
  const Results alone = run(job);

  CHECK(alone.value("faults.unreachable") == 1);
  CHECK_FALSE(alone.has("collective.mean"));
  CHECK_FALSE(alone.has("collective.max"));
  CHECK_FALSE(run(job.with("compare", "{kind: cube_broadcast}")).has("collective.mean"));
}

}  // namespace faults_under_load_test
