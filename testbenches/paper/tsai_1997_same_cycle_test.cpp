// testbenches/paper/tsai_1997_same_cycle_test.cpp: steps whose messages all leave at once.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/plan.hpp"
#include "flitwave/testbenches/timed/jobs.hpp"

using namespace flitwave;
using namespace flitwave::test;

namespace {

struct Network {
  std::string topology;
  std::string operation;
  std::string algorithm;
};

/// Where the dissertation says that no step has contention.
const std::vector<Network> free_of_contention{
    {"{kind: mesh, shape: [8, 8]}", "{kind: broadcast, root: [2, 3], message: 32 B}", "edn"},
    {"{kind: mesh, shape: [10, 10]}", "{kind: broadcast, root: [9, 0], message: 32 B}", "edn"},
    {"{kind: mesh, shape: [12, 12]}", "{kind: broadcast, root: [5, 5], message: 32 B}", "edn"},
    {"{kind: mesh, shape: [14, 14]}", "{kind: broadcast, root: [0, 7], message: 32 B}", "edn"},
    {"{kind: mesh, shape: [4, 4, 12]}", "{kind: broadcast, root: 77, message: 32 B}", "edn"},
    {"{kind: mesh, shape: [4, 4, 5]}", "{kind: broadcast, root: 3, message: 32 B}", "edn"},
    {"{kind: torus, shape: [8, 8]}", "{kind: broadcast, root: [7, 1], message: 32 B}", "edn"},
    {"{kind: torus, shape: [4, 4, 8]}", "{kind: broadcast, root: 9, message: 32 B}", "edn"},
    {"{kind: torus, shape: [8, 8]}", "{kind: broadcast, root: [7, 1], message: 32 B}", "u_torus"},
    {"{kind: mesh, shape: [8, 8]}", "{kind: reduce, root: [2, 3], message: 32 B}", "edn"},
    {"{kind: mesh, shape: [10, 10]}", "{kind: reduce, root: [4, 4], message: 32 B}", "edn"},
    {"{kind: mesh, shape: [16, 16]}", "{kind: transpose, message: 32 B}", "edn_transposition"},
    {"{kind: mesh, shape: [8, 8]}", "{kind: broadcast, root: [2, 3], message: 32 B}",
     "recursive_doubling"},
};

/// The network alone, for packets that a test hands over.
Scenario bare(const Network& network) {
  return Scenario::parse(R"(
scenario: step
channel: {width: 1 B, vcs: 2}
router: {kind: wormhole, preset: single_cycle}
node: {ports: 8}
)")
      .with("topology", network.topology);
}

Scenario scenario(const Network& network) {
  return bare(network)
      .with("operation", network.operation)
      .with("algorithm.kind", network.algorithm);
}

/// The messages of each step, all to be handed over in the same cycle. Shape: [steps][transfers]
std::vector<std::vector<Shot>> steps_of(const Network& network) {
  const Plan plan = Plan::make(Job::read(scenario(network), standard_catalog()));
  std::vector<std::vector<Shot>> steps(static_cast<std::size_t>(plan.schedule->steps()));
  for (const Transfer& transfer : plan.schedule->transfers())
    steps[static_cast<std::size_t>(transfer.step - 1)].push_back(
        {10, transfer.from, transfer.to, 32});
  return steps;
}

/// Cycles for which heads waited for channels between routers. That heads which come to a node in
/// the same cycle choose the same ejection channel, and all but one choose again, is the router's
/// doing.
double blocked(const Network& network, const std::vector<Shot>& shots) {
  const Results results = shoot(bare(network), shots, 1000, "{kind: contention}");
  REQUIRE(results.outcome == Outcome::complete);
  const std::vector<double> injected = column(results.tables.at("packets"), "injected");
  REQUIRE(injected.size() == shots.size());
  REQUIRE(*std::min_element(injected.begin(), injected.end()) ==
          *std::max_element(injected.begin(), injected.end()));
  double cycles = 0;
  for (const auto& row : results.tables.at("contention").rows)
    if (row[1].find("local") == std::string::npos) cycles += std::stod(row[2]);
  return cycles;
}

}  // namespace

TEST_CASE("no head waits when all messages of a step leave in the same cycle, but for one too many",
          "[paper]") {
  const Network network = GENERATE(from_range(free_of_contention));
  INFO(network.topology << " " << network.operation << " " << network.algorithm);

  for (const std::vector<Shot>& step : steps_of(network)) {
    CHECK(blocked(network, step) == 0);
    // The planted conflict: a node that sends a message sends another the same way.
    std::vector<Shot> planted = step;
    planted.push_back(step[step.size() / 2]);
    CHECK(blocked(network, planted) > 0);
  }
}
