// testbenches/tests/cosim/collectives_test.cpp: collective operations through 64 routers in
// Verilog, with all flits and credits accounted for.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>

#include "testbenches/run/run_variants.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/cosim/counted_design.hpp"

namespace collectives_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr int nodes = 64;
constexpr int flits = 8;  // of each message: 64 B on channels of 8 B
constexpr int root = 2;   // [2, 0]; dimension 0 varies fastest

Scenario job(int ports, const std::string& operation) {
  return Scenario::parse(fmt::format(
      "scenario: collectives\ntopology: {{kind: mesh, shape: [8, 8]}}\n"
      "channel: {{width: 8 B, buffer: 4 flit}}\nrouter: {{kind: wormhole, preset: single_cycle}}\n"
      "node: {{ports: {}, send_overhead: 20 cycle, receive_overhead: 20 cycle}}\n{}"
      "observe: [{{kind: steps}}, {{kind: latency, packets: true}}, {{kind: channel_load}}]\n",
      ports, operation));
}

const std::string edn =
    "operation: {kind: broadcast, root: [2, 0], message: 64 B}\nalgorithm: {kind: edn}\n";
const std::string partitioned =
    "operation: {kind: multicasts, count: 16, placement: distinct, destinations: 20, message: 64 "
    "B}\nalgorithm: {kind: partitioned, h: 2, type: I, phase1: balanced}\n";
const std::string u_mesh =
    "operation: {kind: multicasts, count: 16, placement: distinct, destinations: 20, message: 64 "
    "B}\nalgorithm: {kind: recursive_doubling}\n";

Scenario in_verilog(const Scenario& job, const std::string& model, const std::string& adapter) {
  return job.with("router",
                  fmt::format("{{kind: verilated, model: {}, adapter: {}}}", model, adapter));
}

/// Runs the job with this model in all slots, compares it with the routers in C++, and checks that
/// each router has sent what it received, with a credit for each flit.
std::vector<PinCounts> balanced_counts(const Scenario& job, const std::string& model) {
  const Results expected = simulate(job);
  CHECK(expected.message == "");
  CHECK(expected.outcome == Outcome::complete);
  const Results pins = simulate(in_verilog(job, model, "pins"));
  CHECK(difference(pins, expected) == "");

  const CountedDesign counted(model);
  Results results = simulate(in_verilog(job, counted.name(), "evaluated"), standard_catalog(),
                             CountedDesign::options());
  const std::vector<PinCounts> counts = CountedDesign::counts(results);
  results.tables.erase("pins");
  CHECK(difference(results, expected) == "");
  REQUIRE(counts.size() == nodes);
  for (std::size_t node = 0; node < counts.size(); ++node) {
    INFO("router of node " << node);
    CHECK(counts[node].flits_out == counts[node].flits_in);
    CHECK(counts[node].returned == counts[node].flits_in);
    CHECK(counts[node].received == counts[node].flits_out);
  }
  return counts;
}

std::int64_t delivered(const std::vector<PinCounts>& counts) {
  std::int64_t sum = 0;
  for (const PinCounts& of_one : counts) sum += of_one.delivered;
  return sum;
}

}  // namespace

TEST_CASE("an EDN broadcast through 64 routers in Verilog delivers a message to every other node",
          "[cosim]") {
  const std::vector<PinCounts> counts = balanced_counts(job(3, edn), "wormhole_1vc_three_ports");
  for (int node = 0; node < nodes; ++node) {
    INFO("node " << node);
    CHECK(counts[static_cast<std::size_t>(node)].delivered == (node == root ? 0 : flits));
  }
}

TEST_CASE("partitioned multicasts through 64 routers in Verilog equal those through routers in C++",
          "[cosim]") {
  const Scenario multicasts = job(1, partitioned);
  // Nodes of the distributing networks forward what they do not keep.
  CHECK(delivered(balanced_counts(multicasts, "wormhole_1vc")) >= 16 * 20 * flits);
}

TEST_CASE("U-mesh multicasts through 64 routers in Verilog deliver a message per destination",
          "[cosim]") {
  for (const std::string model : {"wormhole_4vc", "wormhole_pipelined_2vc"}) {
    Scenario multicasts = job(1, u_mesh).with("channel.vcs", model == "wormhole_4vc" ? "4" : "2");
    if (model == "wormhole_pipelined_2vc")
      multicasts = multicasts.with("router", "{kind: wormhole, preset: pipelined}");
    INFO(model);
    CHECK(delivered(balanced_counts(multicasts, model)) == 16 * 20 * flits);
  }
}

}  // namespace collectives_test
