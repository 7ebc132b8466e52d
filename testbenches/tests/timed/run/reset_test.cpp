// testbenches/tests/timed/run/reset_test.cpp: a longer reset delays a run and changes no result.
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace reset_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr std::int64_t period = 1000;  // ps

/// A collective of messages of several packets, with software overheads and barriers.
const char* const broadcast =
    "scenario: t\ntopology: {kind: mesh, shape: [4, 4]}\n"
    "node: {send_overhead: 30 cycle, receive_overhead: 20 cycle, start_skew: 10 cycle}\n"
    "operation: {kind: broadcast, root: [1, 1], message: 512 B}\n"
    "algorithm: {kind: recursive_doubling}\npace: stepped\n"
    "observe: [{kind: phases}, {kind: step_times}]\n";
/// Circuits in time slots, which follow from the number of the cycle.
const char* const circuits =
    "scenario: t\ntopology: {kind: mesh, shape: [4, 4]}\n"
    "channel: {handshake: acknowledge, vcs: 3}\nrouter: {kind: circuit}\n"
    "traffic: {rate: 0.02 flit/node/cycle, packet: 8 flit, warmup: 50 cycle, measure: 500 cycle}\n"
    "observe: [{kind: latency, packets: true}]\n";
/// Routers whose blocks have a clock of their own.
const char* const blocks =
    "scenario: t\ntopology: {kind: hypercube, dimensions: 5}\n"
    "channel: {handshake: request, buffer: 64 flit}\n"
    "router: {kind: greedy_multicast, capacity: 6, selection: 10 cycle, detail: blocks}\n"
    "operation: {kind: multicast, source: 6, destinations: [7, 20, 29, 18, 1, 0], message: 32 B}\n"
    "algorithm: {kind: hardware_multicast}\nobserve: [{kind: latency, packets: true}]\n";

Scenario load(const char* handshake) {
  return uniform_traffic({{"channel", std::string("{vcs: 2, handshake: ") + handshake + "}"},
                          {"observe", "[{kind: latency, packets: true}, {kind: flit_log}]"}});
}

Scenario with_reset(const Scenario& job, int cycles) {
  return job.with("clock.reset", std::to_string(cycles) + " cycle");
}

/// The rising edges of the clock at which `reset` is high.
class ResetCounter final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ResetCounter);
  ResetCounter(const sc_core::sc_module_name& name, ClockDomain& domain)
      : sc_module(name), domain_(domain) {
    clk_(domain.clk());
    SC_METHOD(on_clock);
    sensitive << clk_.pos();
    dont_initialize();
  }

  int high = 0;
  int edges = 0;
  Cycle first = -1'000'000;      // cycle of the first edge
  Cycle last_high = -1'000'000;  // cycle of the last edge with reset

 private:
  void on_clock() {
    // By time: other processes of this delta cycle may run before that of the domain.
    const Cycle cycle = (picoseconds_now() - domain_.time_of_edge(0)) / period;
    if (edges++ == 0) first = cycle;
    if (!domain_.reset.read()) return;
    ++high;
    last_high = cycle;
  }

  ClockDomain& domain_;
  sc_core::sc_in<bool> clk_;
};

}  // namespace

TEST_CASE("a longer reset changes no result under any scheduling or build order", "[timed]") {
  const std::string name = GENERATE(as<std::string>{}, "credit", "ready_valid", "requests",
                                    "broadcast", "circuits", "blocks");
  const int reset = GENERATE(2, 8, 1000);
  if (instrumented && (reset != 8 || (name != "ready_valid" && name != "broadcast"))) return;
  CAPTURE(name, reset);
  Scenario job = load("credit");
  if (name == "ready_valid") job = load("ready_valid");
  if (name == "requests")
    job = load("credit").without("traffic").with(
        "requests",
        "{window: 2, request: 2 flit, reply: 4 flit, warmup: 20 cycle, "
        "measure: 300 cycle}");
  if (name == "broadcast") job = Scenario::parse(broadcast);
  if (name == "circuits") job = Scenario::parse(circuits);
  if (name == "blocks") job = Scenario::parse(blocks);

  const Results expected = simulate(job);
  INFO(expected.message);
  REQUIRE(expected.outcome == Outcome::complete);
  REQUIRE(expected.value("transits") > 20);
  CHECK(difference(simulate(with_reset(job, reset)), expected) == "");
  if (reset == 8) CHECK(difference_between(with_reset(job, reset), compared_variants()) == "");
}

TEST_CASE("the wire reset is high at as many rising edges as clock.reset says", "[timed]") {
  const int reset = GENERATE(1, 2, 8, 10'000);
  const std::string scheduling = GENERATE(as<std::string>{}, "batched", "per_module", "audit");
  SimulateOptions options;
  options.attach = [](Testbench& testbench) {
    const auto counter = std::make_shared<ResetCounter>("counter", testbench.domain());
    return [counter](Results& results) {
      results.add("high", counter->high, "");
      results.add("edges", counter->edges, "");
      results.add("first", static_cast<double>(counter->first), "");
      results.add("last_high", static_cast<double>(counter->last_high), "");
    };
  };
  const Results results =
      simulate(with_reset(load("credit"), reset).with("clock.scheduling", scheduling),
               standard_catalog(), options);
  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("high") == reset);
  CHECK(results.value("first") == 2 - reset);
  CHECK(results.value("last_high") == 1);
  // The run itself takes as many cycles as without.
  CHECK(results.value("edges") - reset >= static_cast<double>(results.cycles) - 1);
}

TEST_CASE("a wave of a longer reset is the same, later by the additional cycles", "[timed]") {
  const std::string scheduling = GENERATE(as<std::string>{}, "batched", "per_module");
  const std::int64_t delay = 7 * period;
  const ScratchFolder folder;
  const auto wave_of = [&](int reset, const std::string& wave) {
    SimulateOptions options;
    options.wave_path = folder.path("wave.vcd");
    const Results results = simulate(
        with_reset(load("credit"), reset).with("clock.scheduling", scheduling).with("wave", wave),
        standard_catalog(), options);
    REQUIRE(results.outcome == Outcome::complete);
    return read_vcd(options.wave_path);
  };

  const std::string wave = GENERATE(as<std::string>{}, "{clock: false}",
                                    "{clock: false, from: 100 cycle, until: 300 cycle}");
  CAPTURE(scheduling, wave);
  const Vcd shorter = wave_of(1, wave);
  Vcd longer = wave_of(8, wave);

  REQUIRE(shorter.signals.size() > 100);
  REQUIRE(longer.end == shorter.end + delay);
  std::size_t moved = 0;
  for (auto& [signal, history] : longer.signals)
    for (VcdSignal::Change& change : history.changes)
      if (change.time > 0) {
        change.time -= delay;
        ++moved;
      }
  CHECK(moved > 1'000);
  CHECK(difference(longer, shorter) == "");
}

TEST_CASE("an end by stop.limit is in the same cycle after a longer reset", "[timed]") {
  const Scenario job = load("credit").with("stop.limit", "150 cycle");
  const Results expected = simulate(job);
  REQUIRE(expected.outcome == Outcome::limit);
  CHECK(difference(simulate(with_reset(job, 500)), expected) == "");
}

}  // namespace reset_test
