// modules/transaction/reserved_channels.cpp: see reserved_channels.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/transaction/reserved_channels.hpp"

namespace flitwave {

ReservedChannels::ReservedChannels(const RoutingFunction& routing, const NetlistParams& params,
                                   const std::vector<ChannelSite>& sites) {
  for (const ChannelSite& site : sites) {
    channels_.push_back(channel_of(site, params));
    first_pool_.push_back(static_cast<int>(pools_.size()));
    add_pools(site, routing, params);
  }
}

ReservedChannel ReservedChannels::channel_of(const ChannelSite& site, const NetlistParams& params) {
  constexpr Cycle local_wire = 1;
  const bool injects = site.kind == ChannelSite::Kind::injection;
  const bool ejects = site.kind == ChannelSite::Kind::ejection;
  const RouterModel& sender = params.router(site.from);
  const RouterModel& receiver = params.router(site.to);
  const Cycle wire = injects || ejects ? local_wire : params.channel.latency.count;
  ReservedChannel channel;
  channel.vcs = params.channel.vcs;
  channel.buffer = params.channel.buffer.count;
  channel.times.crossing = wire + (injects ? 0 : sender.timing->traversal);
  channel.times.credit =
      wire + (injects ? params.timing.credit_delay : params.channel.credit_delay.count);
  channel.last = ejects;
  channel.whole = injects ? params.channel.whole_packet > 0 : sender.keeps_whole_packets();
  channel.atomic = !injects && sender.reallocation == VcReallocation::atomic;
  if (ejects) return channel;
  const PipelineTiming& timing = *receiver.timing;
  channel.times.decision = timing.route + timing.vc;
  channel.times.passage = timing.passage;
  channel.times.gap = timing.clocked ? timing.passage + 1 : 1;
  channel.stores = receiver.switching == Switching::store_and_forward;
  return channel;
}

void ReservedChannels::add_pools(const ChannelSite& site, const RoutingFunction& routing,
                                 const NetlistParams& params) {
  const int channel = static_cast<int>(first_pool_.size()) - 1;
  const int vcs = params.channel.vcs;
  if (site.kind == ChannelSite::Kind::network) {
    for (int vc_class = 0; vc_class < routing.vc_classes(); ++vc_class)
      pools_.push_back({channel, routing.class_vcs(vc_class, vcs)});
    return;
  }
  const bool alone = site.kind == ChannelSite::Kind::ejection &&
                     params.timing.ejection_sharing == EjectionSharing::packets;
  for (int part = 0; part < routing.message_classes(); ++part) {
    VcRange range = vcs_of_class(part, routing.message_classes(), vcs);
    if (alone) range.count = 1;
    pools_.push_back({channel, range});
  }
}

}  // namespace flitwave
