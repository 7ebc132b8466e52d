// testbenches/tests/unit/algorithms/routing/all_paths.hpp: every path that a routing relation
// allows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "algorithms/routing.hpp"
#include "topologies/topology.hpp"

namespace flitwave {
namespace testing {

/// A hop of a packet.
struct Hop {
  ChannelId channel;
  int vc_class = 0;

  friend bool operator==(const Hop& a, const Hop& b) {
    return a.channel == b.channel && a.vc_class == b.vc_class;
  }
};

/// The candidates of a packet that arrived by the last hop of `way`.
inline Route::Candidates candidates_after(const std::vector<Hop>& way, const RoutingFunction& by,
                                          const Topology& network, const Header& header) {
  Route route;
  if (way.empty()) {
    by.route(header.source, {}, header, route);
  } else {
    const ChannelEnds& ends = network.channel(way.back().channel);
    by.route(ends.to, {ends.to_port, way.back().vc_class}, header, route);
  }
  return route.candidates();
}

/// Calls `visit(way)` for every path, taking every candidate of every hop. A path longer than all
/// channels is an error.
template <class Visit>
void for_each_path(const RoutingFunction& by, const Topology& network, const Header& header,
                   Visit visit, std::vector<Hop> way = {}) {
  if (way.size() > static_cast<std::size_t>(network.channels()))
    throw std::logic_error("a packet does not arrive");
  const NodeId here = way.empty() ? header.source : network.channel(way.back().channel).to;
  const Route::Candidates candidates = candidates_after(way, by, network, header);
  if (candidates.empty()) throw std::logic_error("a packet is stuck");
  for (const Candidate& candidate : candidates) {
    if (candidate.local()) {
      if (here != header.destination) throw std::logic_error("a packet is delivered elsewhere");
      visit(way);
      continue;
    }
    way.push_back({network.channel_out(here, candidate.port), candidate.vc_class});
    for_each_path(by, network, header, visit, way);
    way.pop_back();
  }
}

/// Paths as sequences of channels, whatever the number of classes on each channel.
inline std::int64_t count_ways(const RoutingFunction& by, const Topology& network,
                               const Header& header) {
  std::vector<std::vector<int>> ways;
  for_each_path(by, network, header, [&](const std::vector<Hop>& way) {
    std::vector<int> channels;
    for (const Hop& hop : way) channels.push_back(hop.channel.value());
    ways.push_back(std::move(channels));
  });
  std::sort(ways.begin(), ways.end());
  return std::unique(ways.begin(), ways.end()) - ways.begin();
}

}  // namespace testing
}  // namespace flitwave
