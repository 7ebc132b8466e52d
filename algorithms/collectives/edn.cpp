// algorithms/collectives/edn.cpp: broadcast over extended dominating nodes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "flitwave/algorithms/eds_startup.hpp"
#include "flitwave/algorithms/eds_tower.hpp"
#include "flitwave/algorithms/schedule.hpp"

namespace flitwave {
namespace {

struct EdnParams {};  // none: the levels follow from the grid

constexpr int ports_needed = 3;

const Delivery& only_broadcast(const Demand& demand, const Topology& topology) {
  const bool broadcast =
      demand.deliveries.size() == 1 &&
      demand.deliveries[0].destinations == all_but(demand.deliveries[0].source, topology);
  if (!broadcast)
    throw ConfigError(
        "kind", fmt::format("edn serves one broadcast; the operation is {}", demand.operation),
        "use kind: recursive_doubling, or operation.kind: broadcast");
  return demand.deliveries[0];
}

/// Sends of one step: each parent's farthest child first, then by x, then by y.
void send_all(Schedule& schedule, std::vector<EdsLink> links, int step, const Grid& grid,
              NodeId source) {
  const auto rank = [&](const EdsLink& link) {
    return std::make_tuple(link.parent, -grid.distance(link.parent, link.child),
                           grid.coordinate(link.child, 0), grid.coordinate(link.child, 1));
  };
  std::sort(links.begin(), links.end(),
            [&](const EdsLink& a, const EdsLink& b) { return rank(a) < rank(b); });
  for (const EdsLink& link : links)
    if (link.child != source) schedule.send(0, link.parent, link.child, step);
}

/// The source reaches the four tops in two steps; then each level hands the message to the level
/// below in one step. A parent leaves the source out.
///
/// Serves: one broadcast on a square 2D mesh of width 4 * 2^k, nodes of three ports or more.
/// Steps: k + 3, from every source (Tsai 1997, table 3.1).
/// Contention: none within a step, under routing that corrects x first.
/// Throws: ConfigError for any other demand or topology, and for fewer ports.
/// Source: Tsai 1997, section 3.3.2
Schedule edn(const EdnParams&, const Demand& demand, const CollectiveContext& network) {
  const EdsTower tower = square_mesh_tower(network.topology);
  const NodeId source = only_broadcast(demand, network.topology).source;
  if (network.ports < ports_needed)
    throw ConfigError(
        "kind",
        fmt::format("edn needs nodes of {} ports, these have {}", ports_needed, network.ports),
        fmt::format("use node.ports: all or node.ports: {}", ports_needed));

  const Grid& grid = *network.topology.grid();
  const EdsStartup startup = plan_startup(source, tower.tops(), network);
  Schedule schedule(demand);
  send_all(schedule, startup.first, 1, grid, source);
  send_all(schedule, startup.second, 2, grid, source);
  int step = startup.steps();
  for (int level = tower.height(); level > 0; --level)
    send_all(schedule, tower.descent(level), ++step, grid, source);
  return schedule;
}

}  // namespace

void register_edn(Collectives& collectives) {
  collectives.add("edn",
                  {"broadcast over extended dominating nodes, k + 3 steps on a square mesh of "
                   "width 4 * 2^k",
                   "Tsai 1997, section 3.3"},
                  Schema<EdnParams>{}, edn);
}

}  // namespace flitwave
