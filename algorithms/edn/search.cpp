// algorithms/edn/search.cpp: groups formed, taken apart and formed anew, level by level.
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

/// The nodes of the set in groups of a parent and its children; places are indices into the set.
class Groups {
 public:
  Groups(const std::vector<NodeId>& nodes, int ports, const Topology& topology,
         const RouteOf& routes, int nearest)
      : ports_(ports),
        random_(0, "extended dominating set"),
        places_(nodes.size()),
        used_(index(topology.channels()), false) {
    for (Index child = 0; child < nodes.size(); ++child)
      for (Index parent : nearest_to(child, nodes, *topology.grid(), nearest))
        add_way(parent, child, routes(nodes[parent], nodes[child]));
  }

  Index parents() const { return parents_; }

  /// Puts every node into a group.
  void form() {
    for (Index place = 0; place < places_.size(); ++place) {
      std::vector<Index> around;
      const auto add = [&](Index other) {
        if (places_[other].role == Role::free) around.push_back(other);
      };
      if (places_[place].role != Role::free) continue;
      add(place);
      for (Index way : places_[place].ways_in) add(ways_[way].parent);
      group(std::move(around));
    }
  }

  /// Takes some groups around a random node apart and forms new ones; undone if they are more.
  void improve() {
    std::vector<Index> torn = members_around(random_.below(places_.size()), 2 + random_.below(6));
    std::vector<std::pair<Index, Place>> before;
    for (Index place : torn) before.emplace_back(place, places_[place]);
    const Index count = parents_;
    release_all(torn);
    group(torn);
    if (parents_ <= count) return;
    release_all(torn);
    for (const auto& [place, old] : before)
      if (old.role == Role::parent) make_parent(place);
    for (const auto& [place, old] : before)
      if (old.role == Role::child) serve(old.way);
  }

  EdsLevel level(const std::vector<NodeId>& nodes) const {
    EdsLevel found;
    for (Index place = 0; place < places_.size(); ++place)
      if (places_[place].role == Role::parent)
        found.parents.push_back(nodes[place]);
      else
        found.links.push_back({nodes[ways_[places_[place].way].parent], nodes[place]});
    return found;
  }

 private:
  enum class Role { free, parent, child };

  /// From a parent to a child.
  struct Way {
    Index parent;
    Index child;
    std::vector<ChannelId> channels;
  };
  struct Place {
    Role role = Role::free;
    Index way = 0;  // of a child
    int sends = 0;  // of a parent
    std::vector<Index> ways_in;
    std::vector<Index> ways_out;
  };

  static std::vector<Index> nearest_to(Index place, const std::vector<NodeId>& nodes,
                                       const Grid& grid, int count) {
    std::vector<std::pair<int, Index>> others;
    for (Index other = 0; other < nodes.size(); ++other)
      if (other != place) others.emplace_back(grid.distance(nodes[other], nodes[place]), other);
    const auto end = others.begin() +
                     std::min<std::ptrdiff_t>(count, static_cast<std::ptrdiff_t>(others.size()));
    std::partial_sort(others.begin(), end, others.end());
    std::vector<Index> found;
    for (auto at = others.begin(); at != end; ++at) found.push_back(at->second);
    return found;
  }

  void add_way(Index parent, Index child, std::vector<ChannelId> channels) {
    places_[child].ways_in.push_back(ways_.size());
    places_[parent].ways_out.push_back(ways_.size());
    ways_.push_back({parent, child, std::move(channels)});
  }

  bool open(const Way& way) const {
    return places_[way.parent].sends < ports_ &&
           std::none_of(way.channels.begin(), way.channels.end(),
                        [&](ChannelId channel) { return used_[channel.index()]; });
  }

  void serve(Index number) {
    const Way& way = ways_[number];
    for (ChannelId channel : way.channels) used_[channel.index()] = true;
    ++places_[way.parent].sends;
    places_[way.child].role = Role::child;
    places_[way.child].way = number;
  }

  void make_parent(Index place) {
    places_[place].role = Role::parent;
    ++parents_;
  }

  void release(Index place) {
    Place& at = places_[place];
    if (at.role == Role::parent) --parents_;
    if (at.role == Role::child) {
      for (ChannelId channel : ways_[at.way].channels) used_[channel.index()] = false;
      --places_[ways_[at.way].parent].sends;
    }
    at.role = Role::free;
  }

  void release_all(const std::vector<Index>& all) {
    for (Index place : all) release(place);
  }

  /// The members of up to `count` groups, those nearest to a place first.
  std::vector<Index> members_around(Index place, Index count) const {
    std::vector<Index> heads;
    const auto add_head_of = [&](Index of) {
      const Index head = places_[of].role == Role::child ? ways_[places_[of].way].parent : of;
      if (heads.size() < count && std::find(heads.begin(), heads.end(), head) == heads.end())
        heads.push_back(head);
    };
    add_head_of(place);
    for (Index way : places_[place].ways_in) add_head_of(ways_[way].parent);
    std::vector<Index> members = heads;
    for (Index head : heads)
      for (Index way : places_[head].ways_out) {
        const Place& at = places_[ways_[way].child];
        if (at.role == Role::child && at.way == way) members.push_back(ways_[way].child);
      }
    return members;
  }

  /// Groups free nodes: attaches what existing parents can serve, then makes one more parent of
  /// the node that can serve most of the rest, and so on.
  void group(std::vector<Index> free) {
    while (!free.empty()) {
      while (attach_one(free)) {
      }
      if (!free.empty()) make_best_parent(free);
    }
  }

  /// Attaches the node with the fewest open ways in to the nearest parent.
  bool attach_one(std::vector<Index>& free) {
    Index found = free.size();
    Index found_way = 0;
    Index fewest = 0;
    for (Index i = 0; i < free.size(); ++i) {
      Index count = 0;
      Index first = 0;
      for (Index way : places_[free[i]].ways_in)
        if (places_[ways_[way].parent].role == Role::parent && open(ways_[way]) && count++ == 0)
          first = way;
      if (count == 0 || (found != free.size() && !precedes(count, fewest))) continue;
      fewest = count;
      found = i;
      found_way = first;
    }
    if (found == free.size()) return false;
    serve(found_way);
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
  Index children_to_gain(Index place) {
    std::vector<Index> served;
    for (Index way : places_[place].ways_out)
      if (places_[ways_[way].child].role == Role::free && open(ways_[way])) {
        serve(way);
        served.push_back(ways_[way].child);
      }
    release_all(served);
    return served.size();
  }

  /// Whether a is less than b, or equal and the coin says so.
  bool precedes(Index a, Index b) { return a < b || (a == b && random_.below(2) == 0); }

  static void remove(std::vector<Index>& from, Index at) {
    from[at] = from.back();
    from.pop_back();
  }

  int ports_;
  Random random_;
  std::vector<Place> places_;
  std::vector<Way> ways_;
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
  // A relay of the start-up has the message before its turn, so that nobody serves it again.
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
