// algorithms/virtual_channel.hpp: the resources that packets hold and wait for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topologies/ids.hpp"

namespace flitwave {

/// A class of virtual channels on a channel: the resource that a blocked head holds.
struct VirtualChannel {
  ChannelId channel;
  int vc_class = 0;
  NodeId consumer{};  ///< Where valid, the channel stands for the ejection channels of this node.
};

}  // namespace flitwave
