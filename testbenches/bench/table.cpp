// testbenches/bench/table.cpp: see table.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/table.hpp"

#include <fmt/format.h>

namespace flitwave::bench {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::string Judge::results(const std::string& row, const std::string& difference) {
  if (difference.empty()) return "equal";
  faults_.push_back(row + ":" + difference);
  return "**DIFFERENT**";
}

std::string Judge::bar(const std::string& row, bool reached) {
  if (!reached) faults_.push_back(row);
  return reached ? "reached" : "**not reached**";
}

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

}  // namespace flitwave::bench
