// algorithms/virtual_channel.hpp: what packets hold and wait for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topologies/ids.hpp"

namespace flitwave {

/// A class of virtual channels on a channel: the resource that a blocked head holds.
struct VirtualChannel {
  ChannelId channel;
  int vc_class = 0;
  NodeId consumer{};  ///< Where it is valid, the channel is the ejection channels of this node.
};

}  // namespace flitwave
