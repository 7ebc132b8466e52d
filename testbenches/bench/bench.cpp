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
#include "flitwave/testbenches/bench/recorded.hpp"

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

struct Row {
  Measurement last;    // of the network
  double network = 0;  // CPU time. Unit: ms
  double loop = 0;
  double share = 0;   // of the loop's speed
  bool equal = true;  // both found the same
};

/// Both in turn, so that what disturbs the machine disturbs both.
Row measure_both(const Scenario& network, const Scenario& loop, int rounds) {
  std::vector<double> mine;
  std::vector<double> plain;
  std::vector<double> share;
  Row row;
  for (int round = 0; round < rounds; ++round) {
    row.last = measure_network(network);
    const Measurement other = measure_loop(loop);
    mine.push_back(1e3 * row.last.run);
    plain.push_back(1e3 * other.run);
    share.push_back(other.run / std::max(row.last.run, 1e-6));
    row.equal = row.equal && same(row.last, other);
  }
  row.network = median(mine);
  row.loop = median(plain);
  row.share = median(share);
  return row;
}

constexpr const char* row_head =
    "| network | cycles | transits | Flitwave, CPU ms | plain loop, CPU ms | share of the plain "
    "loop's speed | asked for | results |\n|---|---|---|---|---|---|---|---|\n";

void print_row(const std::string& name, const Row& row, double bar) {
  fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.2f} | {} | {} |\n", name, row.last.cycles,
             row.last.transits, row.network, row.loop, row.share,
             bar == 0 ? "" : fmt::format("{:.2f}", bar), row.equal ? "equal" : "DIFFERENT");
  std::fflush(stdout);
}

std::string temporary(const std::string& ending) {
  return (std::filesystem::temp_directory_path() /
          fmt::format("flitwave_bench_{}.{}", getpid(), ending))
      .string();
}

/// Returns: whether all is well.
bool bench_load(int extent, int vcs, double rate, const Settings& settings) {
  const std::string name = fmt::format("{0}x{0}, {1} vc, {2}", extent, vcs, rate);
  if (!settings.wants(name)) return true;
  const int cycles = 20000 * 64 / (extent * extent) * (rate < 0.05 ? 4 : 1);
  const Scenario scenario = load(extent, vcs, rate, cycles);
  const Row row = measure_both(scenario, scenario, settings.rounds);
  const double bar = required(extent, vcs, rate);
  print_row(name, row, bar);
  return row.equal && row.share >= bar;
}

bool bench_loads(const Settings& settings) {
  fmt::print(
      "Uniform load on a mesh: 4-flit packets, buffers of 4 flits, wormhole, two cycles per "
      "router; virtual channels, flit/node/cycle\n\n{}",
      row_head);
  bool well = true;
  for (int extent : {8, 16, 32})
    for (int vcs : {1, 4})
      for (double rate : {0.0, 0.01, 0.05, 0.1, 0.2})
        well = bench_load(extent, vcs, rate, settings) && well;
  return well;
}

/// A broadcast with the figures of a message-passing machine: `start_up` us to start a message, 1
/// us for a flit. `trace`: empty when the network's processors run it, else the file of its
/// packets.
Scenario broadcast(int extent, const std::string& algorithm, int start_up,
                   const std::string& trace) {
  return Scenario::parse(
      fmt::format(R"(scenario: {1}_{0}x{0}
clock: {{period: 1 us}}
topology: {{kind: mesh, shape: [{0}, {0}]}}
channel: {{vcs: 1, buffer: 4 flit, width: 1 B}}
router: {{kind: wormhole, route_delay: 0 cycle, vc_delay: 0 cycle, switch_delay: 1 cycle,
         traversal_delay: 0 cycle}}
node: {{ports: {3}{4}}}
{2}
observe: [{{kind: latency}}]
)",
                  extent, algorithm,
                  trace.empty() ? "operation: {kind: broadcast, root: [1, 2], message: 64 "
                                  "B}\nalgorithm: {kind: " +
                                      algorithm + "}"
                                : "trace: {warmup: 0 cycle, file: " + trace + "}",
                  algorithm == "edn" ? "all" : "1",
                  trace.empty() ? fmt::format(", send_overhead: {} us", start_up) : ""));
}

/// The collective on the network beside the plain loop under a trace of its packets.
bool bench_broadcast(int extent, const std::string& algorithm, int start_up,
                     const Settings& settings) {
  const std::string name = fmt::format("{1} {0}x{0}, start-up {2}", extent, algorithm, start_up);
  if (!settings.wants(name)) return true;
  const std::string trace = temporary("trace");
  record_trace(broadcast(extent, algorithm, start_up, ""), trace);
  const Scenario network = broadcast(extent, algorithm, start_up, "");
  const Scenario loop = broadcast(extent, algorithm, start_up, trace);
  const Row row = measure_both(network, loop, settings.rounds);
  std::filesystem::remove(trace);
  print_row(name, row, 0);
  return row.equal;
}

bool bench_broadcasts(const Settings& settings) {
  fmt::print(
      "\nA broadcast of 64 flits on a mesh, by the cycles that it takes to start a message; the "
      "loop "
      "has its packets from a trace\n\n{}",
      row_head);
  bool well = true;
  for (int extent : {8, 16, 32})
    for (const char* algorithm : {"edn", "recursive_doubling"})
      for (int start_up : {300, 30000})
        well = bench_broadcast(extent, algorithm, start_up, settings) && well;
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
  const std::string file = temporary("vcd");
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
    bool well = bench_loads(settings);
    well = bench_broadcasts(settings) && well;
    bench_elaboration(settings);
    bench_waves(settings);
    return well ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tools/bench: {}\n", error.what());
    return 5;  // NOLINT: the code of system failures
  }
}
