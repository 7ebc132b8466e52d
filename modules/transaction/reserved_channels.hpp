// modules/transaction/reserved_channels.hpp: the channels of a network as worms reserve them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/reservation/reservations.hpp"
#include "modules/network/channel_site.hpp"
#include "modules/network/netlist.hpp"

namespace flitwave {

/// Channels with the times that follow from the pipelines of routers, and their classes of virtual
/// channels.
class ReservedChannels {
 public:
  /// `sites`: the channels of the network.
  /// Needs: routers with a closed form (RouterSupport::transactions), credits
  ReservedChannels(const RoutingFunction& routing, const NetlistParams& params,
                   const std::vector<ChannelSite>& sites);

  const std::vector<ReservedChannel>& channels() const { return channels_; }
  const std::vector<ChannelPool>& pools() const { return pools_; }
  /// The pool of a class of virtual channels on a channel; of a message class on one to or from a
  /// processor.
  int pool(int channel, int vc_class) const { return first_pool_[index(channel)] + vc_class; }
  int vc_class(int channel, int pool) const { return pool - first_pool_[index(channel)]; }

 private:
  static ReservedChannel channel_of(const ChannelSite& site, const NetlistParams& params);
  void add_pools(const ChannelSite& site, const RoutingFunction& routing,
                 const NetlistParams& params);

  std::vector<ReservedChannel> channels_;
  std::vector<ChannelPool> pools_;
  std::vector<int> first_pool_;  // of each channel
};

}  // namespace flitwave
