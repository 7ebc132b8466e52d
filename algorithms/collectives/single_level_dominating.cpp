// algorithms/collectives/single_level_dominating.cpp: to a dominating set, then to its neighbours.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "algorithms/demand_shape.hpp"
#include "algorithms/edn/dominating_sets.hpp"
#include "algorithms/edn/mesh_2d.hpp"
#include "algorithms/edn/shapes.hpp"
#include "algorithms/grid/axis_order.hpp"
#include "algorithms/routing.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {
namespace {

struct SingleLevelDominatingParams {
  bool overlap = true;
};

/// A dominating set, and the neighbours that each member serves.
struct Dominators {
  std::vector<NodeId> nodes;
  std::vector<EdsLink> links;
};

/// Pattern B on every 4 x 4 tile.
Dominators tiled_dominators(const Grid& grid) {
  const Block pattern = dominated_4x4(Pattern::b);
  Dominators found;
  for (int y = 0; y < grid.extent(1); y += 4)
    for (int x = 0; x < grid.extent(0); x += 4) {
      const auto node = [&](const BlockPoint& p) { return grid.node({x + p[0], y + p[1]}); };
      for (const BlockPoint& top : pattern.tops()) found.nodes.push_back(node(top));
      for (const BlockLink& link : pattern.descents[0])
        found.links.push_back({node(link.parent), node(link.child)});
    }
  return found;
}

/// A smallest set where it can be computed, else the best of the shifted patterns; every other node
/// is served by the neighbour that serves the fewest so far.
Dominators untiled_dominators(const Grid& grid) {
  Dominators found;
  found.nodes = grid.extent(0) <= 8 && grid.extent(1) <= 8 ? minimum_dominating_sets(grid).example
                                                           : sliding_dominating_set(grid);
  std::map<NodeId, int> serves;
  for (NodeId dominator : found.nodes) serves[dominator] = 0;
  for (int number = 0; number < grid.nodes(); ++number) {
    if (serves.count(NodeId(number)) != 0) continue;
    NodeId server;
    for (int dimension : {0, 1})
      for (int step : {-1, +1}) {
        const NodeId next = grid.neighbour(NodeId(number), dimension, step);
        if (next.valid() && serves.count(next) != 0 &&
            (!server.valid() || serves[next] < serves[server]))
          server = next;
      }
    ++serves[server];
    found.links.push_back({server, NodeId(number)});
  }
  return found;
}

/// The sends of one node, in order.
struct Sends {
  std::vector<EdsLink> multicast;  // in breadth-first order
  std::vector<EdsLink> last;       // to neighbours
};

/// The multicast halves a chain sorted by x, then y. Source: Tsai 1997, section 3.2.2
void halve(const std::vector<NodeId>& chain, std::size_t first, std::size_t last,
           std::size_t holder, int depth, std::map<int, std::vector<EdsLink>>& by_depth) {
  const std::size_t count = last - first;
  if (count <= 1) return;
  const std::size_t middle = first + (count + 1) / 2;
  const bool low = holder < middle;
  const std::size_t receiver = low ? middle : middle - 1;
  by_depth[depth].push_back({chain[holder], chain[receiver]});
  halve(chain, first, middle, low ? holder : receiver, depth + 1, by_depth);
  halve(chain, middle, last, low ? receiver : holder, depth + 1, by_depth);
}

Sends sends_of(NodeId source, const Grid& grid) {
  const Dominators dominators = grid.extent(0) % 4 == 0 && grid.extent(1) % 4 == 0
                                    ? tiled_dominators(grid)
                                    : untiled_dominators(grid);
  std::vector<NodeId> chain = dominators.nodes;
  if (std::find(chain.begin(), chain.end(), source) == chain.end()) chain.push_back(source);
  std::sort(chain.begin(), chain.end(), ChainOrder({}, &grid));
  const auto holder = index(std::find(chain.begin(), chain.end(), source) - chain.begin());
  std::map<int, std::vector<EdsLink>> by_depth;
  halve(chain, 0, chain.size(), holder, 0, by_depth);

  Sends sends;
  for (const auto& [depth, links] : by_depth)
    sends.multicast.insert(sends.multicast.end(), links.begin(), links.end());
  for (const EdsLink& link : dominators.links)
    if (link.child != source) sends.last.push_back(link);
  return sends;
}

/// Gives each transfer the first step in which its sender has the message and all its resources are
/// free.
class Packing {
 public:
  Packing(Schedule& schedule, const CollectiveContext& network, NodeId source)
      : schedule_(schedule), network_(network) {
    has_after_[source] = 0;
  }

  /// `sends_at_once`: the most sends of a node in a step. Returns the step.
  int place(const EdsLink& link, int first_step, int sends_at_once) {
    const std::vector<ChannelId> route =
        path(network_.routing, network_.topology, {link.parent, link.child});
    int step = std::max(first_step, has_after_.at(link.parent) + 1);
    while (sent_[{link.parent, step}] >= sends_at_once ||
           std::any_of(route.begin(), route.end(), [&](ChannelId channel) {
             return used_.count({channel, step}) != 0;
           }))
      ++step;
    for (ChannelId channel : route) used_.insert({channel, step});
    ++sent_[{link.parent, step}];
    has_after_[link.child] = step;
    schedule_.send(0, link.parent, link.child, step);
    return step;
  }

 private:
  Schedule& schedule_;
  const CollectiveContext& network_;
  std::map<NodeId, int> has_after_;
  std::map<std::pair<NodeId, int>, int> sent_;
  std::set<std::pair<ChannelId, int>> used_;
};

/// Recursive doubling to a dominating set, one send per node and step; then one step in which every
/// dominator serves the neighbours assigned to it.
///
/// Serves: one broadcast on a 2D mesh.
/// Steps: ceil(log2 of the set and the source) + 1, given ports for the last step. With `overlap`
///   every send is made as soon as its sender has the message, a port and the channels, which can
///   save some.
/// Contention: none within a step.
/// Throws: ConfigError for any other demand or topology.
/// Source: Tsai 1997, section 3.2
Schedule single_level_dominating(const SingleLevelDominatingParams& params, const Demand& demand,
                                 const CollectiveContext& network) {
  if (mesh_extents(network.topology).size() != 2)
    throw ConfigError("kind", "single_level_dominating needs a mesh of two dimensions",
                      "use topology.kind: mesh, or kind: recursive_doubling");
  const DemandShape shape = DemandShape::of(demand, network.topology);
  require_one_of({Operation::broadcast}, shape, demand, "single_level_dominating");
  const NodeId source = shape.root;
  const Sends sends = sends_of(source, *network.topology.grid());
  Schedule schedule(demand);
  Packing packing(schedule, network, source);
  int last = 0;
  for (const EdsLink& link : sends.multicast)
    last = std::max(last, packing.place(link, 1, params.overlap ? network.ports : 1));
  for (const EdsLink& link : sends.last)
    packing.place(link, params.overlap ? 1 : last + 1, network.ports);
  return schedule;
}

}  // namespace

void register_single_level_dominating(Collectives& collectives) {
  using P = SingleLevelDominatingParams;
  collectives.add(
      "single_level_dominating",
      {"recursive doubling to a dominating set of a 2D mesh, then one step to its "
       "neighbours",
       "Tsai 1997, section 3.2"},
      Schema<P>{}.optional("overlap", &P::overlap,
                           "whether a send is made as soon as its channels are free, or "
                           "one common step follows a one-port multicast"),
      single_level_dominating);
}

}  // namespace flitwave
