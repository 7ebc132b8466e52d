// testbenches/tests/cosim/scenarios_test.cpp: scenarios that need routers in Verilog.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "testbenches/run/expectations.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"

namespace scenarios_test {

using namespace flitwave;

namespace {

/// Those with `needs: rtl`.
std::vector<Scenario> scenarios() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("configs/scenarios"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Scenario> found;
  for (const auto& file : files) {
    Scenario scenario = Scenario::load(file.string());
    if (scenario.tree().find("needs")) found.push_back(std::move(scenario));
  }
  return found;
}

}  // namespace

TEST_CASE("every scenario of routers in Verilog is as expected, and as with routers in C++",
          "[cosim]") {
  const std::vector<Scenario> all = scenarios();
  REQUIRE(!all.empty());
  for (const Scenario& scenario : all) {
    const Job job = Job::read(scenario, standard_catalog());
    INFO(job.name);
    Results results = simulate(job, Plan::make(job), {});
    judge(job.expectations, results);
    CHECK(results.message == "");
    CHECK(results.outcome == Outcome::complete);
    const Results other = simulate(scenario.without("needs")
                                       .without("evaluation")
                                       .with("router", "{kind: wormhole, preset: single_cycle}"),
                                   standard_catalog());
    CHECK(other.fingerprint == results.fingerprint);
  }
}

TEST_CASE("a cosimulation reports equality and both speeds, and another router is a difference",
          "[cosim]") {
  const Scenario job = Scenario::parse(
      "scenario: cosimulation\n"
      "topology: {kind: mesh, shape: [3, 3]}\n"
      "evaluation: cosimulation\n"
      "router: {kind: verilated, model: wormhole_1vc}\n"
      "traffic: {rate: 0.2 flit/node/cycle, packet: 4 flit, warmup: 10 cycle, measure: 500 "
      "cycle}\n");
  const Results equal = simulate(job, standard_catalog());
  CHECK(equal.message == "");
  CHECK(equal.outcome == Outcome::complete);
  std::string lines;
  for (const std::string& line : equal.lines) lines += line + "\n";
  CHECK(lines.find("equal to the network of wormhole routers") != std::string::npos);
  CHECK(lines.find("kcycle/s with routers in RTL") != std::string::npos);

  const Results slower = simulate(
      job.with("evaluation", "{kind: cosimulation, router: {kind: wormhole, preset: pipelined}}"),
      standard_catalog());
  CHECK(slower.outcome == Outcome::design_error);
  CHECK(slower.message.find("differs from that of wormhole routers: ") != std::string::npos);
}

}  // namespace scenarios_test
