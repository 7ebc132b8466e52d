// algorithms/edn/startup.cpp: all two-step plans weighed, or first steps tried in turn.
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

  bool has_room(const std::vector<ChannelId>& route) const {
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
    places_.push_back(source);
    for (NodeId top : tops)
      if (top != source) places_.push_back(top);
    for (NodeId from : places_)
      for (NodeId to : places_)
        routes_.push_back(from == to ? std::vector<ChannelId>{}
                                     : path(network.routing, network.topology, {from, to}));
    server_.resize(places_.size(), source_place);
    sends_.resize(places_.size(), 0);
  }

  std::optional<EdsStartup> best() {
    choose_first(1, 0);
    if (best_server_.empty()) return std::nullopt;
    EdsStartup plan;
    for (std::size_t place = 1; place < places_.size(); ++place) {
      const bool early = best_server_[place] == early_place;
      const std::size_t from = early ? source_place : best_server_[place];
      (early ? plan.first : plan.second).push_back({places_[from], places_[place]});
    }
    return plan;
  }

 private:
  using Cost = std::tuple<int, int, std::size_t>;  // steps, sends one after the other, hops

  static constexpr std::size_t source_place = 0;
  static constexpr std::size_t early_place = std::numeric_limits<std::size_t>::max();

  const std::vector<ChannelId>& route(std::size_t from, std::size_t to) const {
    return routes_[from * places_.size() + to];
  }

  /// Decides for every place, from `place` on, whether the first step serves it.
  void choose_first(std::size_t place, int chosen) {
    if (place == places_.size()) {
      early_ = chosen;
      choose_second(1);
      return;
    }
    const std::vector<ChannelId>& way = route(source_place, place);
    if (chosen < ports_ && first_.has_room(way)) {
      first_.add(way, +1);
      server_[place] = early_place;
      hops_ += way.size();
      choose_first(place + 1, chosen + 1);
      hops_ -= way.size();
      first_.add(way, -1);
    }
    server_[place] = source_place;
    choose_first(place + 1, chosen);
  }

  /// Decides who serves every place that the first step left.
  void choose_second(std::size_t place) {
    while (place < places_.size() && server_[place] == early_place) ++place;
    if (place == places_.size()) return keep_if_best();
    for (std::size_t from = 0; from < places_.size(); ++from) {
      if (from != source_place && server_[from] != early_place) continue;
      const std::vector<ChannelId>& way = route(from, place);
      if (sends_[from] == ports_ || !second_.has_room(way)) continue;
      second_.add(way, +1);
      ++sends_[from];
      server_[place] = from;
      hops_ += way.size();
      choose_second(place + 1);
      hops_ -= way.size();
      server_[place] = source_place;
      --sends_[from];
      second_.add(way, -1);
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
  std::vector<NodeId> places_;                  // the source, then the tops that are not the source
  std::vector<std::vector<ChannelId>> routes_;  // Shape: [places][places]
  std::vector<std::size_t> server_;             // per place; early_place: the first step serves it
  std::vector<int> sends_;                      // per place, in the second step
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
    const auto [place, fresh] = known_.emplace(std::make_pair(from, to), std::vector<ChannelId>{});
    if (fresh) place->second = routes_(from, to);
    return place->second;
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

  /// Whether the source can send to a node beside those chosen.
  bool fits(NodeId node) {
    if (static_cast<int>(first_.size()) >= ports_) return false;
    const std::vector<ChannelId>& way = route(source_, node);
    return std::none_of(first_.begin(), first_.end(), [&](NodeId other) {
      const std::vector<ChannelId>& taken = route(source_, other);
      return std::find_first_of(way.begin(), way.end(), taken.begin(), taken.end()) != way.end();
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
