// topologies/fault_set.cpp: see fault_set.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/fault_set.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "topologies/topology.hpp"

namespace flitwave {
namespace {

/// The channels that leave a node, or enter it, by port.
template <class Visit>
void visit_channels(const Topology& topology, NodeId node, bool leaving, Visit visit) {
  for (int port = 0; port < topology.port_limit(); ++port) {
    const ChannelId channel = leaving ? topology.channel_out(node, PortId(port))
                                      : topology.channel_in(node, PortId(port));
    if (channel.valid()) visit(channel);
  }
}

/// "3, 5 and 9"
std::string listed(const Topology& topology, const std::vector<NodeId>& nodes) {
  std::string text;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    text += (i == 0 ? "" : i + 1 == nodes.size() ? " and " : ", ") + topology.label(nodes[i]);
  return text;
}

/// The neighbours of faulty nodes and the ends of faulty links, ascending; only these have faulty
/// neighbours, and they are few.
std::vector<NodeId> nodes_at_faults(const Topology& topology, const FaultSet& faults) {
  std::vector<NodeId> nodes;
  for (const NodeFault& fault : faults.nodes())
    visit_channels(topology, fault.node, false,
                   [&](ChannelId channel) { nodes.push_back(topology.channel(channel).from); });
  for (const LinkFault& fault : faults.links()) nodes.insert(nodes.end(), {fault.a, fault.b});
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

void FaultSet::break_channel(const Topology& topology, ChannelId channel, Cycle onset) {
  channel_onsets_.resize(index(topology.channels()), never);
  Cycle& known = channel_onsets_[channel.index()];
  known = std::min(known, onset);
}

void FaultSet::break_node(const Topology& topology, NodeId node, Cycle onset) {
  if (broken(node, never - 1))
    throw ConfigError("", fmt::format("node {} is named twice", topology.label(node)),
                      "name every fault once");
  nodes_.push_back({node, onset});
  node_onsets_.resize(index(topology.nodes()), never);
  channel_onsets_.resize(index(topology.channels()), never);
  node_onsets_[node.index()] = onset;
  for (bool leaving : {true, false})
    visit_channels(topology, node, leaving,
                   [&](ChannelId channel) { break_channel(topology, channel, onset); });
}

void FaultSet::break_link(const Topology& topology, NodeId a, NodeId b, Cycle onset) {
  if (b < a) std::swap(a, b);
  for (const LinkFault& link : links_)
    if (link.a == a && link.b == b)
      throw ConfigError("",
                        fmt::format("the link of nodes {} and {} is named twice", topology.label(a),
                                    topology.label(b)),
                        "name every fault once");
  std::vector<ChannelId> between;
  for (bool leaving : {true, false})
    visit_channels(topology, a, leaving, [&](ChannelId channel) {
      const ChannelEnds& ends = topology.channel(channel);
      if ((leaving ? ends.to : ends.from) == b) between.push_back(channel);
    });
  if (between.empty())
    throw ConfigError(
        "", fmt::format("nodes {} and {} have no link", topology.label(a), topology.label(b)),
        "name two neighbours");
  links_.push_back({a, b, onset});
  for (ChannelId channel : between) break_channel(topology, channel, onset);
}

std::vector<Cycle> FaultSet::onsets() const {
  std::vector<Cycle> cycles;
  for (const NodeFault& fault : nodes_) cycles.push_back(fault.onset);
  for (const LinkFault& fault : links_) cycles.push_back(fault.onset);
  std::sort(cycles.begin(), cycles.end());
  cycles.erase(std::unique(cycles.begin(), cycles.end()), cycles.end());
  return cycles;
}

std::vector<LostNeighbours> fault_violations(const Topology& topology, const FaultSet& faults,
                                             Cycle now) {
  std::vector<LostNeighbours> found;
  for (NodeId node : nodes_at_faults(topology, faults)) {
    if (faults.broken(node, now)) continue;
    LostNeighbours lost{node, {}};
    visit_channels(topology, node, true, [&](ChannelId channel) {
      const NodeId to = topology.channel(channel).to;
      std::vector<NodeId>& known = lost.neighbours;
      if (faults.broken(channel, now) && std::find(known.begin(), known.end(), to) == known.end())
        known.push_back(to);
    });
    if (lost.neighbours.size() > 1) found.push_back(std::move(lost));
  }
  return found;
}

void require_valid_faults(const Topology& topology, const FaultSet& faults) {
  if (static_cast<int>(faults.nodes().size()) == topology.nodes())
    throw ConfigError("faults", "all nodes are faulty", "leave some nodes fault-free");
  for (Cycle onset : faults.onsets()) {
    const std::vector<LostNeighbours> found = fault_violations(topology, faults, onset);
    if (found.empty()) continue;
    const std::size_t others = found.size() - 1;
    throw ConfigError(
        "faults",
        fmt::format(
            "fault-free node {} has the faulty neighbours {}{}{}",
            topology.label(found.front().node), listed(topology, found.front().neighbours),
            onset > 0 ? fmt::format(" from cycle {} on", onset) : "",
            others == 0 ? "" : fmt::format(", and {} more fault-free nodes have several", others)),
        "leave each fault-free node one at most, or set faults.condition: warn");
  }
}

}  // namespace flitwave
