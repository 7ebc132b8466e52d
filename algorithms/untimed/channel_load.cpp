// algorithms/untimed/channel_load.cpp: see channel_load.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/channel_load.hpp"

#include <algorithm>

namespace flitwave {

namespace {

/// Adds `flits` to every channel on the path of a header.
void add_way(const Topology& topology, const RoutingFunction& routing, const Header& header,
             double flits, std::vector<double>& load) {
  NodeId here = header.source;
  Arrival arrival;
  Route route;
  while (true) {
    route.clear();
    routing.route(here, arrival, header, route);
    if (route.candidates().size() != 1)
      throw ConfigError("routing",
                        "the load of channels depends on the choices of adaptive routing",
                        "use a routing without alternatives, such as dimension_order");
    const Candidate& only = route.candidates().front();
    if (only.local()) return;
    const ChannelId channel = topology.channel_out(here, only.port);
    load[channel.index()] += flits;
    here = topology.channel(channel).to;
    arrival = {topology.channel(channel).to_port, only.vc_class};
  }
}

/// The headers that packets of the source can have.
std::vector<std::uint32_t> choices_of(const RoutingFunction& routing, NodeId source) {
  std::vector<std::uint32_t> choices;
  for (const std::uint32_t choice : routing.all_choices())
    if (routing.may_choose(source, choice)) choices.push_back(choice);
  return choices;
}

}  // namespace

std::vector<double> channel_load(const Topology& topology, const RoutingFunction& routing,
                                 const TrafficPattern& pattern) {
  if (!routing.chooses_evenly())
    throw ConfigError("routing",
                      "the frequency of the packets' choices depends on their destinations",
                      "use a routing whose choices are equally frequent");
  std::vector<double> load(index(topology.channels()), 0);
  for (int node = 0; node < topology.nodes(); ++node) {
    const std::vector<double> shares = pattern.shares(NodeId(node));
    if (shares.empty())
      throw ConfigError("pattern",
                        "the pattern does not specify the probability of each destination",
                        "use one that does, such as uniform or a permutation");
    const std::vector<std::uint32_t> choices = choices_of(routing, NodeId(node));
    for (int destination = 0; destination < topology.nodes(); ++destination) {
      const double share = shares[index(destination)];
      if (share <= 0) continue;
      for (const std::uint32_t choice : choices)
        add_way(topology, routing, {NodeId(node), NodeId(destination), choice, 0},
                share / static_cast<double>(choices.size()), load);
    }
  }
  return load;
}

double load_bound(const std::vector<double>& channel_load) {
  const double greatest = *std::max_element(channel_load.begin(), channel_load.end());
  return greatest > 1 ? 1 / greatest : 1;
}

}  // namespace flitwave
