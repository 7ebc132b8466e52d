// testbenches/run/testbench/router_holdings.hpp: the number of flits in each router, after each
// cycle with an arrival.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "modules/network/netlist.hpp"
#include "testbenches/job/observer.hpp"

namespace flitwave {

/// Samples the routers that accepted flits in a cycle, at the end of that cycle: neither scheduling
/// nor the order of building matters, and no maximum is missed, because the number only grows in a
/// cycle in which the router accepts a flit.
class RouterHoldings final : public TransitListener {
 public:
  /// All outlive it. `await`: called with a cycle at whose end `take` is to be called. `sampled`:
  /// called with each sample.
  RouterHoldings(const Netlist& netlist, std::function<void(Cycle)> await,
                 std::function<void(NodeId, std::int64_t)> sampled);

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override;

  /// Whether a sample is due at the end of a cycle.
  bool due(Cycle now) const { return !marked_.empty() && marked_.front().first <= now; }
  /// Takes the samples that are due at the end of a cycle.
  void take(Cycle now);
  /// Takes a last sample of all routers.
  void finish();

 private:
  const Netlist& netlist_;
  std::function<void(Cycle)> await_;
  std::function<void(NodeId, std::int64_t)> sampled_;
  std::deque<std::pair<Cycle, NodeId>> marked_;
  std::vector<Cycle> last_;  // for which a router was marked last; Shape: [nodes]
};

}  // namespace flitwave
