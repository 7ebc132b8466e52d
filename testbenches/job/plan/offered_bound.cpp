// testbenches/job/plan/offered_bound.cpp: see offered_bound.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan/offered_bound.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "algorithms/untimed/channel_load.hpp"
#include "configs/error.hpp"

namespace flitwave {

namespace {

/// The number of shares of patterns that can be evaluated within a second.
constexpr std::int64_t most_shares = std::int64_t{1} << 28;

/// The number of paths of packets that must be followed. Stops counting above `most`.
std::int64_t count_ways(const Topology& topology, const RoutingFunction& routing,
                        const TrafficPattern& pattern, std::int64_t most) {
  const auto choices = static_cast<std::int64_t>(routing.all_choices().size());
  std::int64_t ways = 0;
  for (int node = 0; node < topology.nodes() && ways <= most; ++node) {
    const std::vector<double> shares = pattern.shares(NodeId(node));
    ways += choices * (static_cast<std::int64_t>(shares.size()) -
                       std::count(shares.begin(), shares.end(), 0.0));
  }
  return ways;
}

/// Considers the channels to and from processors as well; the ports of a node share its packets.
void add_local_channels(const Topology& topology, const TrafficPattern& pattern,
                        const PortCount& ports, OfferedBound& bound) {
  std::vector<double> taken(index(topology.nodes()), 0);
  const auto consider = [&](int node, double flits, const char* channel) {
    const double load = flits / std::max(1, ports.of(topology.degree(NodeId(node))));
    if (load > bound.load)
      bound = {load,
               fmt::format("the {} channel of node {}", channel, topology.label(NodeId(node)))};
  };
  for (int node = 0; node < topology.nodes(); ++node) {
    const std::vector<double> shares = pattern.shares(NodeId(node));
    for (std::size_t to = 0; to < shares.size(); ++to) taken[to] += shares[to];
    consider(node, std::accumulate(shares.begin(), shares.end(), 0.0), "injection");
  }
  for (int node = 0; node < topology.nodes(); ++node)
    consider(node, taken[index(node)], "ejection");
}

}  // namespace

bool has_more_ways(const Topology& topology, const RoutingFunction& routing,
                   const TrafficPattern& pattern, std::int64_t most_ways) {
  // A pattern lists its shares node by node for each source.
  const auto nodes = static_cast<std::int64_t>(topology.nodes());
  return nodes * nodes > most_shares ||
         count_ways(topology, routing, pattern, most_ways) > most_ways;
}

std::optional<OfferedBound> offered_bound(const Topology& topology, const RoutingFunction& routing,
                                          const TrafficPattern& pattern, const PortCount& ports) {
  OfferedBound bound;
  try {
    const std::vector<double> load = channel_load(topology, routing, pattern);
    const auto busiest = std::max_element(load.begin(), load.end());
    bound = {*busiest,
             "channel " + topology.label(ChannelId(static_cast<int>(busiest - load.begin())))};
  } catch (const ConfigError&) {
    return std::nullopt;
  }
  add_local_channels(topology, pattern, ports, bound);
  if (bound.load <= 0) return std::nullopt;
  return bound;
}

}  // namespace flitwave
