// testbenches/tests/cosim/gated_test.cpp: routers in Verilog that are clocked only when needed.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>

#include "routers/verilated/design_use.hpp"
#include "testbenches/run/run_variants.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/cosim/counted_design.hpp"

namespace gated_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

struct Use {
  std::string model;
  std::string adapter;
  std::string scheduling = "batched";
};

struct Run {
  Results results;
  std::vector<PinCounts> counts;
};

/// In every slot of a 4x4 mesh. `load`: sections of the job.
Run run(const Use& use, bool gated, const std::string& load) {
  const RouterDesign& design = *RouterDesigns::find(use.model);
  const CountedDesign counted(use.model);
  Run run;
  run.results =
      simulate(Scenario::parse(fmt::format(
                   "scenario: gated\ntopology: {{kind: mesh, shape: [4, 4]}}\n"
                   "clock: {{scheduling: {}}}\n"
                   "channel: {{width: 8 B, vcs: {}, buffer: 4 flit, handshake: {}}}\n"
                   "router: {{kind: verilated, model: {}, adapter: {}, gated: {}}}\n{}"
                   "observe: [{{kind: latency, packets: true}}, {{kind: channel_load}}]\n",
                   use.scheduling, design.vcs,
                   design.handshake == Handshake::credit ? "credit" : "ready_valid", counted.name(),
                   use.adapter, gated, load)),
               standard_catalog(), CountedDesign::options());
  run.counts = CountedDesign::counts(run.results);
  run.results.tables.erase("pins");
  return run;
}

std::int64_t edges(const Run& run) {
  std::int64_t sum = 0;
  for (const PinCounts& counts : run.counts) sum += counts.edges;
  return sum;
}

const std::string low_load =
    "traffic: {rate: 0.005 flit/node/cycle, packet: 3 flit, warmup: 50 cycle, measure: 2000 "
    "cycle}\n";

}  // namespace

TEST_CASE("gated routers in Verilog give equal results at a low load with fewer clock edges",
          "[cosim]") {
  const std::string model = GENERATE(as<std::string>{}, "wormhole_1vc", "wormhole_pipelined_2vc",
                                     "wormhole_ready_valid_1vc", "wormhole_ready_valid_2vc");
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  const std::string scheduling = GENERATE(as<std::string>{}, "batched", "per_module");
  CAPTURE(model, adapter, scheduling);
  const Run always = run({model, adapter, scheduling}, false, low_load);
  const Run gated = run({model, adapter, scheduling}, true, low_load);
  REQUIRE(always.results.message == "");
  REQUIRE(always.results.value("latency.packets") > 20);
  CHECK(difference(gated.results, always.results) == "");

  REQUIRE(always.counts.size() == 16);
  REQUIRE(gated.counts.size() == 16);
  for (std::size_t node = 0; node < 16; ++node) {
    INFO("node " << node);
    CHECK(always.counts[node].edges >= always.results.cycles);
    CHECK(gated.counts[node].edges < always.counts[node].edges);
  }
  CHECK(edges(gated) < edges(always) / 2);
}

TEST_CASE("a gated router that no packet visits is clocked until it is at rest, and no longer",
          "[cosim]") {
  const std::string message =
      "operation: {kind: unicast, source: [0, 0], destination: [3, 0], message: 512 B}\n"
      "algorithm: {kind: separate}\nnode: {send_overhead: 100 cycle, receive_overhead: 100 "
      "cycle}\n";
  for (const std::string adapter : {"evaluated", "pins"}) {
    INFO(adapter);
    const Run gated = run({"wormhole_1vc", adapter}, true, message);
    CHECK(gated.results.message == "");
    REQUIRE(gated.counts.size() == 16);
    for (std::size_t node = 0; node < 16; ++node) {
      INFO("node " << node);
      const std::int64_t edges = gated.counts[node].edges;
      if (node < 4) {
        CHECK(edges > 64);  // a flit each cycle
      } else {
        CHECK(edges >= 1);  // in reset
        CHECK(edges <= DesignUse::cycles_to_rest + 2);
      }
    }
  }
}

}  // namespace gated_test
