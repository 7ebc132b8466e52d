// algorithms/routing.cpp: virtual channels shared among classes, and the path of one packet.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/routing.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {
namespace {

void check_classes(int classes, int vcs) {
  if (classes < 1 || vcs < classes)
    throw ModelError(
        fmt::format("{} virtual channels cannot be shared among {} classes", vcs, classes));
}

}  // namespace

std::vector<std::string> names_of(Direction) { return {"mesh", "minimal", "positive", "negative"}; }

void RoutingFunction::check_direction(Direction direction) const {
  throw ConfigError(
      "kind",
      fmt::format("messages of the algorithm name a direction of their own ({}), which this "
                  "routing does not support",
                  Codec<Direction>::print(direction)),
      "use kind: dimension_order");
}

VcRange vcs_of_class(int vc_class, int classes, int vcs) {
  check_classes(classes, vcs);
  if (vc_class < 0 || vc_class >= classes)
    throw ModelError(fmt::format("there is no class {} among {} classes", vc_class, classes));
  const int share = vcs / classes;
  const int larger = vcs % classes;  // so many classes get one more
  return {vc_class * share + std::min(vc_class, larger), share + (vc_class < larger ? 1 : 0)};
}

VcRange RoutingFunction::class_vcs(int vc_class, int vcs) const {
  return vcs_of_class(vc_class, vc_classes(), vcs);
}

int RoutingFunction::class_of_vc(int vc, int vcs) const {
  for (int vc_class = 0; vc_class < vc_classes(); ++vc_class) {
    const VcRange range = class_vcs(vc_class, vcs);
    if (vc >= range.first && vc < range.first + range.count) return vc_class;
  }
  throw ModelError(fmt::format("virtual channel {} among {} belongs to no class", vc, vcs));
}

void require_vcs(const RoutingFunction& routing, int vcs) {
  const int least = routing.least_vcs();
  if (vcs >= least) return;
  throw ConfigError("channel.vcs",
                    fmt::format("the routing needs at least {} virtual channels on this topology; "
                                "a channel has only {}",
                                least, vcs),
                    fmt::format("set channel.vcs to {} or more", least));
}

namespace {

std::uint64_t mask(VcRange range) {
  std::uint64_t bits = 0;
  for (int vc = range.first; vc < range.first + range.count; ++vc) bits |= std::uint64_t{1} << vc;
  return bits;
}

}  // namespace

std::vector<std::uint64_t> class_masks(const RoutingFunction& routing, int vcs) {
  std::vector<std::uint64_t> masks;
  for (int vc_class = 0; vc_class < routing.vc_classes(); ++vc_class)
    masks.push_back(mask(routing.class_vcs(vc_class, vcs)));
  return masks;
}

std::vector<std::uint64_t> message_masks(const RoutingFunction& routing, int vcs) {
  std::vector<std::uint64_t> masks;
  for (int part = 0; part < routing.message_classes(); ++part)
    masks.push_back(mask(vcs_of_class(part, routing.message_classes(), vcs)));
  return masks;
}

Arrival arrival_at(const Topology& topology, NodeId node) {
  for (int port = 0; port < topology.port_limit(); ++port)
    if (topology.channel_in(node, PortId(port)).valid()) return {PortId(port), 0};
  return {};
}

std::vector<Crossing> crossings(const RoutingFunction& routing, const Topology& topology,
                                const Header& header, Arrival arrival) {
  std::vector<Crossing> way;
  const std::size_t limit = 2 * index(topology.nodes());
  NodeId here = header.source;
  Route route;
  while (true) {
    route.clear();
    routing.route(here, arrival, header, route);
    if (route.candidates().empty()) break;
    const Candidate& first = route.candidates().front();
    if (first.local()) {
      if (here == header.destination) return way;
      break;
    }
    const ChannelId channel = topology.channel_out(here, first.port);
    if (!channel.valid() || way.size() == limit) break;
    way.push_back({channel, first.vc_class});
    const ChannelEnds& ends = topology.channel(channel);
    here = ends.to;
    arrival = {ends.to_port, first.vc_class};
  }
  throw ModelError(fmt::format("the route from {} to {} does not arrive; after {} hops it is at {}",
                               topology.label(header.source), topology.label(header.destination),
                               way.size(), topology.label(here)));
}

std::vector<ChannelId> channels_of(const std::vector<Crossing>& way) {
  std::vector<ChannelId> channels;
  for (const Crossing& crossing : way) channels.push_back(crossing.channel);
  return channels;
}

std::vector<ChannelId> path(const RoutingFunction& routing, const Topology& topology,
                            const Header& header, Arrival arrival) {
  return channels_of(crossings(routing, topology, header, arrival));
}

}  // namespace flitwave
