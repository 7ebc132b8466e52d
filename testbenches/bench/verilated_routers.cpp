// testbenches/bench/verilated_routers.cpp: see verilated_routers.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/verilated_routers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "routers/verilated/router_design.hpp"
#include "testbenches/bench/measure.hpp"

namespace flitwave::bench {

namespace {

constexpr int extent = 8;
constexpr int slots = extent * extent;
constexpr int measured_cycles = 20000;
constexpr const char* model = "wormhole_1vc";

/// The labels of one node in the middle, of every second one as on a checkerboard, or of all.
std::string nodes(int count) {
  std::string labels;
  for (int y = 0; y < extent; ++y)
    for (int x = 0; x < extent; ++x) {
      const bool one = x == extent / 2 && y == extent / 2;
      if (count == 1 ? one : count == slots || (x + y) % 2 == 0)
        labels += fmt::format("{}[{}, {}]", labels.empty() ? "" : ", ", x, y);
    }
  return "[" + labels + "]";
}

/// The mesh with this many routers in Verilog.
Scenario with_verilated(int count, const std::string& adapter) {
  const std::string others =
      count == 0 ? ""
                 : fmt::format(", at: [{{nodes: {}, kind: verilated, model: {}, adapter: {}}}]",
                               nodes(count), model, adapter);
  return load(extent, 1, 0.1, measured_cycles)
      .with("router", "{kind: wormhole, preset: single_cycle" + others + "}");
}

Line line(int count, const std::string& adapter) {
  return {fmt::format("verilated {}, {} of {}", adapter, count, slots),
          [=](const std::string& name, int rounds, Judge& judge) {
            Measurement without;
            Measurement with;
            const Pair pair = in_turn(
                rounds, [&] { return without = measure_network(with_verilated(0, adapter)); },
                [&] { return with = measure_network(with_verilated(count, adapter)); });
            const bool equal = with.fingerprint == without.fingerprint &&
                               with.cycles == without.cycles && with.arrived == without.arrived;
            const auto rate = [&](double milliseconds) {
              return static_cast<double>(with.cycles) / milliseconds;
            };
            fmt::print("| {} | {} | {:.0f} | {:.0f} | {:.3g} | {:.3g} | {:.2f} | {} |\n", name,
                       with.cycles, pair.first, pair.second, rate(pair.first), rate(pair.second),
                       pair.ratio,
                       judge.results(name, equal ? "" : " fingerprint, cycles or arrivals"));
          }};
}

}  // namespace

BenchTable verilated_routers() {
  BenchTable table{
      "Routers in Verilog in slots of an 8x8 mesh, one virtual channel, at 0.1\n\n"
      "| slots | cycles | without, CPU ms | with, CPU ms | without, cycles per CPU ms | with, "
      "cycles "
      "per CPU ms | times as long | results |\n|---|---|---|---|---|---|---|---|\n",
      {}};
  if (!RouterDesigns::find(model)) return table;
  for (const char* adapter : {"evaluated", "pins"})
    for (int count : {1, slots / 2, slots}) table.lines.push_back(line(count, adapter));
  return table;
}

}  // namespace flitwave::bench
