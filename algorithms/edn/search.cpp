// algorithms/edn/search.cpp: groups formed, dissolved and formed again, level by level.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/search.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "algorithms/edn/startup.hpp"
#include "configs/random.hpp"
#include "topologies/measures/measures.hpp"

namespace flitwave {
namespace {

using Index = std::size_t;  // of a node in the set

/// The nodes of the set in groups of a parent and its children; both are indices into the set.
class Groups {
 public:
  Groups(const std::vector<NodeId>& nodes, int ports, const Topology& topology,
         const RouteOf& routes, int nearest)
      : ports_(ports),
        random_(0, "extended dominating set"),
        nodes_(nodes.size()),
        used_(index(topology.channels()), false) {
    for (Index child = 0; child < nodes.size(); ++child)
      for (Index parent : nearest_to(child, nodes, *topology.grid(), nearest))
        add_route(parent, child, routes(nodes[parent], nodes[child]));
  }

  Index parents() const { return parents_; }

  /// Assigns every node to a group.
  void form() {
    for (Index node = 0; node < nodes_.size(); ++node) {
      std::vector<Index> around;
      const auto add = [&](Index other) {
        if (nodes_[other].role == Role::free) around.push_back(other);
      };
      if (nodes_[node].role != Role::free) continue;
      add(node);
      for (Index route : nodes_[node].routes_in) add(routes_[route].parent);
      group(std::move(around));
    }
  }

  /// Dissolves some groups around a random node and forms new ones; restores the old ones if the
  /// new ones are more.
  void improve() {
    std::vector<Index> torn = members_around(random_.below(nodes_.size()), 2 + random_.below(6));
    std::vector<std::pair<Index, Node>> before;
    for (Index node : torn) before.emplace_back(node, nodes_[node]);
    const Index count = parents_;
    release_all(torn);
    group(torn);
    if (parents_ <= count) return;
    release_all(torn);
    for (const auto& [node, old] : before)
      if (old.role == Role::parent) make_parent(node);
    for (const auto& [node, old] : before)
      if (old.role == Role::child) serve(old.route);
  }

  EdsLevel level(const std::vector<NodeId>& nodes) const {
    EdsLevel found;
    for (Index node = 0; node < nodes_.size(); ++node)
      if (nodes_[node].role == Role::parent)
        found.parents.push_back(nodes[node]);
      else
        found.links.push_back({nodes[routes_[nodes_[node].route].parent], nodes[node]});
    return found;
  }

 private:
  enum class Role { free, parent, child };

  /// From a parent to a child.
  struct Route {
    Index parent;
    Index child;
    std::vector<ChannelId> channels;
  };
  struct Node {
    Role role = Role::free;
    Index route = 0;  // of a child
    int sends = 0;    // of a parent
    std::vector<Index> routes_in;
    std::vector<Index> routes_out;
  };

  static std::vector<Index> nearest_to(Index node, const std::vector<NodeId>& nodes,
                                       const Grid& grid, int count) {
    std::vector<std::pair<int, Index>> others;
    for (Index other = 0; other < nodes.size(); ++other)
      if (other != node) others.emplace_back(grid.distance(nodes[other], nodes[node]), other);
    const auto end = others.begin() +
                     std::min<std::ptrdiff_t>(count, static_cast<std::ptrdiff_t>(others.size()));
    std::partial_sort(others.begin(), end, others.end());
    std::vector<Index> found;
    for (auto at = others.begin(); at != end; ++at) found.push_back(at->second);
    return found;
  }

  void add_route(Index parent, Index child, std::vector<ChannelId> channels) {
    nodes_[child].routes_in.push_back(routes_.size());
    nodes_[parent].routes_out.push_back(routes_.size());
    routes_.push_back({parent, child, std::move(channels)});
  }

  bool open(const Route& route) const {
    return nodes_[route.parent].sends < ports_ &&
           std::none_of(route.channels.begin(), route.channels.end(),
                        [&](ChannelId channel) { return used_[channel.index()]; });
  }

  void serve(Index number) {
    const Route& route = routes_[number];
    for (ChannelId channel : route.channels) used_[channel.index()] = true;
    ++nodes_[route.parent].sends;
    nodes_[route.child].role = Role::child;
    nodes_[route.child].route = number;
  }

  void make_parent(Index node) {
    nodes_[node].role = Role::parent;
    ++parents_;
  }

  void release(Index node) {
    Node& at = nodes_[node];
    if (at.role == Role::parent) --parents_;
    if (at.role == Role::child) {
      for (ChannelId channel : routes_[at.route].channels) used_[channel.index()] = false;
      --nodes_[routes_[at.route].parent].sends;
    }
    at.role = Role::free;
  }

  void release_all(const std::vector<Index>& all) {
    for (Index node : all) release(node);
  }

  /// The members of up to `count` groups, those nearest to a node first.
  std::vector<Index> members_around(Index node, Index count) const {
    std::vector<Index> heads;
    const auto add_head_of = [&](Index of) {
      const Index head = nodes_[of].role == Role::child ? routes_[nodes_[of].route].parent : of;
      if (heads.size() < count && std::find(heads.begin(), heads.end(), head) == heads.end())
        heads.push_back(head);
    };
    add_head_of(node);
    for (Index route : nodes_[node].routes_in) add_head_of(routes_[route].parent);
    std::vector<Index> members = heads;
    for (Index head : heads)
      for (Index route : nodes_[head].routes_out) {
        const Node& at = nodes_[routes_[route].child];
        if (at.role == Role::child && at.route == route) members.push_back(routes_[route].child);
      }
    return members;
  }

  /// Assigns free nodes to groups: attaches those that existing parents can serve, then adds as a
  /// parent the node that can serve most of the rest, and so on.
  void group(std::vector<Index> free) {
    while (!free.empty()) {
      while (attach_one(free)) {
      }
      if (!free.empty()) make_best_parent(free);
    }
  }

  /// Attaches the node with the fewest possible parents to the nearest one.
  bool attach_one(std::vector<Index>& free) {
    Index found = free.size();
    Index found_route = 0;
    Index fewest = 0;
    for (Index i = 0; i < free.size(); ++i) {
      Index count = 0;
      Index first = 0;
      for (Index route : nodes_[free[i]].routes_in)
        if (nodes_[routes_[route].parent].role == Role::parent && open(routes_[route]) &&
            count++ == 0)
          first = route;
      if (count == 0 || (found != free.size() && !precedes(count, fewest))) continue;
      fewest = count;
      found = i;
      found_route = first;
    }
    if (found == free.size()) return false;
    serve(found_route);
    remove(free, found);
    return true;
  }

  void make_best_parent(std::vector<Index>& free) {
    Index found = 0;
    Index most = 0;
    for (Index i = 0; i < free.size(); ++i) {
      const Index gain = children_to_gain(free[i]);
      if (i != 0 && !precedes(most, gain)) continue;
      most = gain;
      found = i;
    }
    make_parent(free[found]);
    remove(free, found);
  }

  /// How many free nodes a node could serve, nearest first.
  Index children_to_gain(Index node) {
    std::vector<Index> served;
    for (Index route : nodes_[node].routes_out)
      if (nodes_[routes_[route].child].role == Role::free && open(routes_[route])) {
        serve(route);
        served.push_back(routes_[route].child);
      }
    release_all(served);
    return served.size();
  }

  /// Whether a is less than b; random if they are equal.
  bool precedes(Index a, Index b) { return a < b || (a == b && random_.below(2) == 0); }

  static void remove(std::vector<Index>& from, Index at) {
    from[at] = from.back();
    from.pop_back();
  }

  int ports_;
  Random random_;
  std::vector<Node> nodes_;
  std::vector<Route> routes_;
  std::vector<bool> used_;  // per channel
  Index parents_ = 0;
};

}  // namespace

EdsLevel find_small_eds(const std::vector<NodeId>& nodes, int ports, const Topology& topology,
                        const RouteOf& routes, const LevelSearchEffort& effort) {
  Groups groups(nodes, ports, topology, routes, effort.nearest);
  groups.form();
  const Index parts = static_cast<Index>(ports) + 1;
  const Index fewest = (nodes.size() + parts - 1) / parts;
  const Index rounds = nodes.size() * static_cast<Index>(effort.rounds_per_node) + 300;
  for (Index round = 0; round < rounds && groups.parents() > fewest; ++round) groups.improve();
  return groups.level(nodes);
}

namespace {

constexpr int most_searched_nodes = 4096;  // 1.5 s of planning

int search_ports(const Topology& topology) { return std::min(2, greatest_degree(topology)); }

EdnSteps search_steps(NodeId source, const CollectiveContext& network) {
  return search_steps(source, network, routes_of(network.routing, network.topology));
}

SearchedLevels search_from(SearchedLevels known, const CollectiveContext& network,
                           const RouteOf& routes) {
  LevelSearchEffort effort;
  effort.nearest = network.topology.grid()->dimensions() > 2 ? 24 : 16;
  while (known.members.back().size() > 1) {
    EdsLevel level =
        find_small_eds(known.members.back(), network.ports, network.topology, routes, effort);
    known.members.push_back(std::move(level.parents));
    known.descents.push_back(std::move(level.links));
  }
  return known;
}

EdnSteps steps_over(const SearchedLevels& levels, NodeId source, const CollectiveContext& network,
                    const RouteOf& routes) {
  std::size_t level = 0;
  std::optional<EdnSteps> steps;
  while (!(steps = find_startup(source, levels.members[level], network, routes))) ++level;
  // A relay of the start-up has the message before its level is served, so it is not served again.
  std::vector<bool> has(index(network.topology.nodes()), false);
  has[source.index()] = true;
  for (const std::vector<EdsLink>& step : *steps)
    for (const EdsLink& link : step) has[link.child.index()] = true;
  for (; level > 0; --level) {
    steps->emplace_back();
    for (const EdsLink& link : levels.descents[level - 1])
      if (!has[link.child.index()]) steps->back().push_back(link);
  }
  return *steps;
}

}  // namespace

SearchedLevels search_levels(const CollectiveContext& network) {
  return search_levels(network, {{all_nodes(network.topology)}, {}});
}

SearchedLevels search_levels(const CollectiveContext& network, SearchedLevels known) {
  return search_from(std::move(known), network, routes_of(network.routing, network.topology));
}

EdnSteps searched_broadcast(NodeId source, const SearchedLevels& levels,
                            const CollectiveContext& network) {
  return steps_over(levels, source, network, routes_of(network.routing, network.topology));
}

bool search_covers(const Topology& topology) {
  return topology.grid()->dimensions() <= 3 && topology.nodes() <= most_searched_nodes;
}

EdnSteps search_steps(NodeId root, const CollectiveContext& network, const RouteOf& routes) {
  const SearchedLevels levels = search_from({{all_nodes(network.topology)}, {}}, network, routes);
  return steps_over(levels, root, network, routes);
}

EdnShape edn_by_search() {
  return {"meshes and tori of up to three dimensions and 4096 nodes", search_covers, search_ports,
          search_steps};
}

}  // namespace flitwave
