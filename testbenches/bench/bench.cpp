// testbenches/bench/bench.cpp: the program behind tools/bench: one table of what simulating costs.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "flitwave/testbenches/bench/measure.hpp"

using namespace flitwave;
using namespace flitwave::bench;

/// SystemC's library wants one; the program has a main of its own.
extern "C" int sc_main(int, char**) { return 0; }

namespace {

struct Settings {
  int rounds = 5;
  std::string only;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// A mesh under uniform load: 4-flit packets, buffers of 4 flits, two cycles for each router.
Scenario load(int extent, int vcs, double rate, int cycles) {
  return Scenario::parse(fmt::format(R"(scenario: mesh_{0}x{0}
topology: {{kind: mesh, shape: [{0}, {0}]}}
channel: {{vcs: {1}, buffer: 4 flit}}
router: {{kind: wormhole, route_delay: 0 cycle, vc_delay: 0 cycle, switch_delay: 1 cycle, traversal_delay: 0 cycle}}
traffic: {{rate: {2} flit/node/cycle, packet: 4 flit, warmup: 1000 cycle, measure: {3} cycle, drain: 1000 cycle}}
observe: [{{kind: latency}}]
)",
                                     extent, vcs, rate, cycles));
}

/// Both in turn, so that what disturbs the machine disturbs both.
void bench_load(int extent, int vcs, double rate, const Settings& settings) {
  const std::string name = fmt::format("{0}x{0} {1} vc {2}", extent, vcs, rate);
  if (name.find(settings.only) == std::string::npos) return;
  const int cycles = 20000 * 64 / (extent * extent) * (rate < 0.05 ? 4 : 1);
  const Scenario scenario = load(extent, vcs, rate, cycles);
  std::vector<double> network;
  std::vector<double> loop;
  std::vector<double> ratio;
  bool equal = true;
  Measurement last;
  for (int round = 0; round < settings.rounds; ++round) {
    last = measure_network(scenario);
    const Measurement plain = measure_loop(scenario);
    network.push_back(last.run);
    loop.push_back(plain.run);
    ratio.push_back(plain.run / last.run);
    equal = equal && last.fingerprint == plain.fingerprint && last.latency == plain.latency;
  }
  fmt::print("{:>7} {:>4} {:>6} {:>8} {:>10} {:>9.3f} {:>9.3f} {:>7.2f} {}\n",
             fmt::format("{0}x{0}", extent), vcs, rate, last.cycles, last.transits, median(network),
             median(loop), median(ratio), equal ? "equal" : "DIFFERENT");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Times simulations beside a plain loop of the same network.", "tools/bench");
  Settings settings;
  program.add_option("--rounds", settings.rounds, "how often everything is measured")
      ->check(CLI::PositiveNumber);
  program.add_option("--only", settings.only, "rows whose name holds this text");
  CLI11_PARSE(program, argc, argv);
  for (int extent : {8, 16, 32})
    for (int vcs : {1, 4})
      for (double rate : {0.0, 0.01, 0.05, 0.1, 0.2}) bench_load(extent, vcs, rate, settings);
}
