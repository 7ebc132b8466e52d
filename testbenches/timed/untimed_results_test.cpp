// testbenches/timed/untimed_results_test.cpp: schedules that are judged and not simulated.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/untimed_results.hpp"

#include <string>
#include <vector>

#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/simulate.hpp"

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

std::string refusal(const Scenario& scenario) {
  try {
    Job::read(scenario, standard_catalog());
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a schedule that is judged alone has the steps and the formula of one that is simulated",
          "[timed]") {
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

TEST_CASE("only a schedule can be judged without a clock", "[timed]") {
  CHECK(refusal(broadcast("untimed").with("wave", "{}")).find("simulates nothing") !=
        std::string::npos);
  CHECK(refusal(broadcast("untimed").with("traffic", "{rate: 0.1 flit/node/cycle}"))
            .find("simulates nothing") != std::string::npos);
  CHECK(refusal(Scenario::parse("scenario: test\ntopology: {kind: mesh, shape: [2, 2]}\n"
                                "evaluation: untimed\ntraffic: {rate: 0.1 flit/node/cycle}\n"))
            .find("simulates nothing") != std::string::npos);
}

TEST_CASE("it is noted when messages of a step of EDN meet under the job's routing", "[timed]") {
  const auto notes = [](const std::string& routing) {
    return simulate(broadcast("untimed")
                        .with("topology", "{kind: torus, shape: [8, 8]}")
                        .with("channel", "{vcs: 4}")
                        .with("routing", routing))
        .notes;
  };

  CHECK(notes("{kind: dimension_order}").empty());
  CHECK(notes("{kind: dimension_order, order: [1, 0]}").empty());
  // Levels are searched for, unless messages draw their routes.
  CHECK(notes("{kind: dimension_order, ties: negative}").empty());
  const std::vector<std::string> found = notes("{kind: valiant}");
  REQUIRE(found.size() == 1);
  CHECK(found.front().find("messages of one step share channels") != std::string::npos);
  CHECK(found.front().find("positive ties") != std::string::npos);
}
