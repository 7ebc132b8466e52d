// algorithms/routing/shortest_path.cpp: next-hop tables for any graph; up*/down* or free.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "algorithms/deadlock/lane_search.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {
namespace {

enum class PathRule { up_down, any };
std::vector<std::string> names_of(PathRule) { return {"up_down", "any"}; }

enum class EqualPaths { lowest, random };
std::vector<std::string> names_of(EqualPaths) { return {"lowest", "random"}; }

struct ShortestPathParams {
  PathRule rule = PathRule::up_down;
  ConfigNode root = ConfigNode::scalar("central");
  EqualPaths ties = EqualPaths::lowest;
  std::uint64_t seed = 1;
};

constexpr int unreachable = std::numeric_limits<int>::max();

/// Channels of every node, as lists.
struct Neighbourhood {
  explicit Neighbourhood(const Topology& topology)
      : leaving(index(topology.nodes())), entering(index(topology.nodes())) {
    for (int channel = 0; channel < topology.channels(); ++channel) {
      const ChannelEnds& ends = topology.channel(ChannelId(channel));
      leaving[ends.from.index()].push_back(ChannelId(channel));
      entering[ends.to.index()].push_back(ChannelId(channel));
    }
    for (std::vector<ChannelId>& channels : leaving)
      std::sort(channels.begin(), channels.end(), [&](ChannelId a, ChannelId b) {
        return topology.channel(a).from_port < topology.channel(b).from_port;
      });
  }

  std::vector<std::vector<ChannelId>> leaving;   ///< Per node, by port.
  std::vector<std::vector<ChannelId>> entering;  ///< Per node.
};

/// Hops from a node to all others along the channels.
std::vector<int> levels_from(NodeId root, const Topology& topology, const Neighbourhood& near) {
  std::vector<int> level(index(topology.nodes()), unreachable);
  std::vector<NodeId> queue{root};
  level[root.index()] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (ChannelId channel : near.leaving[queue[i].index()]) {
      const NodeId next = topology.channel(channel).to;
      if (level[next.index()] != unreachable) continue;
      level[next.index()] = level[queue[i].index()] + 1;
      queue.push_back(next);
    }
  return level;
}

/// Nodes from which searches start at the same time.
using Group = std::vector<NodeId>;

/// All nodes, in groups of up to `most_lanes` that are near one another: searches from near starts
/// find a vertex by the same hops, and share the work.
std::vector<Group> groups_of(const Topology& topology, const Neighbourhood& near) {
  std::vector<Group> groups;
  std::vector<char> taken(index(topology.nodes()), 0);
  std::vector<int> reached_from(index(topology.nodes()), -1);
  for (int number = 0; number < topology.nodes(); ++number) {
    if (taken[index(number)] != 0) continue;
    Group group;
    std::vector<NodeId> queue{NodeId(number)};
    reached_from[index(number)] = number;
    for (std::size_t i = 0; i < queue.size() && group.size() < most_lanes; ++i) {
      if (std::exchange(taken[queue[i].index()], 1) == 0) group.push_back(queue[i]);
      for (ChannelId channel : near.leaving[queue[i].index()]) {
        const NodeId next = topology.channel(channel).to;
        if (std::exchange(reached_from[next.index()], number) != number) queue.push_back(next);
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

/// Hops from each node of a group to the node that is farthest from it.
std::vector<int> eccentricities(const Group& starts, const HopLists& entering, LaneSearch& search) {
  std::vector<int> farthest(starts.size(), 0);
  search.clear();
  for (std::size_t lane = 0; lane < starts.size(); ++lane)
    search.start(starts[lane].index(), static_cast<int>(lane));
  for (int hops = 1;; ++hops) {
    const Lanes found = search.advance([](std::size_t, Lanes) {});
    if (found == 0) break;
    for (std::size_t lane = 0; lane < starts.size(); ++lane)
      if ((found >> lane & 1) != 0) farthest[lane] = hops;
  }
  for (std::size_t node = 0; node < entering.vertices(); ++node)
    for (Lanes left = search.lanes() & ~search.known(node); left != 0; left &= left - 1)
      farthest[index(first_lane(left))] = unreachable;
  return farthest;
}

/// The node with the least distance to its farthest node, the lowest number among equals.
NodeId central_node(const Topology& topology, const Neighbourhood& near,
                    const std::vector<Group>& groups) {
  HopLists entering;
  for (const std::vector<ChannelId>& channels : near.entering) {
    for (ChannelId channel : channels)
      entering.add({topology.channel(channel).from.value(), PortId()});
    entering.end_list();
  }
  LaneSearch search(entering);
  std::pair<int, NodeId> best{unreachable, NodeId(0)};
  for (const Group& group : groups) {
    const std::vector<int> farthest = eccentricities(group, entering, search);
    for (std::size_t lane = 0; lane < group.size(); ++lane)
      best = std::min(best, {farthest[lane], group[lane]});
  }
  return best.second;
}

/// Whether a packet may still move up, or has taken a channel down.
enum class Phase { climbing = 0, descending = 1 };

/// The next port from every node to every other, along shortest legal paths.
///
/// up_down: channels point up, to the root of a breadth-first tree (lower level, then lower
/// number), or down; a path moves up first and never up again, so no cycle can close. any: all
/// channels count as up, so every path is legal.
/// Source: Schroeder et al. 1991, "Autonet: a high-speed, self-configuring local area network
///   using point-to-point links".
class ShortestPath final : public RoutingFunction {
 public:
  ShortestPath(const ShortestPathParams& params, const Topology& topology)
      : params_(params),
        streams_(params.seed, "shortest_path"),
        topology_(topology),
        nodes_(index(topology.nodes())),
        climbs_(index(topology.channels()), 1),
        came_down_(nodes_ * index(topology.port_limit()), 0),
        next_(nodes_ * nodes_ * 2, no_port) {
    const Neighbourhood near(topology);
    const std::vector<Group> groups = groups_of(topology, near);
    if (params.rule == PathRule::up_down) orient(near, groups);
    const HopLists hops = legal_hops(near);
    LaneSearch search(hops);
    std::optional<Lost> lost;
    std::vector<std::uint8_t> found;
    for (const Group& group : groups) fill(group, hops, search, found, lost);
    if (lost)
      throw ConfigError("kind",
                        fmt::format("no path leads from node {} to node {}",
                                    topology.label(lost->second), topology.label(lost->first)),
                        "connect the topology");
  }

  void route(NodeId here, const Arrival& arrival, const Header& header,
             Route& route) const override {
    if (here == header.destination) return route.deliver();
    const Phase phase = phase_after(here, arrival);
    const std::uint8_t port = next_[entry(state(here, phase), header.destination)];
    if (port != no_port) route.forward(PortId(port));
  }

  int arrival_case(NodeId here, const Arrival& arrival) const override {
    return static_cast<int>(phase_after(here, arrival));
  }

 private:
  static constexpr std::uint8_t no_port = 0xff;
  using Lost = std::pair<NodeId, NodeId>;  ///< Destination, source.

  Phase phase_after(NodeId here, const Arrival& arrival) const {
    const bool came_down = !arrival.injected() && came_down_[slot(here, arrival.port)] != 0;
    return came_down ? Phase::descending : Phase::climbing;
  }
  std::size_t slot(NodeId node, PortId port) const {
    return node.index() * index(topology_.port_limit()) + port.index();
  }
  static std::size_t state(NodeId node, Phase phase) { return node.index() * 2 + index(phase); }
  std::size_t entry(std::size_t state, NodeId destination) const {
    return state * nodes_ + destination.index();
  }

  /// Decides for every channel whether it leads up.
  void orient(const Neighbourhood& near, const std::vector<Group>& groups) {
    const bool central =
        params_.root.is_scalar() && !params_.root.quoted() && params_.root.text() == "central";
    const NodeId root =
        central ? central_node(topology_, near, groups) : topology_.find(params_.root);
    const std::vector<int> level = levels_from(root, topology_, near);
    for (int number = 0; number < topology_.channels(); ++number) {
      const ChannelEnds& ends = topology_.channel(ChannelId(number));
      const std::vector<ChannelId>& back = near.leaving[ends.to.index()];
      if (std::none_of(back.begin(), back.end(), [&](ChannelId channel) {
            return topology_.channel(channel).to == ends.from;
          }))
        throw ConfigError(
            "rule",
            fmt::format("up_down needs channels in both directions; none is opposite to {}",
                        topology_.label(ChannelId(number))),
            "use rule: any");
      const int rise = level[ends.to.index()] - level[ends.from.index()];
      if (rise < 0 || (rise == 0 && ends.to < ends.from)) continue;
      climbs_[index(number)] = 0;
      came_down_[slot(ends.to, ends.to_port)] = 1;
    }
  }

  /// The permitted hops from each state: next state and port, in the order of ports.
  HopLists legal_hops(const Neighbourhood& near) const {
    HopLists hops;
    for (const std::vector<ChannelId>& channels : near.leaving)
      for (const Phase phase : {Phase::climbing, Phase::descending}) {
        for (ChannelId channel : channels) {
          const bool climbs = climbs_[channel.index()] != 0;
          if (climbs && phase == Phase::descending) continue;
          const ChannelEnds& ends = topology_.channel(channel);
          const Phase next = climbs ? Phase::climbing : Phase::descending;
          hops.add({static_cast<int>(state(ends.to, next)), ends.from_port});
        }
        hops.end_list();
      }
    return hops;
  }

  /// Finds the ports to the nodes of a group, by searches that start from them. They are collected
  /// in `ports`, scratch, which is small enough to stay in a cache. Shape: [states][most_lanes]
  void fill(const Group& group, const HopLists& hops, LaneSearch& search,
            std::vector<std::uint8_t>& ports, std::optional<Lost>& lost) {
    search.clear();
    ports.assign(hops.vertices() * most_lanes, no_port);
    for (std::size_t lane = 0; lane < group.size(); ++lane)
      for (const Phase phase : {Phase::climbing, Phase::descending})
        search.start(state(group[lane], phase), static_cast<int>(lane));
    const auto visit = [&](std::size_t state, Lanes found) {
      std::uint8_t* by_lane = &ports[state * most_lanes];
      if (params_.ties == EqualPaths::lowest)
        take_lowest(state, found, hops, search, by_lane);
      else
        draw(state, found, group, hops, search, by_lane);
    };
    while (search.advance(visit) != 0) continue;
    copy(group, ports);
    for (int number = 0; number < topology_.nodes(); ++number) {
      const NodeId from(number);
      for (Lanes left = search.lanes() & ~search.known(state(from, Phase::climbing)); left != 0;
           left &= left - 1) {
        const Lost pair{group[index(first_lane(left))], from};
        lost = lost ? std::min(*lost, pair) : pair;
      }
    }
  }

  /// Stores the ports to a group in the table.
  void copy(const Group& group, const std::vector<std::uint8_t>& ports) {
    std::array<std::size_t, most_lanes> columns{};
    const std::size_t lanes = group.size();
    for (std::size_t lane = 0; lane < lanes; ++lane) columns[lane] = group[lane].index();
    std::uint8_t* row = next_.data();
    for (std::size_t at = 0; at < ports.size(); at += most_lanes, row += nodes_)
      for (std::size_t lane = 0; lane < lanes; ++lane) row[columns[lane]] = ports[at + lane];
  }

  /// Calls `visit(lane, hop)` for each hop by which a lane has found the state.
  template <class Visit>
  static void for_ways(std::size_t state, Lanes found, const HopLists& hops,
                       const LaneSearch& search, Visit visit) {
    for (const HopLists::Hop* hop = hops.begin(state); hop != hops.end(state); ++hop)
      for (Lanes left = found & search.came_by(*hop); left != 0; left &= left - 1)
        visit(index(first_lane(left)), *hop);
  }

  /// `ports`: output, by lane.
  static void take_lowest(std::size_t state, Lanes found, const HopLists& hops,
                          const LaneSearch& search, std::uint8_t* ports) {
    for (const HopLists::Hop* hop = hops.begin(state); found != 0; ++hop) {
      const Lanes lanes = found & search.came_by(*hop);
      found &= ~lanes;
      for (Lanes left = lanes; left != 0; left &= left - 1)
        ports[first_lane(left)] = static_cast<std::uint8_t>(hop->port.value());
    }
  }

  /// Takes one of the hops of each lane at random, without a branch on the random number, which is
  /// hard to predict. `ports`: output, by lane.
  void draw(std::size_t state, Lanes found, const Group& group, const HopLists& hops,
            const LaneSearch& search, std::uint8_t* ports) const {
    Lanes any = 0;
    Lanes several = 0;
    for (const HopLists::Hop* hop = hops.begin(state); hop != hops.end(state); ++hop) {
      several |= any & search.came_by(*hop);
      any |= search.came_by(*hop);
    }
    take_lowest(state, found & ~several, hops, search, ports);
    found &= several;
    if (found == 0) return;
    std::array<std::uint8_t, most_lanes> ways{};
    for_ways(state, found, hops, search,
             [&](std::size_t lane, const HopLists::Hop&) { ++ways[lane]; });
    std::array<std::uint8_t, most_lanes> skipped;  // hops before the one that is taken
    for (Lanes left = found; left != 0; left &= left - 1) {
      const auto lane = index(first_lane(left));
      Random random = streams_.at(group[lane].index() * nodes_ * 2 + state);
      skipped[lane] = static_cast<std::uint8_t>(random.below(ways[lane]));
    }
    for_ways(state, found, hops, search, [&](std::size_t lane, const HopLists::Hop& hop) {
      const auto mask = static_cast<std::uint8_t>(-static_cast<int>(skipped[lane]-- == 0));
      ports[lane] ^= static_cast<std::uint8_t>((ports[lane] ^ hop.port.value()) & mask);
    });
  }

  ShortestPathParams params_;
  RandomStreams streams_;  // for ties
  const Topology& topology_;
  std::size_t nodes_;
  std::vector<std::uint8_t> climbs_;     // Shape: [channels]
  std::vector<std::uint8_t> came_down_;  // Shape: [nodes][port_limit]; by the input port
  std::vector<std::uint8_t> next_;       // Shape: [nodes][phases][destinations]
};

}  // namespace

void register_shortest_path(Routings& routings) {
  using P = ShortestPathParams;
  routings.add("shortest_path",
               {"next-hop tables along shortest paths, for any topology",
                "Schroeder et al. 1991 (up*/down*)"},
               Schema<P>{}
                   .optional("rule", &P::rule,
                             "up_down: up a breadth-first tree first and never up again, free of "
                             "deadlock; up is nearer to the root, or as near with a lower number; "
                             "any: every shortest path, which can deadlock")
                   .optional("root", &P::root,
                             "node at the top of the tree, or central: the lowest of those whose "
                             "farthest node is nearest")
                   .optional("ties", &P::ties, "port to take among equally short paths")
                   .optional("seed", &P::seed, "for ties: random"),
               [](const P& params, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
                 return std::make_unique<ShortestPath>(params, topology);
               });
}

}  // namespace flitwave
