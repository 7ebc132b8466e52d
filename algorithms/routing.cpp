// algorithms/routing.cpp: virtual channels shared among classes, and the path of one packet.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/routing.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "flitwave/configs/error.hpp"

namespace flitwave {
namespace {

void check_classes(int classes, int vcs) {
  if (classes < 1 || vcs < classes)
    throw ModelError(
        fmt::format("{} virtual channels cannot be shared among {} classes", vcs, classes));
}

}  // namespace

VcRange vcs_of_class(int vc_class, int classes, int vcs) {
  check_classes(classes, vcs);
  if (vc_class < 0 || vc_class >= classes)
    throw ModelError(fmt::format("there is no class {} among {} classes", vc_class, classes));
  const int share = vcs / classes;
  const int larger = vcs % classes;  // so many classes get one more
  return {vc_class * share + std::min(vc_class, larger), share + (vc_class < larger ? 1 : 0)};
}

std::vector<std::uint64_t> vc_masks(int classes, int vcs) {
  std::vector<std::uint64_t> masks;
  for (int vc_class = 0; vc_class < classes; ++vc_class) {
    const VcRange range = vcs_of_class(vc_class, classes, vcs);
    std::uint64_t mask = 0;
    for (int vc = range.first; vc < range.first + range.count; ++vc) mask |= std::uint64_t{1} << vc;
    masks.push_back(mask);
  }
  return masks;
}

int class_of_vc(int vc, int classes, int vcs) {
  check_classes(classes, vcs);
  if (vc < 0 || vc >= vcs)
    throw ModelError(fmt::format("there is no virtual channel {} among {}", vc, vcs));
  const int share = vcs / classes;
  const int larger = vcs % classes;
  const int in_larger = larger * (share + 1);
  return vc < in_larger ? vc / (share + 1) : larger + (vc - in_larger) / share;
}

std::vector<ChannelId> path(const RoutingFunction& routing, const Topology& topology,
                            const Header& header) {
  std::vector<ChannelId> channels;
  const std::size_t limit = 2 * static_cast<std::size_t>(topology.nodes());
  NodeId here = header.source;
  Arrival arrival;
  Route route;
  while (true) {
    route.clear();
    routing.route(here, arrival, header, route);
    if (route.candidates().empty()) break;
    const Candidate& first = route.candidates().front();
    if (first.local()) {
      if (here == header.destination) return channels;
      break;
    }
    const ChannelId channel = topology.channel_out(here, first.port);
    if (!channel.valid() || channels.size() == limit) break;
    channels.push_back(channel);
    const ChannelEnds& ends = topology.channel(channel);
    here = ends.to;
    arrival = {ends.to_port, first.vc_class};
  }
  throw ModelError(fmt::format("the route from {} to {} does not arrive; after {} hops it is at {}",
                               topology.label(header.source), topology.label(header.destination),
                               channels.size(), topology.label(here)));
}

}  // namespace flitwave
