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

/// The candidates of a packet that arrived by the last hop of `path`.
inline Route::Candidates candidates_after(const std::vector<Hop>& path, const RoutingFunction& by,
                                          const Topology& network, const Header& header) {
  Route route;
  if (path.empty()) {
    by.route(header.source, {}, header, route);
  } else {
    const ChannelEnds& ends = network.channel(path.back().channel);
    by.route(ends.to, {ends.to_port, path.back().vc_class}, header, route);
  }
  return route.candidates();
}

/// Calls `visit(path)` for every path, taking every candidate of every hop. A path longer than all
/// channels is an error.
template <class Visit>
void for_each_path(const RoutingFunction& by, const Topology& network, const Header& header,
                   Visit visit, std::vector<Hop> path = {}) {
  if (path.size() > static_cast<std::size_t>(network.channels()))
    throw std::logic_error("a packet does not arrive");
  const NodeId here = path.empty() ? header.source : network.channel(path.back().channel).to;
  const Route::Candidates candidates = candidates_after(path, by, network, header);
  if (candidates.empty()) throw std::logic_error("a packet is stuck");
  for (const Candidate& candidate : candidates) {
    if (candidate.local()) {
      if (here != header.destination) throw std::logic_error("a packet is delivered elsewhere");
      visit(path);
      continue;
    }
    path.push_back({network.channel_out(here, candidate.port), candidate.vc_class});
    for_each_path(by, network, header, visit, path);
    path.pop_back();
  }
}

/// Paths as sequences of channels, whatever the number of classes on each channel.
inline std::int64_t count_paths(const RoutingFunction& by, const Topology& network,
                                const Header& header) {
  std::vector<std::vector<int>> paths;
  for_each_path(by, network, header, [&](const std::vector<Hop>& path) {
    std::vector<int> channels;
    for (const Hop& hop : path) channels.push_back(hop.channel.value());
    paths.push_back(std::move(channels));
  });
  std::sort(paths.begin(), paths.end());
  return std::unique(paths.begin(), paths.end()) - paths.begin();
}

}  // namespace testing
}  // namespace flitwave
