// testbenches/bench/bench.cpp: the program behind tools/bench: tables of what simulating costs.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/bench/measure.hpp"

using namespace flitwave;
using namespace flitwave::bench;

/// SystemC's library wants one; the program has a main of its own.
extern "C" int sc_main(int, char**) { return 0; }

namespace {

struct Settings {
  int rounds = 5;
  std::string only;

  bool wants(const std::string& row) const { return row.find(only) != std::string::npos; }
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
router: {{kind: wormhole, route_delay: 0 cycle, vc_delay: 0 cycle, switch_delay: 1 cycle,
         traversal_delay: 0 cycle}}
traffic: {{rate: {2} flit/node/cycle, packet: 4 flit, warmup: 1000 cycle, measure: {3} cycle,
          drain: 1000 cycle}}
observe: [{{kind: latency}}]
)",
                                     extent, vcs, rate, cycles));
}

/// The share of the plain loop's speed that is asked for; 0 where none is.
double required(int extent, int vcs, double rate) {
  if (vcs == 1 && rate <= 0.01) return 1;
  if (rate != 0.1 || extent > 16) return 0;
  return vcs == 1 ? 0.5 : 1.0 / 3;
}

/// Whether two measurements are of the same simulation.
bool same(const Measurement& a, const Measurement& b) {
  return a.fingerprint == b.fingerprint && a.transits == b.transits && a.latency == b.latency;
}

/// Both in turn, so that what disturbs the machine disturbs both. Returns: whether all is well.
bool bench_load(int extent, int vcs, double rate, const Settings& settings) {
  const std::string name = fmt::format("{0}x{0}, {1} vc, {2}", extent, vcs, rate);
  if (!settings.wants(name)) return true;
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
    network.push_back(1e3 * last.run);
    loop.push_back(1e3 * plain.run);
    ratio.push_back(plain.run / std::max(last.run, 1e-6));
    equal = equal && same(last, plain);
  }
  const double bar = required(extent, vcs, rate);
  fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.2f} | {} | {} |\n", name, last.cycles,
             last.transits, median(network), median(loop), median(ratio),
             bar == 0 ? "" : fmt::format("{:.2f}", bar), equal ? "equal" : "DIFFERENT");
  std::fflush(stdout);
  return equal && median(ratio) >= bar;
}

bool bench_loads(const Settings& settings) {
  fmt::print(
      "Uniform load on a mesh: 4-flit packets, buffers of 4 flits, wormhole, two cycles per "
      "router; "
      "flit/node/cycle\n\n"
      "| network, virtual channels, load | cycles | transits | Flitwave, CPU ms | plain loop, CPU "
      "ms | share of the plain loop's speed | asked for | results |\n|---|---|---|---|---|---|---|"
      "---|\n");
  bool well = true;
  for (int extent : {8, 16, 32})
    for (int vcs : {1, 4})
      for (double rate : {0.0, 0.01, 0.05, 0.1, 0.2})
        well = bench_load(extent, vcs, rate, settings) && well;
  return well;
}

void bench_elaboration(const Settings& settings) {
  fmt::print(
      "\nFrom a job to the first cycle, one virtual channel\n\n"
      "| network | CPU s | MiB |\n|---|---|---|\n");
  for (int extent : {32, 64, 128}) {
    const std::string name = fmt::format("elaboration {0}x{0}", extent);
    if (!settings.wants(name)) continue;
    std::vector<double> times;
    double memory = 0;
    for (int round = 0; round < std::min(settings.rounds, 3); ++round) {
      const Measurement measured = measure_network(load(extent, 1, 0.01, 1));
      times.push_back(measured.elaboration);
      memory = measured.memory;
    }
    fmt::print("| {} | {:.2f} | {:.0f} |\n", name, median(times), memory);
    std::fflush(stdout);
  }
}

void bench_waves(const Settings& settings) {
  fmt::print(
      "\nA VCD of all channels, 8x8, one virtual channel, 20000 cycles at 0.1\n\n"
      "| | CPU ms | times as long |\n|---|---|---|\n");
  if (!settings.wants("waves")) return;
  const Scenario scenario = load(8, 1, 0.1, 20000);
  const std::string file =
      (std::filesystem::temp_directory_path() / fmt::format("flitwave_bench_{}.vcd", getpid()))
          .string();
  std::vector<double> without;
  std::vector<double> with;
  std::vector<double> ratio;
  for (int round = 0; round < settings.rounds; ++round) {
    without.push_back(1e3 * measure_network(scenario).run);
    with.push_back(1e3 * measure_network(scenario.with("wave", "{select: ['*']}"), file).run);
    ratio.push_back(with.back() / without.back());
  }
  std::filesystem::remove(file);
  fmt::print("| without | {:.0f} | |\n| with | {:.0f} | {:.2f} |\n", median(without), median(with),
             median(ratio));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program(
      "Times simulations, those of a load beside a plain loop of the same network.\n"
      "Exit codes: 0 all is well, 1 results differ or a share is below what is asked for, 5 "
      "system.",
      "tools/bench");
  Settings settings;
  program.add_option("--rounds", settings.rounds, "how often everything is measured")
      ->check(CLI::PositiveNumber);
  program.add_option("--only", settings.only, "rows whose name holds this text, e.g. '8x8, 1 vc'");
  CLI11_PARSE(program, argc, argv);
  try {
    const bool well = bench_loads(settings);
    bench_elaboration(settings);
    bench_waves(settings);
    return well ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tools/bench: {}\n", error.what());
    return 5;  // NOLINT: the code of system failures
  }
}
