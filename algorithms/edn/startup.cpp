// algorithms/edn/startup.cpp: compares all two-step plans, or tries first steps in turn.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/startup.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "configs/error.hpp"

namespace flitwave {
namespace {

/// Channels in use within one step.
class Step {
 public:
  Step(int channels, bool may_share) : used_(index(channels), 0), may_share_(may_share) {}

  bool is_free(const std::vector<ChannelId>& route) const {
    return may_share_ || std::none_of(route.begin(), route.end(), [&](ChannelId channel) {
             return used_[channel.index()] != 0;
           });
  }
  void add(const std::vector<ChannelId>& route, int count) {
    for (ChannelId channel : route) used_[channel.index()] += count;
  }

 private:
  std::vector<int> used_;
  bool may_share_;
};

class StartupSearch {
 public:
  StartupSearch(NodeId source, const std::vector<NodeId>& tops, const CollectiveContext& network,
                bool may_share)
      : ports_(network.ports),
        first_(network.topology.channels(), may_share),
        second_(network.topology.channels(), may_share) {
    nodes_.push_back(source);
    for (NodeId top : tops)
      if (top != source) nodes_.push_back(top);
    for (NodeId from : nodes_)
      for (NodeId to : nodes_)
        routes_.push_back(from == to ? std::vector<ChannelId>{}
                                     : path(network.routing, network.topology, {from, to}));
    server_.resize(nodes_.size(), source_index);
    sends_.resize(nodes_.size(), 0);
  }

  std::optional<EdsStartup> best() {
    choose_first(1, 0);
    if (best_server_.empty()) return std::nullopt;
    EdsStartup plan;
    for (std::size_t node = 1; node < nodes_.size(); ++node) {
      const bool early = best_server_[node] == in_first_step;
      const std::size_t from = early ? source_index : best_server_[node];
      (early ? plan.first : plan.second).push_back({nodes_[from], nodes_[node]});
    }
    return plan;
  }

 private:
  using Cost = std::tuple<int, int, std::size_t>;  // steps, consecutive sends, hops

  static constexpr std::size_t source_index = 0;
  static constexpr std::size_t in_first_step = std::numeric_limits<std::size_t>::max();

  const std::vector<ChannelId>& route(std::size_t from, std::size_t to) const {
    return routes_[from * nodes_.size() + to];
  }

  /// Decides for every node, from `node` on, whether the first step serves it.
  void choose_first(std::size_t node, int chosen) {
    if (node == nodes_.size()) {
      early_ = chosen;
      choose_second(1);
      return;
    }
    const std::vector<ChannelId>& channels = route(source_index, node);
    if (chosen < ports_ && first_.is_free(channels)) {
      first_.add(channels, +1);
      server_[node] = in_first_step;
      hops_ += channels.size();
      choose_first(node + 1, chosen + 1);
      hops_ -= channels.size();
      first_.add(channels, -1);
    }
    server_[node] = source_index;
    choose_first(node + 1, chosen);
  }

  /// Selects the server of every node that the first step does not serve.
  void choose_second(std::size_t node) {
    while (node < nodes_.size() && server_[node] == in_first_step) ++node;
    if (node == nodes_.size()) return keep_if_best();
    for (std::size_t from = 0; from < nodes_.size(); ++from) {
      if (from != source_index && server_[from] != in_first_step) continue;
      const std::vector<ChannelId>& channels = route(from, node);
      if (sends_[from] == ports_ || !second_.is_free(channels)) continue;
      second_.add(channels, +1);
      ++sends_[from];
      server_[node] = from;
      hops_ += channels.size();
      choose_second(node + 1);
      hops_ -= channels.size();
      server_[node] = source_index;
      --sends_[from];
      second_.add(channels, -1);
    }
  }

  void keep_if_best() {
    const int late = *std::max_element(sends_.begin(), sends_.end());
    const Cost cost{late == 0 ? 1 : 2, early_ + late, hops_};
    if (!best_server_.empty() && cost >= best_cost_) return;
    best_cost_ = cost;
    best_server_ = server_;
  }

  int ports_;
  Step first_;
  Step second_;
  std::vector<NodeId> nodes_;                   // the source, then the tops that are not the source
  std::vector<std::vector<ChannelId>> routes_;  // Shape: [nodes][nodes]
  std::vector<std::size_t> server_;             // per node; in_first_step: in the first step
  std::vector<int> sends_;                      // per node, in the second step
  int early_ = 0;                               // sends in the first step
  std::size_t hops_ = 0;
  Cost best_cost_;
  std::vector<std::size_t> best_server_;
};

class RelayedStartup {
 public:
  RelayedStartup(NodeId source, const std::vector<NodeId>& tops, const CollectiveContext& network,
                 const RouteOf& routes)
      : source_(source), ports_(network.ports), grid_(*network.topology.grid()), routes_(routes) {
    for (NodeId top : tops)
      if (top != source) tops_.push_back(top);
    cached_ = [this](NodeId from, NodeId to) { return route(from, to); };
  }

  std::optional<EdnSteps> find() {
    if (tops_.empty()) return EdnSteps{};
    const EdsAssignment at_once = assign({source_}, tops_);
    if (at_once.found()) return EdnSteps{at_once.links};
    for (const std::vector<NodeId>& relays : {std::vector<NodeId>{}, in_line()})
      if (try_first_steps(tops_, relays, 0)) return EdnSteps{links_of_first(), second_};
    return std::nullopt;
  }

 private:
  static constexpr std::int64_t tries = 400;

  const std::vector<ChannelId>& route(NodeId from, NodeId to) {
    const auto [entry, fresh] = known_.emplace(std::make_pair(from, to), std::vector<ChannelId>{});
    if (fresh) entry->second = routes_(from, to);
    return entry->second;
  }

  EdsAssignment assign(const std::vector<NodeId>& parents, const std::vector<NodeId>& children) {
    return find_eds_assignment(parents, children, {ports_, false, tries}, cached_);
  }

  /// Nodes that differ from the source in one coordinate and are no tops.
  std::vector<NodeId> in_line() const {
    std::vector<NodeId> found;
    for (int number = 0; number < grid_.nodes(); ++number) {
      const NodeId node(number);
      int differ = 0;
      for (int dimension = 0; dimension < grid_.dimensions(); ++dimension)
        if (grid_.coordinate(node, dimension) != grid_.coordinate(source_, dimension)) ++differ;
      if (differ == 1 && std::find(tops_.begin(), tops_.end(), node) == tops_.end())
        found.push_back(node);
    }
    return found;
  }

  /// Chooses tops from `next` on for the first step, then one of the relays if there are any.
  bool try_first_steps(const std::vector<NodeId>& tops, const std::vector<NodeId>& relays,
                       std::size_t next) {
    if (next < tops.size()) {
      if (fits(tops[next])) {
        first_.push_back(tops[next]);
        const bool done = try_first_steps(tops, relays, next + 1);
        if (done) return true;
        first_.pop_back();
      }
      return try_first_steps(tops, relays, next + 1);
    }
    if (relays.empty()) return completes();
    return std::any_of(relays.begin(), relays.end(), [&](NodeId relay) {
      if (!fits(relay)) return false;
      first_.push_back(relay);
      const bool done = completes();
      if (!done) first_.pop_back();
      return done;
    });
  }

  /// Whether the source can send to a node in addition to those chosen.
  bool fits(NodeId node) {
    if (static_cast<int>(first_.size()) >= ports_) return false;
    const std::vector<ChannelId>& channels = route(source_, node);
    return std::none_of(first_.begin(), first_.end(), [&](NodeId other) {
      const std::vector<ChannelId>& taken = route(source_, other);
      return std::find_first_of(channels.begin(), channels.end(), taken.begin(), taken.end()) !=
             channels.end();
    });
  }

  bool completes() {
    std::vector<NodeId> holders{source_};
    holders.insert(holders.end(), first_.begin(), first_.end());
    std::vector<NodeId> rest;
    for (NodeId top : tops_)
      if (std::find(first_.begin(), first_.end(), top) == first_.end()) rest.push_back(top);
    if (rest.size() > holders.size() * index(ports_)) return false;
    EdsAssignment second = assign(holders, rest);
    second_ = std::move(second.links);
    return second.found();
  }

  std::vector<EdsLink> links_of_first() const {
    std::vector<EdsLink> links;
    for (NodeId node : first_) links.push_back({source_, node});
    return links;
  }

  NodeId source_;
  int ports_;
  const Grid& grid_;
  const RouteOf& routes_;
  RouteOf cached_;
  std::map<std::pair<NodeId, NodeId>, std::vector<ChannelId>> known_;
  std::vector<NodeId> tops_;
  std::vector<NodeId> first_;  // reached in the first step
  std::vector<EdsLink> second_;
};

}  // namespace

EdsStartup plan_startup(NodeId source, const std::vector<NodeId>& tops,
                        const CollectiveContext& network) {
  for (bool may_share : {false, true})
    if (std::optional<EdsStartup> plan = StartupSearch(source, tops, network, may_share).best())
      return *plan;
  throw ModelError("the source and the tops have too few ports for a start-up in two steps");
}

std::optional<EdnSteps> find_startup(NodeId source, const std::vector<NodeId>& tops,
                                     const CollectiveContext& network, const RouteOf& routes) {
  if (tops.size() > most_startup_tops) return std::nullopt;
  return RelayedStartup(source, tops, network, routes).find();
}

}  // namespace flitwave
