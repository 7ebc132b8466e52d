// testbenches/tests/cosim/init_seeds_test.cpp: registers of routers in Verilog that the reset does
// not reach.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/init_seeds.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/cosim/random_networks.hpp"
#include "testbenches/tests/instrumented.hpp"

namespace init_seeds_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

struct Compared {
  Results results;
  std::vector<std::uint64_t> different;  // seeds
};

/// Contention in every slot of a 3x3 grid.
Compared compare(const RouterDesign& design, const std::string& adapter) {
  const Job job = Job::read(
      Scenario::parse(fmt::format(
          "scenario: seeds\ntopology: {{kind: {}, shape: [3, 3]}}\n"
          "channel: {{vcs: {}, buffer: 4 flit, handshake: {}}}\n"
          "router: {{kind: verilated, model: {}, adapter: {}}}\nnode: {{ports: {}}}\n"
          "traffic: {{rate: 0.5 flit/node/cycle, packet: 4 flit, warmup: 10 cycle, measure: 300 "
          "cycle}}\n",
          design.torus ? "torus" : "mesh", design.vcs,
          design.handshake == Handshake::credit ? "credit" : "ready_valid", design.name, adapter,
          design.local_ports)),
      standard_catalog());
  const Plan plan = Plan::make(job);
  check_init_seeds(job, false);
  Compared compared;
  compared.results = simulate(job, plan, {});
  const std::uint64_t fingerprint = compared.results.fingerprint;
  compare_init_seeds(
      job, 8, compared.results.outcome,
      [&](const Job& other) {
        const Results results = simulate(other, plan, {});
        if (results.fingerprint != fingerprint) compared.different.push_back(other.top.init_seed);
        return results;
      },
      compared.results);
  return compared;
}

}  // namespace

TEST_CASE("the wormhole router in Verilog does not depend on the initial values of registers",
          "[cosim]") {
  const std::vector<const RouterDesign*> designs = wormhole_designs();
  REQUIRE(!designs.empty());
  for (const RouterDesign* design : designs)
    for (const std::string adapter : {"evaluated", "pins"}) {
      if (instrumented && adapter == "pins") continue;
      INFO(design->name << ", " << adapter);
      const Compared compared = compare(*design, adapter);
      CHECK(compared.results.message == "");
      CHECK(compared.results.outcome == Outcome::complete);
      REQUIRE(!compared.results.lines.empty());
      CHECK(compared.results.lines.back() == "init_seed 1 .. 8: 8 runs with equal fingerprints");
    }
}

TEST_CASE("a register in Verilog that the reset does not reach is found, and the seeds are named",
          "[cosim]") {
  const RouterDesign* design = RouterDesigns::find("turns_without_reset");
  REQUIRE(design != nullptr);
  for (const std::string adapter : {"evaluated", "pins"}) {
    INFO(adapter);
    const Compared compared = compare(*design, adapter);
    INFO(compared.results.message);
    CHECK(compared.results.outcome == Outcome::failed_expectation);
    CHECK(!compared.different.empty());
    CHECK(compared.results.message.find(fmt::format(
              "{} of 8 runs differ from that with init_seed 1, ", compared.different.size())) == 0);
    CHECK(compared.results.message.find("a register keeps its initial value through the reset") !=
          std::string::npos);
    for (const std::uint64_t seed : compared.different)
      CHECK(compared.results.message.find(fmt::format("\n  init_seed {}: ", seed)) !=
            std::string::npos);
  }
}

}  // namespace init_seeds_test
