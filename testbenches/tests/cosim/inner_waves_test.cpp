// testbenches/tests/cosim/inner_waves_test.cpp: the signals inside routers in Verilog in the wave
// of the network.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace inner_waves_test {

using namespace flitwave;
using test::ScratchFolder;

namespace {

constexpr std::int64_t period = 1000;  // ps
constexpr int depth = 4;               // of wormhole_1vc

struct Run {
  Results results;
  Vcd wave;
};

/// The waves have no clock, which runs until the last change of any other signal.
Run run(const std::string& adapter, const std::string& scheduling, bool with_inner = true) {
  const ScratchFolder folder;
  SimulateOptions options;
  options.wave_path = folder.path("wave.vcd");
  const Scenario job = Scenario::parse(fmt::format(
      "scenario: inner\nclock: {{period: 1 ns, scheduling: {}}}\n"
      "topology: {{kind: mesh, shape: [3, 3]}}\n"
      "channel: {{buffer: 4 flit}}\n"
      "router: {{kind: wormhole, preset: single_cycle, at: [{{nodes: [[1, 1]], kind: verilated, "
      "model: wormhole_1vc, adapter: {}}}]}}\n"
      "traffic: {{packet: 3 flit, rate: 0.3 flit/node/cycle, warmup: 20 cycle, measure: 300 "
      "cycle}}\n"
      "wave: {{clock: false, {}select: [\"*\"]}}\n",
      scheduling, adapter, with_inner ? "routers: [[1, 1]], " : ""));
  Run made{simulate(job, standard_catalog(), options), {}};
  if (folder.has("wave.vcd")) made.wave = read_vcd(options.wave_path);
  return made;
}

const std::string tile = "testbench.netlist.tile_1_1.";
const std::string core = tile + "router_1_1.wormhole_credit.";

/// The wires of an output and an input of the router by the number of the port.
std::string channel_out(int port) {
  const char* const others[] = {"2_1", "0_1", "1_2", "1_0"};
  return port == 4 ? "ejection_1_1" : fmt::format("channel_1_1_to_{}", others[port]);
}
std::string channel_in(int port) {
  const char* const others[] = {"2_1", "0_1", "1_2", "1_0"};
  return port == 4 ? "injection_1_1" : fmt::format("channel_{}_to_1_1", others[port]);
}
const VcdSignal& wire(const Vcd& wave, const std::string& channel, const std::string& name) {
  for (const auto& [full, signal] : wave.signals)
    if (full.size() > channel.size() + name.size() + 2 &&
        full.substr(full.size() - channel.size() - name.size() - 2) == "." + channel + "." + name)
      return signal;
  throw VcdError("there is no signal " + channel + "." + name);
}

}  // namespace

TEST_CASE("counters inside a router in Verilog follow from the wires around it", "[cosim]") {
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  const std::string scheduling = GENERATE(as<std::string>{}, "batched", "per_module");
  CAPTURE(adapter, scheduling);
  const Run made = run(adapter, scheduling);
  INFO(made.results.message);
  REQUIRE(made.results.outcome == Outcome::complete);
  const Vcd& wave = made.wave;

  // Before the edge of a cycle both adapters have evaluated the logic with the wires of the cycle.
  const std::int64_t settled = period - 1;
  std::uint64_t most = 0;
  for (int port = 0; port < 5; ++port) {
    const VcdSignal& credits =
        wave.signal(core + fmt::format("port[{}].credit_output.vc[0].credits", port));
    const VcdSignal& count =
        wave.signal(core + fmt::format("core.in_port[{}].in_vc[0].queue.buffer.count", port));
    const VcdSignal& put = wave.signal(core + fmt::format("core.in_port[{}].in_vc[0].put", port));
    std::int64_t used = 0;
    std::int64_t inside = 0;
    for (std::int64_t cycle = 1; cycle < 300; ++cycle) {
      CAPTURE(port, cycle);
      const std::int64_t time = cycle * period + settled;
      const std::int64_t before = time - period;
      // A flit is on the wires a cycle after its credit was used; a credit counts a cycle later.
      used += static_cast<std::int64_t>(wire(wave, channel_out(port), "valid").number(time));
      used -= static_cast<std::int64_t>(wire(wave, channel_out(port), "credit").number(before));
      CHECK(credits.number(time) == static_cast<std::uint64_t>(depth - used));
      // A flit enters at the edge after it was on the wires; its credit is sent when it has left.
      inside += static_cast<std::int64_t>(wire(wave, channel_in(port), "valid").number(before));
      inside -= static_cast<std::int64_t>(wire(wave, channel_in(port), "credit").number(time));
      CHECK(count.number(time) == static_cast<std::uint64_t>(inside));
      most = std::max(most, count.number(time));
      // A wire of the logic: it has no register.
      CHECK(put.number(time) == wire(wave, channel_in(port), "valid").number(time));
    }
  }
  CHECK(most > 1);
}

TEST_CASE("the signals inside a router in Verilog are the same under both schedulings", "[cosim]") {
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  const Run batched = run(adapter, "batched");
  REQUIRE(batched.wave.signals.size() > 500);
  CHECK(difference(batched.wave, run(adapter, "per_module").wave) == "");
}

TEST_CASE("observing the signals inside a router in Verilog changes no result", "[cosim]") {
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  const Run with = run(adapter, "batched");
  const Run without = run(adapter, "batched", false);
  CHECK(with.results.fingerprint == without.results.fingerprint);
  for (const auto& [name, signal] : without.wave.signals) {
    CAPTURE(name);
    CHECK(with.wave.signal(name).changes == signal.changes);
  }
}

}  // namespace inner_waves_test
