// algorithms/collectives/global_unicast.cpp: messages relayed around all faults of a hypercube.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/faults/global_unicast.hpp"

#include <map>

#include "algorithms/cube_multicast/cube_schedule.hpp"
#include "algorithms/cube_multicast/faults/cube_faults.hpp"
#include "algorithms/demand_shape.hpp"
#include "algorithms/grid/port_steps.hpp"

namespace flitwave {
namespace {

struct GlobalUnicastParams {
  GlobalUnicast method = GlobalUnicast::lee_hayes;
};

/// A message that is relayed along paths.
class RelayedPiece {
 public:
  RelayedPiece(Schedule& schedule, int piece, PortSteps& ports)
      : schedule_(schedule), piece_(piece), ports_(ports) {
    received_[address_of(schedule.delivery_of(piece).source())] = 0;
  }

  bool held_by(CubeAddress node) const { return received_.count(node) > 0; }

  /// From the last node of the path that has the message already.
  void send_along(const CubeNodes& path) {
    std::size_t at = path.size() - 1;
    while (!held_by(path[at])) --at;
    for (; at + 1 < path.size(); ++at) {
      const NodeId from = node_at(path[at]);
      const NodeId to = node_at(path[at + 1]);
      const int step = ports_.take(from, to, received_.at(path[at]));
      schedule_.send(piece_, from, to, step);
      received_[path[at + 1]] = step;
    }
  }

 private:
  Schedule& schedule_;
  int piece_;
  PortSteps& ports_;
  std::map<CubeAddress, int> received_;  // the step, by node
};

/// The path of each message is computed centrally, with all faults known, and every node on it
/// sends the message to the next; neighbours behind a broken link are reached the same way.
/// Destinations to which the method finds no path are omitted. A destination that has relayed a
/// message has received it.
///
/// Serves: all without combining on a hypercube, each message on its own.
/// Steps: for one unicast the length of its path: the distance, or two more. With several messages
///   a transfer takes the first step in which both its ends have a port free.
/// Contention: none; every transfer crosses one channel, and no two of a step the same.
/// Throws: ConfigError for any other demand or topology.
/// Source: Lan 1988, section 7.5; that neighbours relay, as software would, is ours
Schedule relay_round_faults(const GlobalUnicastParams& params, const Demand& demand,
                            const CollectiveContext& network) {
  const CubeFaults faults = cube_faults(network.topology, "global_unicast");
  require_no_combining(demand, "global_unicast");
  Schedule schedule(demand);
  PortSteps ports(network.topology, network.ports);
  for (std::size_t i = 0; i < demand.deliveries.size(); ++i) {
    const Delivery& delivery = demand.deliveries[i];
    RelayedPiece message(schedule, static_cast<int>(i), ports);
    for (NodeId destination : delivery.destinations) {
      if (message.held_by(address_of(destination))) continue;
      const CubeNodes path = global_unicast(faults, address_of(delivery.source()),
                                            address_of(destination), params.method);
      if (!path.empty()) message.send_along(path);
    }
  }
  return schedule;
}

}  // namespace

void register_global_unicast(Collectives& collectives) {
  using P = GlobalUnicastParams;
  collectives.add("global_unicast",
                  {"messages relayed from neighbour to neighbour around all faults of a hypercube, "
                   "with central knowledge of the faults",
                   "Lan 1988, section 7.5"},
                  Schema<P>{}.optional(
                      "method", &P::method,
                      "which paths are tried: the disjoint ones of the least length, those two "
                      "longer as well (lee_hayes, hawkes), or all of the least length before them"),
                  relay_round_faults);
}

}  // namespace flitwave
