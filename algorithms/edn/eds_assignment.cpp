// algorithms/edn/eds_assignment.cpp: backtracking over children, the most constrained first.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/eds_assignment.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "configs/error.hpp"

namespace flitwave {
namespace {

/// Assigns children one by one, and counts the obstacles of each candidate link.
class AssignmentSearch {
 public:
  /// `reach`: the most channels of a route.
  AssignmentSearch(const std::vector<NodeId>& parents, const std::vector<NodeId>& children,
                   const AssignmentLimits& limits, const RouteOf& routes, std::size_t reach)
      : limits_(limits), sends_(parents.size(), 0), of_parent_(parents.size()) {
    for (NodeId child : children) {
      of_child_.emplace_back();
      for (std::size_t parent = 0; parent < parents.size(); ++parent)
        add_candidate(parent, routes(parents[parent], child), reach);
      std::stable_sort(of_child_.back().begin(), of_child_.back().end(),
                       [&](std::size_t a, std::size_t b) {
                         return candidates_[a].channels.size() < candidates_[b].channels.size();
                       });
    }
    for (const std::vector<std::size_t>& own : of_child_) {
      options_.push_back(own.size());
      least_hops_ += own.empty() ? 0 : candidates_[own.front()].channels.size();
    }
    chosen_.resize(children.size(), unserved);
    spare_ = static_cast<std::int64_t>(parents.size()) * limits.ports;
  }

  EdsAssignment::Verdict search() {
    const bool stopped = serve(chosen_.size());
    if (!best_.empty() || chosen_.empty()) return EdsAssignment::Verdict::found;
    return stopped ? EdsAssignment::Verdict::undecided : EdsAssignment::Verdict::none;
  }

  /// Index of the parent of each child.
  std::vector<std::size_t> parents_of_children() const {
    std::vector<std::size_t> parents;
    for (std::size_t candidate : best_) parents.push_back(candidates_[candidate].parent);
    return parents;
  }

 private:
  static constexpr std::size_t unserved = std::numeric_limits<std::size_t>::max();

  /// One parent that might serve one child.
  struct Candidate {
    std::size_t parent;
    std::size_t child;
    std::vector<std::size_t> channels;
    int obstacles = 0;  // channels of it in use, and one more when the parent has no port left
  };

  void add_candidate(std::size_t parent, const std::vector<ChannelId>& route, std::size_t reach) {
    if (route.size() > reach) return;
    const std::size_t number = candidates_.size();
    Candidate candidate{parent, of_child_.size() - 1, {}};
    for (ChannelId channel : route) {
      const std::size_t dense = dense_.emplace(channel, over_.size()).first->second;
      if (dense == over_.size()) over_.emplace_back();
      over_[dense].push_back(number);
      candidate.channels.push_back(dense);
    }
    candidates_.push_back(std::move(candidate));
    of_child_.back().push_back(number);
    of_parent_[parent].push_back(number);
  }

  void obstruct(std::size_t number, int change) {
    Candidate& candidate = candidates_[number];
    const bool was_open = candidate.obstacles == 0;
    candidate.obstacles += change;
    const bool open = candidate.obstacles == 0;
    if (was_open && !open) --options_[candidate.child];
    if (!was_open && open) ++options_[candidate.child];
  }

  /// Adds the candidate to the channels in use (+1) or removes it (-1).
  void use(std::size_t number, int change) {
    const Candidate& candidate = candidates_[number];
    for (std::size_t channel : candidate.channels)
      for (std::size_t other : over_[channel]) obstruct(other, change);
    int& sends = sends_[candidate.parent];
    const bool was_full = sends >= limits_.ports;
    sends += change;
    spare_ -= change;
    const bool full = sends >= limits_.ports;
    if (was_full != full)
      for (std::size_t other : of_parent_[candidate.parent]) obstruct(other, full ? +1 : -1);
    if (change > 0)
      hops_ += candidate.channels.size();
    else
      hops_ -= candidate.channels.size();
  }

  std::size_t shortest(std::size_t child) const {
    return of_child_[child].empty() ? 0 : candidates_[of_child_[child].front()].channels.size();
  }

  /// Serves the `left` children without a parent; true ends the whole search.
  bool serve(std::size_t left) {
    if (left == 0) return keep();
    if (++tried_ > limits_.tries) return true;
    if (spare_ < static_cast<std::int64_t>(left)) return false;
    const std::size_t child = most_constrained();
    least_hops_ -= shortest(child);
    const bool stop = try_parents(child, left);
    least_hops_ += shortest(child);
    return stop;
  }

  bool try_parents(std::size_t child, std::size_t left) {
    for (std::size_t number : of_child_[child]) {
      const Candidate& candidate = candidates_[number];
      if (candidate.obstacles != 0) continue;
      if (!best_.empty() && hops_ + candidate.channels.size() + least_hops_ >= best_hops_) break;
      use(number, +1);
      chosen_[child] = number;
      const bool stop = serve(left - 1);
      chosen_[child] = unserved;
      use(number, -1);
      if (stop) return true;
    }
    return false;
  }

  std::size_t most_constrained() const {
    std::size_t found = unserved;
    for (std::size_t child = 0; child < chosen_.size(); ++child) {
      if (chosen_[child] != unserved) continue;
      if (found == unserved || options_[child] < options_[found] ||
          (options_[child] == options_[found] && shortest(child) > shortest(found)))
        found = child;
    }
    return found;
  }

  bool keep() {
    best_ = chosen_;
    best_hops_ = hops_;
    return !limits_.fewest_hops;
  }

  AssignmentLimits limits_;
  std::vector<Candidate> candidates_;
  std::map<ChannelId, std::size_t> dense_;
  std::vector<std::vector<std::size_t>> over_;       // per channel in use here: candidates
  std::vector<std::vector<std::size_t>> of_child_;   // candidates, shortest first
  std::vector<std::size_t> options_;                 // per child: candidates without obstacle
  std::vector<int> sends_;                           // per parent
  std::vector<std::vector<std::size_t>> of_parent_;  // candidates
  std::vector<std::size_t> chosen_;                  // per child: candidate
  std::vector<std::size_t> best_;
  std::int64_t spare_ = 0;  // sends that the parents have left
  std::int64_t tried_ = 0;
  std::size_t hops_ = 0;
  std::size_t least_hops_ = 0;  // of the children without a parent, each by its shortest route
  std::size_t best_hops_ = 0;
};

constexpr std::size_t any_reach = std::numeric_limits<std::size_t>::max();

/// The channels from the nearest parent to the child that is farthest from its nearest.
std::size_t farthest_child(const std::vector<NodeId>& parents, const std::vector<NodeId>& children,
                           const RouteOf& routes) {
  std::size_t farthest = 0;
  for (NodeId child : children) {
    std::size_t nearest = any_reach;
    for (NodeId parent : parents) nearest = std::min(nearest, routes(parent, child).size());
    if (nearest != any_reach) farthest = std::max(farthest, nearest);
  }
  return farthest;
}

}  // namespace

RouteOf routes_of(const RoutingFunction& routing, const Topology& topology) {
  return [&](NodeId from, NodeId to) { return path(routing, topology, {from, to}); };
}

RouteOf dimension_order_routes(const Grid& grid) {
  return [&grid](NodeId from, NodeId to) {
    std::vector<ChannelId> route;
    NodeId at = from;
    for (int dimension = 0; dimension < grid.dimensions(); ++dimension) {
      const int hops = grid.coordinate(to, dimension) - grid.coordinate(from, dimension);
      const int step = hops > 0 ? +1 : -1;
      for (int hop = 0; hop != hops; hop += step) {
        const PortId port = Grid::port(dimension, step);
        route.emplace_back(at.value() * 2 * grid.dimensions() + port.value());
        at = grid.neighbour(at, dimension, step);
      }
    }
    return route;
  };
}

EdsAssignment find_eds_assignment(const std::vector<NodeId>& parents,
                                  const std::vector<NodeId>& children,
                                  const AssignmentLimits& limits, const RouteOf& routes) {
  // Most levels need no route longer than the distance of the farthest child from its nearest
  // parent, or twice that. With few candidates the search of a large level hardly ever backtracks.
  const bool great = children.size() > 16 && !limits.fewest_hops;
  const std::size_t near = great ? farthest_child(parents, children, routes) : 0;
  for (std::size_t reach : {near, 2 * near, any_reach}) {
    if (reach == 0) continue;
    AssignmentSearch search(parents, children, limits, routes, reach);
    EdsAssignment answer;
    answer.verdict = search.search();
    if (!answer.found() && reach != any_reach) continue;
    if (!answer.found()) return answer;
    const std::vector<std::size_t> chosen = search.parents_of_children();
    for (std::size_t child = 0; child < children.size(); ++child)
      answer.links.push_back({parents[chosen[child]], children[child]});
    return answer;
  }
  throw ModelError("the last search of an assignment has no answer");
}

std::optional<EdsConflict> find_conflict(const std::vector<EdsLink>& links, const RouteOf& routes) {
  std::map<ChannelId, std::size_t> user;
  for (std::size_t number = 0; number < links.size(); ++number)
    for (ChannelId channel : routes(links[number].parent, links[number].child)) {
      const auto [entry, fresh] = user.emplace(channel, number);
      if (!fresh) return EdsConflict{links[entry->second], links[number], channel};
    }
  return std::nullopt;
}

}  // namespace flitwave
