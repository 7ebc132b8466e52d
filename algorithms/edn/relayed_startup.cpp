// algorithms/edn/relayed_startup.cpp: first steps tried in turn, each with the best second one.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/relayed_startup.hpp"

#include <algorithm>
#include <map>

namespace flitwave {
namespace {

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
    if (rest.size() > holders.size() * static_cast<std::size_t>(ports_)) return false;
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

std::optional<EdnSteps> find_startup(NodeId source, const std::vector<NodeId>& tops,
                                     const CollectiveContext& network, const RouteOf& routes) {
  if (tops.size() > most_startup_tops) return std::nullopt;
  return RelayedStartup(source, tops, network, routes).find();
}

}  // namespace flitwave
