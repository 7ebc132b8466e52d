// testbenches/tests/timed/run/untimed_results_test.cpp: schedules that are evaluated without a
// simulation.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/untimed_results.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "configs/error.hpp"
#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/reference/papers/multicast_methods.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"

namespace untimed_results_test {

using namespace flitwave;

namespace {

Scenario broadcast(const std::string& evaluation) {
  return Scenario::parse(R"(
scenario: test
topology: {kind: mesh, shape: [8, 8]}
node: {ports: 3, send_overhead: 2 us, receive_overhead: 1 us}
operation: {kind: broadcast, root: 9, message: 64 B}
algorithm: {kind: edn}
observe: [{kind: steps}]
)")
      .with("evaluation", evaluation);
}

std::string error_of(const Scenario& scenario) {
  try {
    Job::read(scenario, standard_catalog());
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

Scenario multicasts(int draws) {
  return Scenario::parse(R"(
scenario: test
seed: 5
evaluation: untimed
topology: {kind: hypercube, dimensions: 5}
node: {ports: all}
operation: {kind: multicast, source: 3, count: 7, message: 64 B}
algorithm: {kind: greedy_multicast}
)")
      .with("draws", std::to_string(draws));
}

/// The traffic of the random sets of a job with seed 5, by the pure functions.
std::vector<int> traffic_of_sets(MulticastMethod method, int draws) {
  const Cube cube(5);
  const MulticastTraffic traffic(cube, 3);
  std::vector<int> found;
  for (int draw = 0; draw < draws; ++draw) {
    Random random(5, "operation", static_cast<std::uint64_t>(draw));
    found.push_back(traffic.of(method, draw_uniform(cube, 3, 7, random)));
  }
  return found;
}

}  // namespace

TEST_CASE("an untimed schedule lists the same transfers as a simulated one", "[timed]") {
  const Table judged = simulate(broadcast("untimed")).table("transfers");
  const Table simulated = simulate(broadcast("timed")).table("transfers");

  REQUIRE(judged.columns == std::vector<std::string>{"message", "from", "to", "step"});
  REQUIRE(judged.rows.size() == 63);
  REQUIRE(simulated.rows.size() == 63);
  for (std::size_t i = 0; i < judged.rows.size(); ++i)
    REQUIRE(std::equal(judged.rows[i].begin(), judged.rows[i].end(), simulated.rows[i].begin()));
}

TEST_CASE("an untimed schedule has the steps and the formula of a simulated one", "[timed]") {
  const Results judged = simulate(broadcast("untimed"));
  const Results simulated = simulate(broadcast("timed"));

  REQUIRE(judged.outcome == Outcome::complete);
  CHECK(judged.cycles == 0);
  CHECK(judged.value("transfers") == 63);
  CHECK_FALSE(judged.has("collective.max"));
  for (const char* metric : {"steps", "steps.least", "steps.contentions", "steps.mean_path",
                             "model.startup_us", "model.per_byte_us", "model.max_us"})
    CHECK(judged.value(metric) == simulated.value(metric));
  CHECK(judged.value("steps") == 4);
  CHECK(judged.value("steps.least") == 3);  // 4^3 nodes in three steps of three sends
}

TEST_CASE("only a schedule can be evaluated untimed", "[timed]") {
  CHECK(error_of(broadcast("untimed").with("wave", "{}")).find("does not simulate the network") !=
        std::string::npos);
  CHECK(error_of(broadcast("untimed").with("traffic", "{rate: 0.1 flit/node/cycle}"))
            .find("does not simulate the network") != std::string::npos);
  CHECK(error_of(Scenario::parse("scenario: test\ntopology: {kind: mesh, shape: [2, 2]}\n"
                                 "evaluation: untimed\ntraffic: {rate: 0.1 flit/node/cycle}\n"))
            .find("does not simulate the network") != std::string::npos);
}

TEST_CASE("a note is given when messages of an EDN step share channels under the job's routing",
          "[timed]") {
  const auto notes = [](const std::string& routing) {
    return simulate(broadcast("untimed")
                        .with("topology", "{kind: torus, shape: [8, 8]}")
                        .with("channel", "{vcs: 4}")
                        .with("routing", routing))
        .notes;
  };

  CHECK(notes("{kind: dimension_order}").empty());
  CHECK(notes("{kind: dimension_order, order: [1, 0]}").empty());
  // Levels are chosen for the job's routing, unless messages choose routes at random.
  CHECK(notes("{kind: dimension_order, ties: negative}").empty());
  const std::vector<std::string> found = notes("{kind: valiant}");
  REQUIRE(found.size() == 1);
  CHECK(found.front().find("messages of one step share channels") != std::string::npos);
  CHECK(found.front().find("positive ties") != std::string::npos);
}

TEST_CASE("many draws report the mean, the least, the greatest and the deviation",
          "[timed][lan_1988]") {
  const std::vector<int> traffic = traffic_of_sets(MulticastMethod::greedy, 40);
  const Excess above_zero = excess_of(traffic, std::vector<int>(traffic.size(), 0));

  const Results draws = simulate(multicasts(40));

  REQUIRE(draws.outcome == Outcome::complete);
  CHECK(draws.value("draws") == 40);
  CHECK(draws.value("destinations") == 7);
  CHECK(draws.value("steps.traffic") == Approx(above_zero.mean));
  CHECK(draws.value("steps.traffic.sd") == Approx(above_zero.deviation));
  CHECK(draws.value("steps.traffic.max") == above_zero.worst);
  CHECK(draws.value("steps.traffic.min") == *std::min_element(traffic.begin(), traffic.end()));
  CHECK(draws.tables.empty());
}

TEST_CASE("the first of many draws is the demand of a job with one draw", "[timed]") {
  const Results once = simulate(multicasts(1));

  CHECK_FALSE(once.has("draws"));
  CHECK_FALSE(once.has("steps.traffic.sd"));
  CHECK(once.value("steps.traffic") == traffic_of_sets(MulticastMethod::greedy, 1).front());
}

TEST_CASE("two algorithms are compared demand by demand", "[timed][lan_1988]") {
  const Excess excess = excess_of(traffic_of_sets(MulticastMethod::greedy, 60),
                                  traffic_of_sets(MulticastMethod::optimal, 60));
  REQUIRE(excess.worst > 0);

  const Results draws = simulate(multicasts(60).with("compare", "{kind: optimal_multicast}"));
  const Results once = simulate(multicasts(1).with("compare", "{kind: separate}"));

  CHECK(draws.value("steps.traffic.excess") == Approx(excess.mean));
  CHECK(draws.value("steps.traffic.excess.sd") == Approx(excess.deviation));
  CHECK(draws.value("steps.traffic.excess.max") == excess.worst);
  CHECK(draws.value("steps.traffic.excess.min") == 0);
  CHECK(once.value("steps.traffic.excess") ==
        traffic_of_sets(MulticastMethod::greedy, 1).front() -
            traffic_of_sets(MulticastMethod::multiple_unicast, 1).front());
}

TEST_CASE("a draw that an algorithm does not support is reported", "[timed]") {
  // A tree to a distant node may have more than 22 candidate nodes at one distance.
  const Scenario job = Scenario::parse(R"(
scenario: test
evaluation: untimed
draws: 200
topology: {kind: mesh, shape: [6, 6, 6]}
node: {ports: all}
operation: {kind: multicast, source: 0, count: 1, message: 64 B}
algorithm: {kind: optimal_multicast}
)");
  std::string text;
  try {
    simulate(job);
  } catch (const ConfigError& error) {
    text = error.what();
  }

  CHECK(text.find(": algorithm.kind: no optimal tree found") != std::string::npos);
  CHECK(text.find("(at draw 37 of 200)") != std::string::npos);
}

TEST_CASE("an interrupted job reports the results of its completed draws", "[timed]") {
  const Job job = Job::read(multicasts(1000), standard_catalog());
  const Plan plan = Plan::make(job);
  int calls = 0;

  const Results results = untimed_results(job, plan, [&calls] { return ++calls == 10; });

  CHECK(results.outcome == Outcome::partial);
  CHECK(results.message == "interrupted after 10 of 1000 draws");
  CHECK(results.value("draws") == 10);
}

TEST_CASE("a resolved job has its draws and its compared algorithm", "[timed]") {
  const Scenario written = multicasts(40).with("compare", "{kind: spare_global_send}");
  const ConfigNode resolved = Job::read(written, standard_catalog()).resolved();

  CHECK(resolved.at("draws").text() == "40");
  CHECK(resolved.at("compare").at("nearest").text() == "first_in_list");
  CHECK(simulate(Scenario(resolved)).value("steps.traffic.excess") ==
        simulate(written).value("steps.traffic.excess"));
}

}  // namespace untimed_results_test
