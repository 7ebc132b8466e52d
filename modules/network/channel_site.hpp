// modules/network/channel_site.hpp: one channel of a netlist and its position.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "topologies/ids.hpp"

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

}  // namespace flitwave
