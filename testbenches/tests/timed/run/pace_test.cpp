// testbenches/tests/timed/run/pace_test.cpp: timed schedules, step by step.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/by_hand.hpp"

namespace pace_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Sixteen nodes shift an array section by two rows and columns: two steps of eight messages.
Scenario shift() {
  return Scenario::parse(R"(
scenario: shift
topology: {kind: mesh, shape: [6, 6]}
router: {kind: wormhole, preset: single_cycle}
operation:
  kind: array_assignment
  source: {section: [0:3, 0:3], block: [1, 1]}
  destination: {section: [2:5, 2:5], block: [1, 1]}
  element: 32 B
algorithm: section_diagonal
observe: [{kind: step_times}, {kind: contention}]
)");
}

std::vector<int> column(const Results& results, const std::string& name) {
  const Table& table = results.table("step_times");
  std::vector<int> values;
  for (const auto& row : table.rows)
    values.push_back(std::stoi(row[table.column(name, "step_times")]));
  return values;
}

}  // namespace

TEST_CASE("with an ideal barrier all messages of a step are injected in one cycle", "[timed]") {
  for (const char* scheduling : {"batched", "per_module"}) {
    const Results run = simulate(shift().with("clock.scheduling", scheduling));
    CAPTURE(scheduling, run.message);

    REQUIRE(run.outcome == Outcome::complete);
    CHECK(run.value("step_times.spread.max") == 0);
    CHECK(run.value("step_times.overlaps") == 0);
    CHECK(run.value("step_times.blocked") == 0);
    CHECK(run.value("contention.blocked") == 0);
    CHECK(column(run, "transfers") == std::vector<int>{8, 8});
  }
}

TEST_CASE("a step begins when the preceding one is complete, delayed by the cost of the barrier",
          "[timed]") {
  for (int cost : {0, 7}) {
    const Results run = simulate(shift().with("barrier_cost", std::to_string(cost) + " cycle"));
    CAPTURE(cost);
    const std::vector<int> begin = column(run, "first_injection");
    const std::vector<int> end = column(run, "end");

    // Completion is observed a cycle later; one cycle is for the barrier, and one from hand-over to
    // injection.
    CHECK(begin[1] - end[0] >= 2 + cost);
    CHECK(begin[1] - end[0] <= 3 + cost);
  }
}

TEST_CASE("at dataflow pace steps overlap, and the same elements arrive", "[timed]") {
  const Results run = simulate(shift().with("pace", "dataflow"));

  REQUIRE(run.outcome == Outcome::complete);
  CHECK(run.value("step_times.overlaps") == 1);
  CHECK(run.value("data.right") == 16);
}

TEST_CASE(
    "with a barrier of messages steps follow each other, although nodes begin them at different "
    "times",
    "[timed]") {
  const Results run = simulate(
      shift().with("barrier", "messages").with("observe", "[{kind: step_times}, {kind: steps}]"));

  REQUIRE(run.outcome == Outcome::complete);
  CHECK(run.value("steps.barrier") == 5);  // 28 of the nodes take part
  CHECK(run.value("steps") == 2 + 5);
  CHECK(run.value("data.right") == 16);
  const std::vector<int> begin = column(run, "first_injection");
  const std::vector<int> end = column(run, "end");
  CHECK(begin.back() > end.front());
  CHECK(run.value("step_times.overlaps") == 0);
}

TEST_CASE("stepped pace gives the same results under every scheduling and build order", "[timed]") {
  const Results batched = simulate(shift());
  const Results per_module = simulate(shift().with("clock.scheduling", "per_module"));
  const Results reversed = simulate(shift().with("build_order", "reversed"));

  CHECK(batched.fingerprint == per_module.fingerprint);
  CHECK(batched.fingerprint == reversed.fingerprint);
  CHECK(batched.cycles == per_module.cycles);
}

TEST_CASE("with requests, a step begins in the same cycle under every scheduling and build order",
          "[timed]") {
  // A node's reply and its message of the next step are due in the same cycle.
  const Scenario job = Scenario::parse(R"(
scenario: beside
pace: stepped
topology: {kind: hypercube, dimensions: 3}
operation: {kind: scatter, root: 0, message: 1 B}
requests: {reply: 1 flit, service: 2 cycle, warmup: 0 cycle, measure: 300 cycle}
)");
  const Results batched = simulate(job);

  REQUIRE(batched.outcome == Outcome::complete);
  CHECK(batched.fingerprint == simulate(job.with("clock.scheduling", "per_module")).fingerprint);
  CHECK(batched.fingerprint == simulate(job.with("build_order", "reversed")).fingerprint);
}

TEST_CASE("any schedule may be executed step by step", "[timed]") {
  Scenario scenario = line("{ports: one}", "step_times").with("pace", "stepped");
  const std::vector<Delivery> deliveries = {{NodeId(0), {NodeId(1)}, Bytes{8}},
                                            {NodeId(2), {NodeId(3)}, Bytes{8}},
                                            {NodeId(1), {NodeId(0)}, Bytes{8}}};
  const Catalog catalog = by_hand(deliveries, {{0, 0, 1, 1}, {1, 2, 3, 2}, {2, 1, 0, 3}});

  const Results stepped = simulate(scenario, catalog);
  const Results dataflow = simulate(scenario.with("pace", "dataflow"), catalog);

  REQUIRE(stepped.outcome == Outcome::complete);
  CHECK(stepped.value("step_times.overlaps") == 0);
  CHECK(dataflow.value("step_times.overlaps") == 2);
  CHECK(stepped.cycles > 2 * dataflow.cycles);
}

TEST_CASE("a formula for dataflow pace is not compared with a stepped run", "[timed]") {
  const Scenario broadcast = Scenario::parse(R"(
scenario: stepped_broadcast
topology: {kind: mesh, shape: [4, 4]}
operation: {kind: broadcast, root: 0, message: 64 B}
algorithm: edn
node: {ports: all}
)");

  const Results stepped = simulate(broadcast.with("pace", "stepped"));

  REQUIRE(stepped.outcome == Outcome::complete);
  CHECK_FALSE(stepped.has("model.max_us"));
  CHECK(simulate(broadcast).has("model.max_us"));
}

TEST_CASE("nodes with random starts begin within the skew, depending on the seed", "[timed]") {
  const Scenario skewed = shift().with("pace", "dataflow").with("node", "{start_skew: 50 cycle}");

  const Results run = simulate(skewed);
  const Results again = simulate(skewed);
  const Results other = simulate(skewed.with("seed", "2"));

  const double spread = run.value("step_times.spread.max");
  CHECK(spread > 10);
  CHECK(spread <= 51);
  CHECK(run.fingerprint == again.fingerprint);
  CHECK(run.fingerprint != other.fingerprint);
}

TEST_CASE("deliveries with their own releases have no common steps", "[timed]") {
  const Scenario scenario = Scenario::parse(R"(
scenario: released
topology: {kind: mesh, shape: [4, 4]}
operation: {kind: multicasts, destinations: 2, message: 8 B, count: 3}
pace: stepped
)");

  CHECK_THROWS_AS(simulate(scenario), ConfigError);
}

TEST_CASE("several draws of a simulation report means, extremes and deviations", "[timed]") {
  const Results run = simulate(shift()
                                   .with("algorithm", "separate")
                                   .with("pace", "dataflow")
                                   .with("node", "{start_skew: 40 cycle}")
                                   .with("draws", "5"));

  REQUIRE(run.outcome == Outcome::complete);
  CHECK(run.value("draws") == 5);
  CHECK(run.value("collective.max.min") <= run.value("collective.max"));
  CHECK(run.value("collective.max") <= run.value("collective.max.max"));
  CHECK(run.value("collective.max.sd") > 0);
}

TEST_CASE("two algorithms are simulated for one demand and compared", "[timed]") {
  const Results run =
      simulate(shift().with("algorithm", "separate").with("compare", "section_diagonal"));

  REQUIRE(run.outcome == Outcome::complete);
  const Results alone = simulate(shift());
  CHECK(run.value("collective.max.excess") ==
        run.value("collective.max") - alone.value("collective.max"));
}

TEST_CASE("a note is given for barriers that a schedule does not have, and only for these",
          "[timed]") {
  const auto notes_of_barrier = [](const Scenario& job) {
    int notes = 0;
    for (const std::string& note : simulate(job).notes)
      notes += note.find("there are no barriers") != std::string::npos ? 1 : 0;
    return notes;
  };
  CHECK(notes_of_barrier(shift()) == 0);
  CHECK(notes_of_barrier(shift().with("barrier", "messages")) == 0);
  CHECK(notes_of_barrier(shift().with("barrier_cost", "9 cycle")) == 0);
  CHECK(notes_of_barrier(shift().with("pace", "dataflow").with("barrier", "messages")) == 1);
  CHECK(notes_of_barrier(shift().with("pace", "dataflow").with("barrier_cost", "9 cycle")) == 1);
  CHECK(notes_of_barrier(shift()
                             .with("algorithm", "separate")
                             .with("pace", "stepped")
                             .with("barrier_cost", "9 cycle")) == 1);
}

}  // namespace pace_test
