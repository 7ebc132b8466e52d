// testbenches/tests/timed/relay/relayed_cube_test.cpp: trees of relay routers, untimed and timed.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "algorithms/cube_multicast/relay/relay.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace relayed_cube_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// The example of section 5.3.
Scenario example(const std::string& evaluation, const std::string& router = "") {
  return Scenario::parse(R"(
scenario: example
topology: {kind: hypercube, dimensions: 5}
channel: {handshake: request, buffer: 64 flit}
operation: {kind: multicast, source: 6, destinations: [7, 20, 29, 18, 1, 0], message: 32 B}
algorithm: {kind: hardware_multicast}
observe: [{kind: steps}]
allow_deadlock: true
)")
      .with("router", "{kind: greedy_multicast, capacity: 6" + router + "}")
      .with("evaluation", evaluation);
}

Results run(const Scenario& scenario) {
  Results results = simulate(scenario, standard_catalog());
  REQUIRE(results.message.empty());
  REQUIRE(results.outcome == Outcome::complete);
  return results;
}

/// The address of a node by its label, lowest bit first: 4 for "0_0_1".
int address_of(const std::string& label) {
  int address = 0;
  for (std::size_t i = 0; i < label.size(); i += 2) address |= (label[i] - '0') << (i / 2);
  return address;
}

/// The steps to each destination of a job with one multicast; "" for an unreachable one.
std::map<int, std::string> steps_of(const Results& results) {
  std::map<int, std::string> steps;
  for (const std::vector<std::string>& row : results.table("ways").rows)
    steps[address_of(row[2])] = row[3];
  return steps;
}

/// The flits on each channel between routers.
std::vector<double> loads_of(const Results& results) {
  const Table& table = results.table("channel_load");
  const std::vector<double> flits = column(table, "flits");
  std::vector<double> loads;
  for (std::size_t i = 0; i < flits.size(); ++i)
    if (table.rows[i][1] == "network") loads.push_back(flits[i]);
  return loads;
}

/// Eight concurrent multicasts in a cube.
Scenario crowd(int number, const std::string& faults) {
  Random random(static_cast<std::uint64_t>(number), "crowd");
  const int dimensions = 3 + number % 3;
  const int most = (1 << dimensions) - 4;
  const auto destinations = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(most)));
  const auto capacity = 2 + static_cast<int>(random.below(12));
  Scenario scenario = Scenario::parse(fmt::format(R"(
scenario: crowd
seed: {}
topology: {{kind: hypercube, dimensions: {}}}
channel: {{handshake: request, buffer: 256 flit}}
router: {{kind: greedy_multicast, capacity: {}, buffers: hop_classes, fault_tolerant: true}}
operation: {{kind: multicasts, destinations: [1, {}], message: 16 B, count: 8}}
algorithm: {{kind: hardware_multicast}}
observe: []
)",
                                                  number, dimensions, capacity, destinations));
  return faults.empty() ? scenario : scenario.with("faults", faults);
}

/// The links and flits between routers by the routes of the schedule. Each link carries the data
/// and the header of the message there.
struct OnChannels {
  std::int64_t links = 0;
  std::int64_t flits = 0;
};

OnChannels sum_over_routes(const Plan& plan) {
  OnChannels sum;
  const RelayedCube& relayed = *plan.relayed;
  const Schedule& schedule = *plan.schedule;
  for (int i = 0; i < static_cast<int>(schedule.transfers().size()); ++i) {
    CubeNodes list;
    for (int k = 0; k < schedule.receivers_of(i); ++k)
      list.push_back(static_cast<CubeAddress>(schedule.transfer(i + k).to.value()));
    if (list.empty()) continue;
    const auto source = static_cast<CubeAddress>(schedule.transfer(i).from.value());
    const CubeFaults faults = cube_faults(*plan.topology, "test");
    walk_cube(source, header_for(relayed.cube(), source, list, relayed.rules().format()),
              [&](CubeAddress here, bool injected, const CubeHeader& received) {
                const CubeDecision<CubeHeader> decision =
                    relay_decision(relayed.cube(), relayed.rules(),
                                   {here, injected, received, faults.vector_of(here)});
                for (const CubeBranch<CubeHeader>& branch : decision.branches) {
                  ++sum.links;
                  sum.flits += branch.message.length() + 16;
                }
                return decision;
              });
  }
  return sum;
}

}  // namespace

TEST_CASE("the example's tree has ten links, untimed and timed",
          "[timed][paper][lan_1988][lan_1988-O11]") {
  const std::map<int, std::string> steps{{7, "1"},  {0, "2"}, {20, "2"},
                                         {18, "2"}, {1, "3"}, {29, "4"}};
  for (const char* evaluation : {"untimed", "timed"}) {
    CAPTURE(evaluation);
    const Results results = run(example(evaluation));
    CHECK(results.value("steps.traffic") == 10);
    CHECK(results.value("steps.depth") == 4);
    CHECK(results.value("steps") == 1);
    CHECK(results.value("steps.contentions") == 0);
    CHECK(results.value("steps.greatest_load") == 1);
    CHECK(steps_of(results) == steps);
  }
  const Results measured = run(example("timed").with("observe", "[{kind: channel_load}]"));
  const std::vector<double> loads = loads_of(measured);
  CHECK(std::count_if(loads.begin(), loads.end(), [](double flits) { return flits > 0; }) == 10);
}

TEST_CASE("with another tie at node 4 the example's tree has nine links",
          "[timed][paper][lan_1988][lan_1988-O11]") {
  const Results results = run(example("untimed", ", script: {4: [2]}"));

  CHECK(results.value("steps.traffic") == 9);
}

TEST_CASE("with node 4 faulty the example's tree has ten links again",
          "[timed][paper][lan_1988][lan_1988-O31]") {
  for (const char* evaluation : {"untimed", "timed"}) {
    const Results results =
        run(example(evaluation, ", fault_tolerant: true").with("faults", "{nodes: [4]}"));
    CHECK(results.value("steps.traffic") == 10);
    CHECK(results.value("steps.depth") == 4);
    CHECK(results.value("faults.unreachable") == 0);
  }
}

TEST_CASE("a neighbour across a faulty link is reported as unreachable, untimed and timed",
          "[timed][faults][lan_1988]") {
  for (const char* evaluation : {"untimed", "timed"}) {
    CAPTURE(evaluation);
    const Results results =
        run(example(evaluation, ", fault_tolerant: true").with("faults", "{links: [[6, 7]]}"));
    CHECK(results.value("faults.unreachable") == 1);
    CHECK(steps_of(results).at(7) == "");
    CHECK(results.value("steps.traffic") == 9);
    const auto& events = results.table("faulted_messages").rows;
    const auto given_up = std::find_if(events.begin(), events.end(),
                                       [](const auto& row) { return row[0] == "unreachable"; });
    REQUIRE(given_up != events.end());
    CHECK(given_up->back() == "1_1_1_0_0");
  }
}

TEST_CASE("messages cross the same channels untimed and timed", "[timed][faults][lan_1988]") {
  const int number = GENERATE(range(0, 12));
  const std::string faults = number % 3 == 0   ? ""
                             : number % 3 == 1 ? "{random: {nodes: 1}}"
                                               : "{random: {nodes: 2, links: 1}, condition: warn}";
  const Scenario scenario = crowd(number, faults);
  const Plan plan = Plan::make(Job::read(scenario, standard_catalog()));
  const OnChannels walk = sum_over_routes(plan);

  const Results judged = run(scenario.with("evaluation", "untimed"));
  const Results timed =
      run(scenario.with("observe", "[{kind: channel_load}, {kind: steps}, {kind: latency}]"));

  INFO("crowd " << number);
  CHECK(judged.value("steps.traffic") == static_cast<double>(walk.links));
  for (const char* metric : {"steps.traffic", "steps.depth", "steps.contentions"})
    CHECK(judged.value(metric) == timed.value(metric));
  double flits = 0;
  for (const double load : loads_of(timed)) flits += load;
  CHECK(flits == static_cast<double>(walk.flits));
  const double unreachable = faults.empty() ? 0 : timed.value("faults.unreachable");
  CHECK(timed.value("latency.packets") == judged.value("destinations") - unreachable);
  if (!faults.empty()) CHECK(judged.value("faults.unreachable") == unreachable);
}

TEST_CASE("messages that depend on an undeliverable one are not sent, untimed and timed",
          "[timed][faults][lan_1988]") {
  const Scenario scenario = Scenario::parse(R"(
scenario: broken_ring
topology: {kind: hypercube, dimensions: 3}
faults: {links: [[0, 1]]}
channel: {handshake: request, buffer: 128 flit}
router: {kind: greedy_multicast, fault_tolerant: true, buffers: hop_classes}
operation: {kind: all_gather, message: 16 B}
algorithm: {kind: ring}
observe: []
)");
  const Results timed = run(scenario);
  const Results judged = run(scenario.with("evaluation", "untimed"));

  CHECK(judged.value("faults.unreachable") == timed.value("faults.unreachable"));
  CHECK(judged.value("faults.unreachable") > 0);
  const auto unsent_note = [](const Results& results) {
    return *std::find_if(results.notes.begin(), results.notes.end(), [](const std::string& note) {
      return note.find("were never sent") != std::string::npos;
    });
  };
  CHECK(unsent_note(judged) == unsent_note(timed));
}

TEST_CASE("random multicasts are evaluated by the trees of the routers", "[timed][lan_1988]") {
  const Scenario scenario =
      example("untimed")
          .with("operation", "{kind: multicast, source: 3, count: 5, message: 64 B}")
          .with("observe", "[]")
          .with("channel.buffer", "128 flit")
          .with("draws", "50");
  const Scenario by_processors = scenario.with("algorithm", "{kind: greedy_multicast}");

  const Results relayed = run(scenario);

  for (const char* metric : {"steps.traffic", "steps.traffic.max", "steps.traffic.sd"})
    CHECK(relayed.value(metric) == run(by_processors).value(metric));
  CHECK(relayed.value("steps.depth.max") == 5);
}

TEST_CASE(
    "only a routing function with global knowledge reaches a node across a faulty link, timed",
    "[timed][faults][lan_1988]") {
  const auto reach = [](const std::string& algorithm) {
    return run(Scenario::parse(R"(
scenario: across
topology: {kind: hypercube, dimensions: 4}
faults: {links: [[0, 1]]}
channel: {handshake: request, buffer: 64 flit}
router: {kind: greedy_multicast, fault_tolerant: true, selection: 10 cycle}
operation: {kind: multicast, source: 0, destinations: [1, 12], message: 32 B}
observe: [{kind: latency, packets: true}]
allow_deadlock: true
)")
                   .with("algorithm", "{kind: " + algorithm + "}"));
  };
  const Results greedy = reach("hardware_multicast");
  CHECK(greedy.value("faults.unreachable") == 1);
  CHECK(greedy.value("latency.packets") == 1);
  CHECK(greedy.table("packets").rows[0][1] == "0_0_1_1");

  const Results global = reach("global_unicast");
  CHECK(global.value("faults.unreachable") == 0);
  // 0 to 2 to 3 to 1 and 0 to 4 (or 8) to 12. Each message is received before it is sent on.
  const Table& sent = global.table("transfers");
  REQUIRE(sent.rows.size() == 5);
  std::map<int, double> done;
  for (std::size_t i = 0; i < sent.rows.size(); ++i)
    done[address_of(sent.rows[i][2])] = column(sent, "done_cycle")[i];
  // Two routers, a header of three fields, one selection each, a hop and the data: docs/timing.md.
  const double hop = 3 + 2 * (3 + 10) + 2 + 32 + 2;
  CHECK(done.at(2) == hop);
  CHECK(done.at(3) == 2 * hop + 1);  // it is handed over in the cycle after its arrival
  CHECK(done.at(1) == 3 * hop + 2);
}

TEST_CASE("every simulation of a job is free of deadlock, or the job is rejected", "[timed]") {
  const auto rejection = [](const Scenario& scenario) -> std::string {
    try {
      const Job job = Job::read(scenario, standard_catalog());
      Plan::make(job);
      return "";
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  // The random ties of seed 9 cannot deadlock; those of seed 10 can.
  const Scenario random_ties = Scenario::parse(R"(
scenario: drawn
topology: {kind: hypercube, dimensions: 2}
channel: {handshake: request, buffer: 7 flit}
router: {kind: greedy_multicast, ties: random}
requests: {}
seed: 9
)");
  // Unicasts to these sets have no cyclic dependency; multicasts have one.
  const Scenario compared = Scenario::parse(R"(
scenario: compared
topology: {kind: hypercube, dimensions: 4}
channel: {handshake: request, buffer: 64 flit}
router: {kind: greedy_multicast, ties: random}
operation: {kind: multicasts, count: 16, destinations: 4, message: 32 B}
algorithm: {kind: separate}
seed: 3
)");
  using Catch::Matchers::Contains;

  CHECK(rejection(random_ties).empty());
  CHECK_THAT(rejection(random_ties.with("draws", "2")),
             Contains("possible deadlock: channel dependencies are cyclic") &&
                 Contains("(at draw 2 of 2)"));
  CHECK(rejection(compared).empty());
  CHECK_THAT(rejection(compared.with("compare", "{kind: hardware_multicast}")),
             Contains("possible deadlock: channel dependencies are cyclic"));
  CHECK(rejection(random_ties.with("draws", "2").with("allow_deadlock", "true")).empty());
}

}  // namespace relayed_cube_test
