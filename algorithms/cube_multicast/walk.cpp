// algorithms/cube_multicast/walk.cpp: the results of a walk.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/walk.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace flitwave {

int CubeWalk::steps() const {
  int steps = 0;
  for (const CubeReceipt& receipt : receipts) steps = std::max(steps, receipt.step);
  return steps;
}

int CubeWalk::step_of(CubeAddress node) const {
  for (const CubeReceipt& receipt : receipts)
    if (receipt.node == node) return receipt.step;
  return -1;
}

CubeNodes CubeWalk::delivered() const {
  CubeNodes nodes;
  for (const CubeReceipt& receipt : receipts) nodes.push_back(receipt.node);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

bool CubeWalk::is_tree() const {
  std::set<CubeAddress> entered{source};
  for (const CubeHop& hop : hops)
    if (!entered.insert(hop.to()).second) return false;
  return true;
}

int one_port_steps(const CubeWalk& walk) {
  std::map<CubeAddress, int> busy{{walk.source, 0}};  // the step of a node's last send or receive
  int steps = 0;
  for (const CubeHop& hop : walk.hops) {
    const int step = ++busy[hop.from];
    busy[hop.to()] = step;
    steps = std::max(steps, step);
  }
  return steps;
}

}  // namespace flitwave
