// algorithms/collectives/separate.cpp: each source sends to each destination itself.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "flitwave/algorithms/routing.hpp"
#include "flitwave/algorithms/schedule.hpp"
#include "flitwave/configs/error.hpp"

namespace flitwave {
namespace {

struct SeparateParams {};

/// Finds, for one transfer after the other, the first step in which both its ends have a port.
class PortTable {
 public:
  PortTable(const Topology& topology, int ports)
      : ports_(ports),
        sends_(static_cast<std::size_t>(topology.nodes())),
        receives_(static_cast<std::size_t>(topology.nodes())) {}

  /// The sender's transfers keep their order.
  int take(NodeId from, NodeId to) {
    std::vector<int>& sent = sends_[from.index()];
    std::vector<int>& received = receives_[to.index()];
    std::size_t step = std::max<std::size_t>(sent.size(), 1) - 1;
    while (used(sent, step) >= ports_ || used(received, step) >= ports_) ++step;
    ++used(sent, step);
    ++used(received, step);
    return static_cast<int>(step) + 1;
  }

 private:
  static int& used(std::vector<int>& steps, std::size_t step) {
    if (steps.size() <= step) steps.resize(step + 1, 0);
    return steps[step];
  }

  int ports_;
  std::vector<std::vector<int>> sends_;     // per node and step
  std::vector<std::vector<int>> receives_;  // per node and step
};

/// One unicast per source and destination, in ascending order of destinations, then of sources.
/// Contributions are combined where they are wanted.
///
/// Serves: all whose contributions are combined for one destination each, and all without any.
/// Steps: ceil(destinations / ports) for one multicast. With several messages a transfer takes
///   the first step in which its sender, in order, and its receiver have a port free.
/// Throws: ConfigError on the key `kind` when several nodes want one combination.
Schedule separate(const SeparateParams&, const Demand& demand, const CollectiveContext& network) {
  PortTable ports(network.topology, network.ports);
  Schedule schedule(demand);
  for (std::size_t i = 0; i < demand.deliveries.size(); ++i) {
    const Delivery& delivery = demand.deliveries[i];
    if (delivery.combines() && delivery.destinations.size() > 1)
      throw ConfigError("kind",
                        "separate sends every contribution itself, and in " + demand.operation +
                            " many nodes want the same ones combined",
                        "use kind: ring, recursive_doubling or shifts");
    const Use use = delivery.combines() ? Use::combine : Use::keep;
    const int piece = static_cast<int>(i);
    for (NodeId destination : delivery.destinations)
      for (NodeId source : delivery.sources)
        if (source != destination)
          schedule.send(Pieces{piece}, source, destination, ports.take(source, destination), use);
  }
  if (schedule.transfers().size() == 1) {
    const Transfer& only = schedule.transfer(0);
    const auto hops = path(network.routing, network.topology, {only.from, only.to, 0}).size();
    schedule.set_formula(
        CostFormula{{1, 1, static_cast<double>(hops), 1}, "Tsai 1997, section 5.3"});
  }
  return schedule;
}

}  // namespace

void register_separate(Collectives& collectives) {
  collectives.add("separate", {"each source sends to each destination itself", ""},
                  Schema<SeparateParams>{}, separate);
}

}  // namespace flitwave
