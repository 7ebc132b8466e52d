// modules/network/channel_site.hpp: one channel of a netlist and its position.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "topologies/topology.hpp"

namespace flitwave {

class Channel;

/// One channel of a netlist and its position.
struct ChannelSite {
  enum class Kind { network, injection, ejection };

  Kind kind = Kind::network;
  NodeId from;
  NodeId to;
  PortId port;        ///< Output port of `from`'s router; the local port's number otherwise.
  std::string label;  ///< "channel_1_2_to_2_2", "injection_1_2", "ejection_1_2_port_3"
  Channel* channel = nullptr;
};

/// The channels of a network: those of the topology by their ids, then injection channels, then
/// ejection channels, both by node and local port. `local_ports`: of a node.
std::vector<ChannelSite> channel_sites(const Topology& topology,
                                       const std::function<int(NodeId)>& local_ports);

/// The numbers of the channels between a node and its router among them.
struct LocalChannels {
  LocalChannels(const Topology& topology, const std::function<int(NodeId)>& local_ports);

  int injection(NodeId node, int port) const { return first_injection[node.index()] + port; }
  int ejection(NodeId node, int port) const { return injection(node, port) + to_ejection; }

  std::vector<int> first_injection;  ///< Shape: [nodes]
  int to_ejection = 0;               ///< From the number of an injection channel.
};

}  // namespace flitwave
