// algorithms/collectives/global_unicast.cpp: messages relayed round all faults of a hypercube.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/cube_multicast/global_unicast.hpp"

#include "flitwave/algorithms/cube_multicast/cube_faults.hpp"
#include "flitwave/algorithms/demand_shape.hpp"
#include "flitwave/algorithms/schedule.hpp"

namespace flitwave {
namespace {

struct GlobalUnicastParams {
  GlobalUnicast method = GlobalUnicast::lee_hayes;
};

/// The nodes of a message's way, one relaying it to the next.
class Relays {
 public:
  Relays(Schedule& schedule, int piece) : schedule_(schedule), piece_(piece) {}

  /// From the last node of the path that has the message already; the steps follow each other.
  void send_along(const CubeNodes& path, int& step) {
    std::size_t at = path.size() - 1;
    while (!holds(path[at])) --at;
    for (; at + 1 < path.size(); ++at)
      schedule_.send(piece_, node(path[at]), node(path[at + 1]), ++step);
  }

  bool holds(CubeAddress address) const {
    return schedule_.holders(piece_).find(node(address)) != nullptr;
  }

 private:
  static NodeId node(CubeAddress address) { return NodeId(static_cast<int>(address)); }

  Schedule& schedule_;
  int piece_;
};

/// Somebody who knows all faults chooses each message's path, and every node on it sends the
/// message to the next: neighbours are reached across their broken link, too. Destinations to
/// which the method finds no path are left out. A destination that has relayed a message has it.
///
/// Serves: all without combining on a hypercube, one transfer after the other.
/// Steps: for one unicast the length of its path: the distance, or two more.
/// Throws: ConfigError for any other demand or topology.
/// Source: Lan 1988, section 7.5; that neighbours relay, as software would, is ours
Schedule global_unicast_relays(const GlobalUnicastParams& params, const Demand& demand,
                               const CollectiveContext& network) {
  const CubeFaults faults = cube_faults(network.topology, "global_unicast");
  require_no_combining(demand, "global_unicast");
  Schedule schedule(demand);
  int step = 0;
  for (std::size_t i = 0; i < demand.deliveries.size(); ++i) {
    const Delivery& delivery = demand.deliveries[i];
    const auto source = static_cast<CubeAddress>(delivery.source().value());
    Relays relays(schedule, static_cast<int>(i));
    for (NodeId destination : delivery.destinations) {
      const auto to = static_cast<CubeAddress>(destination.value());
      if (relays.holds(to)) continue;
      const CubeNodes path = global_unicast(faults, source, to, params.method);
      if (!path.empty()) relays.send_along(path, step);
    }
  }
  return schedule;
}

}  // namespace

void register_global_unicast(Collectives& collectives) {
  using P = GlobalUnicastParams;
  collectives.add("global_unicast",
                  {"messages relayed from neighbour to neighbour round all faults of a hypercube, "
                   "which are known at one place",
                   "Lan 1988, section 7.5"},
                  Schema<P>{}.optional(
                      "method", &P::method,
                      "which paths are tried: the disjoint ones of the least length, those two "
                      "longer as well (lee_hayes, hawkes), or all of the least length before them"),
                  global_unicast_relays);
}

}  // namespace flitwave
