// testbenches/tests/tlm/tlm_job.cpp: see tlm_job.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/tlm/tlm_job.hpp"

#include <fmt/format.h>

namespace flitwave::test {

std::uint64_t address_of(int x, int y) {
  return static_cast<std::uint64_t>(x) << 20 | static_cast<std::uint64_t>(y) << 16;
}

Scenario tlm_mesh(const std::vector<std::pair<std::string, std::string>>& settings) {
  std::string nodes;
  std::string map;
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y) {
      nodes += fmt::format("{}[{}, {}]", nodes.empty() ? "" : ", ", x, y);
      map += fmt::format("{}{{base: {:#x}, size: 64 KiB, node: [{}, {}]}}", map.empty() ? "" : ", ",
                         address_of(x, y), x, y);
    }
  Scenario job = Scenario::parse(fmt::format(R"(
scenario: tlm
clock: {{period: 1 ns}}
topology: {{kind: mesh, shape: [4, 4]}}
channel: {{vcs: 2, buffer: 4 flit, width: 4 B}}
packet_format: {{longest: 8 flit, header: 1 flit}}
node: {{at: [{{nodes: [{}], kind: tlm}}]}}
transactions: {{map: [{}]}}
observe: [{{kind: transactions}}, {{kind: latency}}]
)",
                                             nodes, map));
  for (const auto& [path, value] : settings) job = job.with(path, value);
  return job;
}

}  // namespace flitwave::test
