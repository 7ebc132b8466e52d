// testbenches/bench/bench.cpp: the program behind tools/bench: tables of the cost of simulations.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "testbenches/bench/fidelity.hpp"
#include "testbenches/bench/measure.hpp"
#include "testbenches/bench/recorded.hpp"
#include "testbenches/bench/table.hpp"
#include "testbenches/bench/verilated_routers.hpp"
#include "testbenches/run/programs/command_line.hpp"

using namespace flitwave;
using namespace flitwave::bench;

/// SystemC's library requires this function; the program has its own main function.
extern "C" int sc_main(int, char**) { return 0; }

namespace {

constexpr double most_times_of_idling = 1.5;  // allows for the noise of two short runs
constexpr int judged_extent = 64;             // of the mesh whose elaboration has a limit
constexpr double most_elaboration = 2;        // Unit: s
constexpr double most_memory = 512;           // Unit: MiB

/// The required share of the plain loop's speed; 0: none.
double required(int extent, int vcs, double rate) {
  if (vcs == 1 && rate <= 0.01) return 1;
  if (rate != 0.1 || extent > 16) return 0;
  return vcs == 1 ? 0.5 : 1.0 / 3;
}

/// The speed of BookSim2 (commit 28f43299, -O3) with one virtual channel, 4-flit packets, buffers
/// of 4 and its shortest router, of three cycles. Unit: cycles per second of CPU time; 0: not
/// recorded
double recorded_of_peer(int extent, int vcs, double rate) {
  static const std::map<std::pair<int, double>, double> recorded{
      {{8, 0.01}, 95371}, {{8, 0.05}, 48971},  {{8, 0.1}, 29540},
      {{8, 0.2}, 13772},  {{16, 0.01}, 15596}, {{16, 0.05}, 4942},
      {{16, 0.1}, 3027},  {{32, 0.01}, 1822},  {{32, 0.05}, 344}};
  const auto found = recorded.find({extent, rate});
  return vcs == 1 && found != recorded.end() ? found->second : 0;
}

/// The differences between two measurements of the same simulation; empty when there are none.
std::string difference(const Measurement& network, const Measurement& loop) {
  std::string text;
  const auto compare = [&text](const char* what, auto mine, auto other) {
    if (mine != other) text += fmt::format(" {}: {} and {};", what, mine, other);
  };
  compare("fingerprint", network.fingerprint, loop.fingerprint);
  compare("cycles", network.cycles, loop.cycles);
  compare("transits", network.transits, loop.transits);
  compare("arrived", network.arrived, loop.arrived);
  compare("mean latency", network.latency, loop.latency);
  compare("median", network.median, loop.median);
  compare("p99", network.p99, loop.p99);
  compare("greatest", network.greatest, loop.greatest);
  return text;
}

struct Row {
  Measurement last;    // of the network
  double network = 0;  // CPU time. Unit: ms
  double loop = 0;
  double share = 0;        // of the loop's speed
  std::string difference;  // of the results
};

/// Measures both in turn, so that other load on the machine affects both.
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
    if (row.difference.empty()) row.difference = difference(row.last, other);
  }
  row.network = median(mine);
  row.loop = median(plain);
  row.share = median(share);
  return row;
}

std::string temporary(const std::string& ending) {
  return (std::filesystem::temp_directory_path() /
          fmt::format("flitwave_bench_{}.{}", getpid(), ending))
      .string();
}

/// A number, or nothing if there is none.
std::string cell(double figure, const char* form) {
  return figure == 0 ? "" : fmt::format(fmt::runtime(form), figure);
}

Line load_line(int extent, int vcs, double rate) {
  return {fmt::format("{0}x{0}, {1} vc, {2}", extent, vcs, rate),
          [=](const std::string& name, int rounds, Judge& judge) {
            const int cycles = 20000 * 64 / (extent * extent) * (rate < 0.05 ? 4 : 1);
            const Scenario scenario = load(extent, vcs, rate, cycles);
            const Row row = measure_both(scenario, scenario, rounds);
            const double bar = required(extent, vcs, rate);
            // Without a flit the last cycle with an event does not give the length of the run.
            const std::int64_t simulated = std::max<std::int64_t>(row.last.cycles, 1000 + cycles);
            fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.2f} | {} | {} | {} | {:.0f} | {} |\n",
                       name, simulated, row.last.transits, row.network, row.loop, row.share,
                       cell(bar, "{:.2f}"), bar == 0 ? "" : judge.bar(name, row.share >= bar),
                       judge.results(name, row.difference),
                       static_cast<double>(simulated) / row.network,
                       cell(1e-3 * recorded_of_peer(extent, vcs, rate), "{:.1f}"));
          }};
}

BenchTable loads() {
  BenchTable table{
      "Uniform load on a mesh: 4-flit packets, buffers of 4 flits, wormhole, two cycles per "
      "router; virtual channels, flit/node/cycle\n\n"
      "| network | cycles | transits | Flitwave, CPU ms | plain loop, CPU ms | share of the plain "
      "loop's speed | required | | results | Flitwave, cycles per CPU ms | BookSim2's, recorded "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|\n",
      {}};
  for (int extent : {8, 16, 32})
    for (int vcs : {1, 4})
      for (double rate : {0.0, 0.01, 0.05, 0.1, 0.2})
        table.lines.push_back(load_line(extent, vcs, rate));
  return table;
}

/// A broadcast with the times of a message-passing machine: `start_up` us to start a message, 1 us
/// per flit. `trace`: empty when the network's processors run the broadcast; otherwise the file of
/// its packets.
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

/// The collective on the network, and the plain loop under a trace of its packets.
Line broadcast_line(int extent, const std::string& algorithm, int start_up) {
  return {fmt::format("{1} {0}x{0}, start-up {2}", extent, algorithm, start_up),
          [=](const std::string& name, int rounds, Judge& judge) {
            const std::string trace = temporary("trace");
            const Scenario network = broadcast(extent, algorithm, start_up, "");
            record_trace(network, trace);
            const Row row =
                measure_both(network, broadcast(extent, algorithm, start_up, trace), rounds);
            std::filesystem::remove(trace);
            fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.2f} | {} |\n", name, row.last.cycles,
                       row.last.transits, row.network, row.loop, row.share,
                       judge.results(name, row.difference));
          }};
}

BenchTable broadcasts() {
  BenchTable table{
      "A broadcast of 64 flits on a mesh, by the start-up of a message in cycles; the "
      "loop has its packets from a trace\n\n"
      "| network | cycles | transits | Flitwave, CPU ms | plain loop, CPU ms | share of the plain "
      "loop's speed | results |\n|---|---|---|---|---|---|---|\n",
      {}};
  for (int extent : {8, 16, 32})
    for (const char* algorithm : {"edn", "recursive_doubling"})
      for (int start_up : {300, 30000})
        table.lines.push_back(broadcast_line(extent, algorithm, start_up));
  return table;
}

/// The cost of a hundred times as many idle cycles.
Line idling_line(int extent, const std::string& algorithm) {
  return {fmt::format("{1} {0}x{0}, idling", extent, algorithm),
          [=](const std::string& name, int rounds, Judge& judge) {
            const auto with = [&](int start_up) {
              return measure_network(broadcast(extent, algorithm, start_up, ""));
            };
            const Pair pair = in_turn(
                rounds, [&] { return with(300); }, [&] { return with(30000); });
            fmt::print("| {} | {:.1f} | {:.1f} | {:.2f} | {:.1f} | {} |\n", name, pair.first,
                       pair.second, pair.ratio, most_times_of_idling,
                       judge.bar(name, pair.ratio <= most_times_of_idling));
          }};
}

BenchTable idling() {
  BenchTable table{
      "The same broadcasts cost by their flits: with a start-up of 300 and of 30000 cycles\n\n"
      "| network | 300, CPU ms | 30000, CPU ms | times as long | required at most | |\n"
      "|---|---|---|---|---|---|\n",
      {}};
  for (int extent : {8, 16, 32})
    for (const char* algorithm : {"edn", "recursive_doubling"})
      table.lines.push_back(idling_line(extent, algorithm));
  return table;
}

Line elaboration_line(int extent) {
  return {fmt::format("elaboration {0}x{0}", extent),
          [=](const std::string& name, int rounds, Judge& judge) {
            std::vector<double> times;
            double memory = 0;
            for (int round = 0; round < std::min(rounds, 3); ++round) {
              const Measurement measured = measure_network(load(extent, 1, 0.01, 1));
              times.push_back(measured.elaboration);
              memory = measured.memory;
            }
            const double time = median(times);
            const bool judged = extent == judged_extent;
            fmt::print(
                "| {} | {:.2f} | {:.0f} | {} | {} |\n", name, time, memory,
                judged ? fmt::format("{:.0f} s, {:.0f} MiB", most_elaboration, most_memory) : "",
                judged ? judge.bar(name, time < most_elaboration && memory < most_memory) : "");
          }};
}

BenchTable elaborations() {
  BenchTable table{
      "From a job to the first cycle, one virtual channel\n\n"
      "| network | CPU s | MiB | required less than | |\n|---|---|---|---|---|\n",
      {}};
  for (int extent : {32, judged_extent, 128}) table.lines.push_back(elaboration_line(extent));
  return table;
}

/// A run with a wave against the same without. `wave`: its settings. `most`: times as long.
Line wave_line(const std::string& name, const std::string& wave, double most) {
  return {name, [=](const std::string& title, int rounds, Judge& judge) {
            const Scenario scenario = load(8, 1, 0.1, 20000);
            const std::string file = temporary("vcd");
            const Pair pair = in_turn(
                rounds, [&] { return measure_network(scenario); },
                [&] { return measure_network(scenario.with("wave", wave), file); });
            std::filesystem::remove(file);
            fmt::print("| {} | {:.0f} | {:.0f} | {:.2f} | {:.1f} | {} |\n", title, pair.first,
                       pair.second, pair.ratio, most, judge.bar(title, pair.ratio <= most));
          }};
}

BenchTable waves() {
  return {
      "A VCD of all channels, 8x8, one virtual channel, 20000 cycles at 0.1\n\n"
      "| | without, CPU ms | with, CPU ms | times as long | required at most | |\n"
      "|---|---|---|---|---|---|\n",
      {wave_line("waves, flits and credits", "{clock: false, states: false, buffers: false}", 1.7),
       wave_line("waves, all signals", "{}", 3)}};
}

std::vector<BenchTable> all_tables() {
  return {loads(), broadcasts(), idling(), elaborations(), waves(), verilated_routers()};
}

/// Keeps the rows whose name contains `part`.
/// Throws: ConfigError when there is none.
std::vector<BenchTable> tables_with(const std::string& part, std::vector<BenchTable> tables) {
  std::string names;
  bool any = false;
  for (BenchTable& table : tables) {
    for (const Line& line : table.lines) names += (names.empty() ? "" : "; ") + line.name;
    const auto other = [&](const Line& line) { return line.name.find(part) == std::string::npos; };
    table.lines.erase(std::remove_if(table.lines.begin(), table.lines.end(), other),
                      table.lines.end());
    any = any || !table.lines.empty();
  }
  if (!any)
    throw ConfigError("--only", fmt::format("no row's name contains `{}`", part),
                      "name a part of one of: " + names);
  return tables;
}

/// Returns: the exit code.
int measure(const std::vector<BenchTable>& tables, int rounds) {
  Judge judge;
  for (const BenchTable& table : tables) {
    if (table.lines.empty()) continue;
    fmt::print("{}", table.head);
    for (const Line& line : table.lines) {
      line.print(line.name, rounds, judge);
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
  for (const std::string& fault : judge.faults()) fmt::print("requirement not met: {}\n", fault);
  return judge.faults().empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 5;
  std::string only;
  bool fidelity = false;
  const Command program = {
      "tools/bench",
      "Times simulations, those of a load in comparison with a plain loop of the same network.\n"
      "Exit codes: 0 success, 1 results differ or a requirement is not met, 2 "
      "wrong arguments, 5 system.",
      {Option("--rounds", &rounds, "number of measurements").positive(),
       {"--only", &only, "rows whose name contains this text, e.g. '8x8, 1 vc'"},
       {"--fidelity", &fidelity,
        "compare jobs at transaction fidelity with signal fidelity: latencies and speed"}},
      [&] {
        return measure(tables_with(only, fidelity ? fidelity_tables() : all_tables()), rounds);
      },
      {}};
  try {
    return read_command_line(program, argc, argv)();
  } catch (const ConfigError& error) {
    fmt::print(stderr, "tools/bench: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tools/bench: {}\n", error.what());
    return 5;  // NOLINT: the code of system failures
  }
}
