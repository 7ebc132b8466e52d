// modules/network/channel_site.cpp: see channel_site.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/network/channel_site.hpp"

namespace flitwave {

namespace {

/// "injection_1_2", and "injection_1_2_port_3" where a node has several.
std::string local_label(const char* kind, const std::string& node, int port, int ports) {
  std::string label = std::string(kind) + "_" + node;
  if (ports > 1) label += "_port_" + std::to_string(port);
  return label;
}

}  // namespace

std::vector<ChannelSite> channel_sites(const Topology& topology,
                                       const std::function<int(NodeId)>& local_ports) {
  std::vector<ChannelSite> channels;
  for (int id = 0; id < topology.channels(); ++id) {
    const ChannelEnds& ends = topology.channel(ChannelId(id));
    channels.push_back({ChannelSite::Kind::network, ends.from, ends.to, ends.from_port,
                        "channel_" + topology.label(ChannelId(id)), nullptr});
  }
  const auto add_local = [&](ChannelSite::Kind kind, const char* word) {
    for (int i = 0; i < topology.nodes(); ++i) {
      const NodeId node(i);
      const int ports = local_ports(node);
      for (int port = 0; port < ports; ++port)
        channels.push_back({kind, node, node, PortId(port),
                            local_label(word, topology.label(node), port, ports), nullptr});
    }
  };
  add_local(ChannelSite::Kind::injection, "injection");
  add_local(ChannelSite::Kind::ejection, "ejection");
  return channels;
}

LocalChannels::LocalChannels(const Topology& topology,
                             const std::function<int(NodeId)>& local_ports) {
  int next = topology.channels();
  for (int i = 0; i < topology.nodes(); ++i) {
    first_injection.push_back(next);
    next += local_ports(NodeId(i));
  }
  to_ejection = next - topology.channels();
}

}  // namespace flitwave
