// algorithms/cost_models/fibonacci_growth.cpp: see fibonacci_growth.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/fibonacci_growth.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

namespace {

constexpr long long most_nodes = 1LL << 62;

/// N(0, k), N(1, k), ... while `go_on(step, nodes)` holds for the last one.
template <class GoOn>
std::vector<long long> growth(int packets, GoOn go_on) {
  if (packets < 1)
    throw ConfigError("packets", fmt::format("{} packets per message", packets), "give 1 or more");
  std::vector<long long> nodes{1};
  while (go_on(static_cast<int>(nodes.size()) - 1, nodes.back())) {
    const std::size_t step = nodes.size();
    const auto delay = index(packets);
    nodes.push_back(step < delay ? 1 : std::min(most_nodes, nodes[step - delay] + nodes[step - 1]));
  }
  return nodes;
}

}  // namespace

long long fibonacci_nodes(int steps, int packets) {
  return growth(packets, [steps](int step, long long) { return step < steps; }).back();
}

int fibonacci_steps(long long nodes, int packets) {
  return static_cast<int>(growth(packets,
                                 [nodes](int, long long reached) {
                                   return reached < std::min(nodes, most_nodes);
                                 })
                              .size()) -
         1;
}

}  // namespace flitwave
