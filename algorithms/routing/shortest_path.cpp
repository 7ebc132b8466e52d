// algorithms/routing/shortest_path.cpp: next-hop tables for any graph; up*/down* or free.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "flitwave/algorithms/routing.hpp"

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
      : leaving(static_cast<std::size_t>(topology.nodes())),
        entering(static_cast<std::size_t>(topology.nodes())) {
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
  std::vector<int> level(static_cast<std::size_t>(topology.nodes()), unreachable);
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

/// The node whose farthest node is nearest, the lowest number among equals.
NodeId central_node(const Topology& topology, const Neighbourhood& near) {
  NodeId best;
  int least = unreachable;
  for (int node = 0; node < topology.nodes(); ++node) {
    const std::vector<int> level = levels_from(NodeId(node), topology, near);
    const int eccentricity = *std::max_element(level.begin(), level.end());
    if (best.valid() && eccentricity >= least) continue;
    best = NodeId(node);
    least = eccentricity;
  }
  return best;
}

/// Whether a packet may still climb, or has taken a channel down.
enum class Phase { climbing = 0, descending = 1 };

/// The next port from every node to every other, along shortest legal paths.
///
/// up_down: channels point up, to the root of a breadth-first tree (lower level, then lower
/// number), or down; a path climbs first and never climbs again, so no circle can close.
/// any: all channels count as up, so every path is legal.
/// Source: Schroeder et al. 1991, "Autonet: a high-speed, self-configuring local area network
///   using point-to-point links".
class ShortestPath final : public RoutingFunction {
 public:
  ShortestPath(const ShortestPathParams& params, const Topology& topology)
      : params_(params),
        topology_(topology),
        nodes_(static_cast<std::size_t>(topology.nodes())),
        climbs_(static_cast<std::size_t>(topology.channels()), 1),
        came_down_(nodes_ * static_cast<std::size_t>(topology.port_limit()), 0),
        next_(nodes_ * nodes_ * 2, no_port) {
    const Neighbourhood near(topology);
    if (params.rule == PathRule::up_down) orient(near);
    for (int node = 0; node < topology.nodes(); ++node) fill(NodeId(node), near);
  }

  void route(NodeId here, const Arrival& arrival, const Header& header,
             Route& route) const override {
    if (here == header.destination) return route.deliver();
    const Phase phase = phase_after(here, arrival);
    const std::uint8_t port = next_[entry(header.destination, state(here, phase))];
    if (port != no_port) route.forward(PortId(port));
  }

  int arrival_case(NodeId here, const Arrival& arrival) const override {
    return static_cast<int>(phase_after(here, arrival));
  }

 private:
  static constexpr std::uint8_t no_port = 0xff;

  Phase phase_after(NodeId here, const Arrival& arrival) const {
    const bool came_down = !arrival.injected() && came_down_[slot(here, arrival.port)] != 0;
    return came_down ? Phase::descending : Phase::climbing;
  }
  std::size_t slot(NodeId node, PortId port) const {
    return node.index() * static_cast<std::size_t>(topology_.port_limit()) + port.index();
  }
  static std::size_t state(NodeId node, Phase phase) {
    return node.index() * 2 + static_cast<std::size_t>(phase);
  }
  std::size_t entry(NodeId destination, std::size_t state) const {
    return destination.index() * nodes_ * 2 + state;
  }

  /// Decides for every channel whether it leads up.
  void orient(const Neighbourhood& near) {
    const bool central =
        params_.root.is_scalar() && !params_.root.quoted() && params_.root.text() == "central";
    const NodeId root = central ? central_node(topology_, near) : topology_.find(params_.root);
    const std::vector<int> level = levels_from(root, topology_, near);
    for (int number = 0; number < topology_.channels(); ++number) {
      const ChannelEnds& ends = topology_.channel(ChannelId(number));
      const std::vector<ChannelId>& back = near.leaving[ends.to.index()];
      if (std::none_of(back.begin(), back.end(), [&](ChannelId channel) {
            return topology_.channel(channel).to == ends.from;
          }))
        throw ConfigError(
            "rule",
            fmt::format("up_down needs channels both ways, and none is opposite to {}",
                        topology_.label(ChannelId(number))),
            "use rule: any");
      const int rise = level[ends.to.index()] - level[ends.from.index()];
      if (rise < 0 || (rise == 0 && ends.to < ends.from)) continue;
      climbs_[static_cast<std::size_t>(number)] = 0;
      came_down_[slot(ends.to, ends.to_port)] = 1;
    }
  }

  /// Hops to a destination from every state, by a breadth-first search against the channels.
  std::vector<int> hops_to(NodeId destination, const Neighbourhood& near) const {
    std::vector<int> hops(nodes_ * 2, unreachable);
    std::vector<std::pair<NodeId, Phase>> queue;
    const auto reach = [&](NodeId node, Phase phase, int count) {
      int& known = hops[state(node, phase)];
      if (known != unreachable) return;
      known = count;
      queue.emplace_back(node, phase);
    };
    reach(destination, Phase::climbing, 0);
    reach(destination, Phase::descending, 0);
    std::size_t next = 0;
    while (next < queue.size()) {
      const auto [node, phase] = queue[next++];
      const int count = hops[state(node, phase)] + 1;
      for (ChannelId channel : near.entering[node.index()]) {
        const NodeId from = topology_.channel(channel).from;
        const bool climbs = climbs_[channel.index()] != 0;
        if (climbs != (phase == Phase::climbing)) continue;
        reach(from, Phase::climbing, count);
        if (!climbs) reach(from, Phase::descending, count);
      }
    }
    return hops;
  }

  void fill(NodeId destination, const Neighbourhood& near) {
    const std::vector<int> hops = hops_to(destination, near);
    for (int number = 0; number < topology_.nodes(); ++number) {
      const NodeId node(number);
      if (node == destination) continue;
      if (hops[state(node, Phase::climbing)] == unreachable)
        throw ConfigError("kind",
                          fmt::format("no path leads from node {} to node {}",
                                      topology_.label(node), topology_.label(destination)),
                          "connect the topology");
      for (Phase phase : {Phase::climbing, Phase::descending})
        next_[entry(destination, state(node, phase))] =
            next_port(node, phase, destination, hops, near);
    }
  }

  /// The port of a channel that lies on a shortest way, or none.
  std::uint8_t next_port(NodeId node, Phase phase, NodeId destination, const std::vector<int>& hops,
                         const Neighbourhood& near) const {
    const int left = hops[state(node, phase)];
    std::array<std::uint8_t, 64> ports{};
    std::size_t count = 0;
    for (ChannelId channel : near.leaving[node.index()]) {
      const bool climbs = climbs_[channel.index()] != 0;
      if (climbs && phase == Phase::descending) continue;
      const ChannelEnds& ends = topology_.channel(channel);
      const Phase next = climbs ? Phase::climbing : Phase::descending;
      if (left == unreachable || hops[state(ends.to, next)] != left - 1) continue;
      ports[count++] = static_cast<std::uint8_t>(ends.from_port.value());
      if (params_.ties == EqualPaths::lowest) break;
    }
    if (count == 0) return no_port;
    if (count == 1) return ports[0];
    Random random(params_.seed, "shortest_path", entry(destination, state(node, phase)));
    return ports[random.below(count)];
  }

  ShortestPathParams params_;
  const Topology& topology_;
  std::size_t nodes_;
  std::vector<std::uint8_t> climbs_;     // Shape: [channels]
  std::vector<std::uint8_t> came_down_;  // Shape: [nodes][port_limit]; by the input port
  std::vector<std::uint8_t> next_;       // Shape: [destinations][nodes][phases]
};

}  // namespace

void register_shortest_path(Routings& routings) {
  using P = ShortestPathParams;
  routings.add("shortest_path",
               {"next-hop tables along shortest paths, for any topology",
                "Schroeder et al. 1991 (up*/down*)"},
               Schema<P>{}
                   .optional("rule", &P::rule,
                             "up_down: climb a breadth-first tree first and never again, free of "
                             "deadlock; up is nearer to the root, or as near with a lower number; "
                             "any: every shortest path, which can deadlock")
                   .optional("root", &P::root,
                             "node at the top of the tree, or central: the lowest of those whose "
                             "farthest node is nearest")
                   .optional("ties", &P::ties, "port to take among equally short ways")
                   .optional("seed", &P::seed, "for ties: random"),
               [](const P& params, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
                 return std::make_unique<ShortestPath>(params, topology);
               });
}

}  // namespace flitwave
