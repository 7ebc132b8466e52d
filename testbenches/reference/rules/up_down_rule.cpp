// testbenches/reference/rules/up_down_rule.cpp: shortest up*/down* routes on any graph.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/rules/up_down_rule.hpp"

#include <algorithm>
#include <tuple>

namespace flitwave::reference {

namespace {

constexpr int unreached = 1000000;

/// The numbers of hops from one node to each other one, by relaxation of all channels.
std::vector<int> hops_from(const Topology& graph, int start) {
  std::vector<int> hops(static_cast<std::size_t>(graph.nodes()), unreached);
  hops[static_cast<std::size_t>(start)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int number = 0; number < graph.channels(); ++number) {
      const ChannelEnds& channel = graph.channel(ChannelId(number));
      const int reached = hops[channel.from.index()] + 1;
      if (reached >= hops[channel.to.index()]) continue;
      hops[channel.to.index()] = reached;
      changed = true;
    }
  }
  return hops;
}

}  // namespace

UpDownRule::UpDownRule(const Topology& graph, int root, bool climbs)
    : graph_(graph),
      climbs_(climbs),
      levels_(hops_from(graph, root)),
      left_(static_cast<std::size_t>(graph.nodes()) * static_cast<std::size_t>(graph.nodes()) * 2,
            unreached) {
  for (int destination = 0; destination < graph.nodes(); ++destination) measure(destination);
}

int UpDownRule::central_node(const Topology& graph) {
  int best = -1;
  int least = unreached;
  for (int node = 0; node < graph.nodes(); ++node) {
    const std::vector<int> hops = hops_from(graph, node);
    const int farthest = *std::max_element(hops.begin(), hops.end());
    if (best >= 0 && farthest >= least) continue;
    best = node;
    least = farthest;
  }
  return best;
}

bool UpDownRule::is_up(const ChannelEnds& channel) const {
  const int from_level = levels_[channel.from.index()];
  const int to_level = levels_[channel.to.index()];
  return std::make_tuple(to_level, channel.to.value()) <
         std::make_tuple(from_level, channel.from.value());
}

int& UpDownRule::left(int destination, int node, int phase) {
  return left_[static_cast<std::size_t>((destination * graph_.nodes() + node) * 2 + phase)];
}

int UpDownRule::left(int destination, int node, int phase) const {
  return left_[static_cast<std::size_t>((destination * graph_.nodes() + node) * 2 + phase)];
}

int UpDownRule::phase_behind(const ChannelEnds& channel, int phase) const {
  if (!climbs_) return 0;
  if (!is_up(channel)) return 1;
  return phase == 0 ? 0 : -1;
}

void UpDownRule::measure(int destination) {
  for (const int phase : {0, 1}) left(destination, destination, phase) = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int number = 0; number < graph_.channels(); ++number) {
      const ChannelEnds& channel = graph_.channel(ChannelId(number));
      for (const int phase : {0, 1}) {
        const int behind = phase_behind(channel, phase);
        if (behind < 0) continue;
        const int hops = left(destination, channel.to.value(), behind) + 1;
        int& known = left(destination, channel.from.value(), phase);
        if (hops >= known) continue;
        known = hops;
        changed = true;
      }
    }
  }
}

std::vector<int> UpDownRule::ports(int here, int arrival, int destination) const {
  int phase = 0;
  if (climbs_ && arrival >= 0) {
    const ChannelId came_by = graph_.channel_in(NodeId(here), PortId(arrival));
    phase = is_up(graph_.channel(came_by)) ? 0 : 1;
  }
  std::vector<int> ports;
  for (int port = 0; port < graph_.port_limit() && here != destination; ++port) {
    const ChannelId leaves_by = graph_.channel_out(NodeId(here), PortId(port));
    if (!leaves_by.valid()) continue;
    const ChannelEnds& channel = graph_.channel(leaves_by);
    const int behind = phase_behind(channel, phase);
    if (behind >= 0 &&
        left(destination, channel.to.value(), behind) + 1 == left(destination, here, phase))
      ports.push_back(port);
  }
  return ports;
}

}  // namespace flitwave::reference
