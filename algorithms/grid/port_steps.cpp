// algorithms/grid/port_steps.cpp: see port_steps.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/port_steps.hpp"

#include <algorithm>

namespace flitwave {

namespace {

int& used(std::vector<int>& steps, std::size_t step) {
  if (steps.size() <= step) steps.resize(step + 1, 0);
  return steps[step];
}

}  // namespace

PortSteps::PortSteps(const Topology& topology, int ports)
    : ports_(ports), sends_(index(topology.nodes())), receives_(index(topology.nodes())) {}

int PortSteps::take(NodeId from, NodeId to, int after) {
  std::vector<int>& sent = sends_[from.index()];
  std::vector<int>& received = receives_[to.index()];
  std::size_t step = std::max(std::max<std::size_t>(sent.size(), 1) - 1, index(after));
  while (used(sent, step) >= ports_ || used(received, step) >= ports_) ++step;
  ++used(sent, step);
  ++used(received, step);
  return static_cast<int>(step) + 1;
}

}  // namespace flitwave
