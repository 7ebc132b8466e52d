// testbenches/bench/fidelity.cpp: see fidelity.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/fidelity.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "testbenches/bench/measure.hpp"

namespace flitwave::bench {

namespace {

constexpr double most_error = 5;  // of the mean latency. Unit: %
constexpr double least_speed_up = 10;

const char* const columns =
    "| job | mean, signal | mean, transaction | error, % | max, signal | max, transaction | error, "
    "% | signal, CPU ms | transaction, CPU ms | speed-up | required | |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|\n";

/// What a job must reach.
struct Requirement {
  bool mean = false;   ///< The error of the mean is at most `most_error`.
  bool speed = false;  ///< The speed-up is at least `least_speed_up`.

  std::string text() const {
    std::string text = mean ? fmt::format("mean within {} %", most_error) : "";
    if (speed) text += fmt::format("{}{} times as fast", mean ? ", " : "", least_speed_up);
    return text;
  }
};

/// Unit: %
double error(double found, double expected) {
  return expected == 0 ? 0 : 100 * (found / expected - 1);
}

std::string latency_cells(double signal, double transaction) {
  if (signal == 0 || transaction == 0)
    return fmt::format("{} | {} | ", signal == 0 ? "saturated" : fmt::format("{:.2f}", signal),
                       transaction == 0 ? "saturated" : fmt::format("{:.2f}", transaction));
  return fmt::format("{:.2f} | {:.2f} | {:+.2f}", signal, transaction, error(transaction, signal));
}

/// Both runs in turn, so that other load on the machine affects both.
Line line(const std::string& name, const Scenario& scenario, Requirement required) {
  return {name, [=](const std::string& row, int rounds, Judge& judge) {
            Measurement signal;
            Measurement other;
            const Scenario transaction = scenario.with("fidelity", "transaction");
            const Pair pair = in_turn(
                rounds, [&] { return other = measure_network(transaction); },
                [&] { return signal = measure_network(scenario); });
            // Beyond saturation there is no mean, and both must find that.
            const bool saturated = signal.latency == 0 && other.latency == 0;
            const bool known = signal.latency > 0 && other.latency > 0;
            const bool near =
                saturated ||
                (known && std::abs(error(other.latency, signal.latency)) <= most_error);
            const bool reached =
                (!required.mean || near) && (!required.speed || pair.ratio >= least_speed_up);
            const bool judged = required.mean || required.speed;
            fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {} | {} |\n", row,
                       latency_cells(signal.latency, other.latency),
                       latency_cells(signal.greatest, other.greatest), pair.second, pair.first,
                       pair.ratio, required.text(), judged ? judge.bar(row, reached) : "");
          }};
}

/// `packet`: its length, and that of a buffer is 4 flits; the longer it is, the longer is the
/// measurement, for as many packets. `router`: its settings.
Scenario uniform(int extent, int vcs, double rate, int packet, const std::string& router) {
  return Scenario::parse(fmt::format(R"(scenario: uniform
topology: {{kind: mesh, shape: [{0}, {0}]}}
channel: {{vcs: {1}, buffer: 4 flit}}
router: {{kind: wormhole, {4}}}
traffic: {{rate: {2} flit/node/cycle, packet: {3} flit, warmup: 1000 cycle, measure: {5} cycle,
          drain: 5000 cycle}}
observe: [{{kind: latency}}]
)",
                                     extent, vcs, rate, packet, router,
                                     10000 * 64 / (extent * extent) * (packet / 4)));
}

BenchTable loads() {
  BenchTable table{"Uniform load on a mesh, buffers of 4 flits\n\n" + std::string(columns), {}};
  const std::pair<const char*, const char*> routers[] = {{"single_cycle", "preset: single_cycle"},
                                                         {"pipelined", "preset: pipelined"}};
  for (int extent : {8, 16})
    for (const auto& [name, settings] : routers)
      for (int vcs : {1, 4})
        for (double rate : {0.05, 0.1, 0.2, 0.3, 0.4}) {
          const Requirement required{rate <= 0.2, extent == 16 && rate == 0.1};
          table.lines.push_back(
              line(fmt::format("{0}x{0}, {1}, {2} vc, {3}", extent, name, vcs, rate),
                   uniform(extent, vcs, rate, 4, settings), required));
        }
  for (int packet : {16, 64})
    for (int vcs : {1, 4})
      for (double rate : {0.05, 0.1})
        table.lines.push_back(
            line(fmt::format("16x16, single_cycle, {} vc, {}, {} flits", vcs, rate, packet),
                 uniform(16, vcs, rate, packet, routers[0].second), {true, rate == 0.1}));
  return table;
}

/// `start_up` of a message, in cycles.
Scenario collective(int extent, const std::string& operation, const std::string& algorithm,
                    const std::string& ports, int start_up) {
  return Scenario::parse(fmt::format(R"(scenario: collective
clock: {{period: 1 us}}
topology: {{kind: mesh, shape: [{0}, {0}]}}
channel: {{vcs: 1, buffer: 4 flit, width: 1 B}}
router: {{kind: wormhole, preset: single_cycle}}
node: {{ports: {3}, send_overhead: {4} us}}
operation: {1}
algorithm: {{kind: {2}}}
observe: [{{kind: latency}}]
)",
                                     extent, operation, algorithm, ports, start_up));
}

BenchTable broadcasts() {
  BenchTable table{"One broadcast of 64 flits on a mesh\n\n" + std::string(columns), {}};
  for (int extent : {8, 16})
    for (const char* algorithm : {"separate", "recursive_doubling", "fibonacci_tree",
                                  "scatter_collect", "dimensional", "edn", "token"})
      table.lines.push_back(
          line(fmt::format("{0} {1}x{1}", algorithm, extent),
               collective(extent, "{kind: broadcast, root: [1, 2], message: 64 B}", algorithm,
                          algorithm == std::string("edn") ? "all" : "1", 300),
               {true, false}));
  return table;
}

BenchTable multicasts() {
  BenchTable table{
      "Multicasts of 64 flits at random times on a mesh, each to 10 nodes; the time between those "
      "of a node in cycles\n\n" +
          std::string(columns),
      {}};
  for (int extent : {8, 16})
    for (const char* algorithm : {"separate", "recursive_doubling"})
      for (int gap : {16000, 6000})
        table.lines.push_back(line(
            fmt::format("multicasts {0} {1}x{1}, {2}", algorithm, extent, gap),
            collective(extent,
                       fmt::format("{{kind: multicasts, destinations: [10, 10], message: 64 B, "
                                   "gap: {} cycle, warmup: 2000 cycle, measure: 50000 cycle, "
                                   "cooldown: 2000 cycle}}",
                                   gap),
                       algorithm, "1", 30),
            {}));
  return table;
}

}  // namespace

std::vector<BenchTable> fidelity_tables() { return {broadcasts(), loads(), multicasts()}; }

}  // namespace flitwave::bench
