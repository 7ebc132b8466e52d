// testbenches/latency_bound.cpp: see latency_bound.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/latency_bound.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "flitwave/configs/error.hpp"
#include "flitwave/topologies/measures.hpp"

namespace flitwave {

LatencyBound::LatencyBound(const Topology& topology, const ClosedForm& form)
    : topology_(topology), form_(form) {
  if (!topology.grid() && topology.nodes() <= most_nodes)
    distances_.resize(static_cast<std::size_t>(topology.nodes()));
}

/// The fewest channels, or fewer; 0 when they are not known.
int LatencyBound::distance(NodeId from, NodeId to) {
  if (const Grid* grid = topology_.grid()) return grid->distance(from, to);
  if (distances_.empty()) return 0;
  std::vector<std::uint16_t>& row = distances_[from.index()];
  if (row.empty())
    for (const int hops : hops_from(topology_, from))
      row.push_back(static_cast<std::uint16_t>(std::max(hops, 0)));
  return row[to.index()];
}

void LatencyBound::check(const Packet& packet, Cycle now) {
  const int hops = distance(packet.header.source, packet.header.destination);
  if (hops == 0) return;
  const Cycle least = form_.packet_latency(hops, packet.length);
  if (now - packet.created >= least) return;
  throw ModelError(
      fmt::format("packet {} of node {}, of {} flits for node {}, took {} cycles; over {} channels "
                  "it takes {} in an idle network",
                  packet.number, topology_.label(packet.header.source), packet.length,
                  topology_.label(packet.header.destination), now - packet.created, hops, least));
}

}  // namespace flitwave
