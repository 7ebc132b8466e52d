// testbenches/tests/timed/waves/channel_state_test.cpp: a wave shows why channels carry nothing,
// derived by hand for few packets.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <string>
#include <vector>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace channel_state_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// A line of nodes, routers of one cycle, and messages listed as CYCLE SOURCE DESTINATION FLITS.
Scenario line(int nodes, const std::string& channel, const std::string& trace) {
  return Scenario::parse(
      "scenario: line\n"
      "topology: {kind: mesh, shape: [" +
      std::to_string(nodes) +
      "]}\n"
      "router: {kind: wormhole, preset: single_cycle}\n"
      "node: {send_overhead: 0 cycle, receive_overhead: 0 cycle}\n"
      "wave: {}\n"
      "channel: " +
      channel + "\ntrace: {file: \"" + trace + "\"}\n");
}

Vcd wave_of(const Scenario& job, const ScratchFolder& folder) {
  SimulateOptions options;
  options.wave_path = folder.path("wave.vcd");
  const Results results = simulate(job, standard_catalog(), options);
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  return read_vcd(options.wave_path);
}

/// The states of a channel from its first flit to its last, a letter per cycle: idle, waiting for a
/// virtual channel, no credit, lost arbitration, pipeline, moving.
std::string states(const Vcd& wave, const std::string& channel) {
  std::string letters;
  for (std::int64_t time = 0; time <= wave.end; time += 1000)
    letters += "iwclpm"[wave.signal("testbench.netlist." + channel + ".state").number(time)];
  const std::size_t first = letters.find('m');
  return letters.substr(first, letters.rfind('m') + 1 - first);
}

}  // namespace

TEST_CASE("a channel without a credit is shown as such until the credit returns", "[timed]") {
  const ScratchFolder folder;
  const std::string trace = folder.path("trace.txt");
  std::ofstream(trace) << "5 0 1 4\n";
  const Vcd wave = wave_of(line(2, "{buffer: 1 flit, latency: 2 cycle}", trace), folder);

  // The credit of the only slot returns four cycles after its flit was sent. The next flit arrives
  // two cycles after it, because the interface has its own credit two cycles after a flit was sent.
  CHECK(states(wave, "tile_0.channel_0_to_1") == "miccmiccmiccm");
  // The router sends the first flit at once, and the next when a credit has returned.
  CHECK(states(wave, "tile_0.injection_0") == "mcmcccmcccm");
}

TEST_CASE("a head that waits for a virtual channel is shown while its holder has no flits",
          "[timed]") {
  const ScratchFolder folder;
  const std::string trace = folder.path("trace.txt");
  std::ofstream(trace) << "5 0 2 4\n9 1 2 1\n";
  const Vcd wave = wave_of(line(3, "{buffer: 1 flit, latency: 2 cycle}", trace), folder);

  // The flits of the first packet arrive every four cycles. From the second cycle after the first
  // one on, the head of the other packet waits; it has the virtual channel after the tail, but the
  // credit returns later.
  CHECK(states(wave, "tile_1.channel_1_to_2") == "miwwmwwwmwwwmcccm");
  const VcdSignal& owner = wave.signal("testbench.netlist.tile_1.router_1.output_0.owner");
  std::string owners;
  for (const VcdSignal::Change& change : owner.changes) owners += change.value + " ";
  CHECK(owners == "s- s0#0 s- s1#0 s- ");
}

TEST_CASE(
    "where a channel has lost arbitration, its router has sent a flit on another channel in that "
    "cycle",
    "[timed]") {
  for (const std::string router : {"wormhole", "path_multicast"}) {
    INFO(router);
    const ScratchFolder folder;
    const Vcd wave = wave_of(Scenario::parse(R"(
scenario: loaded
topology: {kind: mesh, shape: [3, 3]}
routing: {kind: dimension_order}
router: {kind: )" + router + R"(, preset: single_cycle}
channel: {vcs: 2, buffer: 4 flit}
traffic: {rate: 0.6 flit/node/cycle, packet: 4 flit, warmup: 0 cycle, measure: 300 cycle}
wave: {select: ["*1_1*"]}
)"),
                             folder);
    const auto state = [&](const std::string& channel, std::int64_t time) {
      return wave.signal("testbench.netlist.tile_1_1." + channel + ".state").number(time);
    };
    const std::vector<std::string> outputs = {"channel_1_1_to_0_1", "channel_1_1_to_2_1",
                                              "channel_1_1_to_1_0", "channel_1_1_to_1_2",
                                              "ejection_1_1"};
    int losses = 0;
    for (std::int64_t time = 0; time <= wave.end; time += 1000) {
      int lost = 0;
      int moving = 0;
      for (const std::string& output : outputs) {
        lost += state(output, time) == 3 ? 1 : 0;
        moving += state(output, time) == 5 ? 1 : 0;
      }
      losses += lost;
      if (lost > 0 && moving == 0) FAIL("no other flit moves at " << time);
    }
    CHECK(losses > 10);
  }
}

}  // namespace channel_state_test
