// algorithms/deadlock/message_classes.cpp: see message_classes.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/deadlock/message_classes.hpp"

#include <fmt/format.h>

namespace flitwave {

void MessageClasses::route(NodeId here, const Arrival& arrival, const Header& header,
                           Route& route) const {
  Arrival inner = arrival;
  inner.vc_class /= count_;
  inner_->route(here, inner, header, route);
  route.split_classes(count_, header.message_class);
}

VcRange MessageClasses::class_vcs(int vc_class, int vcs) const {
  const VcRange share = vcs_of_class(vc_class % count_, count_, vcs);
  const VcRange inner = inner_->class_vcs(vc_class / count_, share.count);
  return {share.first + inner.first, inner.count};
}

std::string protocol_cycle(const Topology& topology, const RoutingFunction& routing) {
  const NodeId here(0);
  const NodeId there(1);
  std::string text;
  const auto add = [&](NodeId from, NodeId to) {
    for (const ChannelId channel : path(routing, topology, {from, to, 0}))
      text += topology.label(channel) + " -> ";
    text += fmt::format("interface of {} -> ", topology.label(to));
  };
  add(here, there);
  add(there, here);
  return text + "...";
}

}  // namespace flitwave
