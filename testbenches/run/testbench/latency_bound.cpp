// testbenches/run/testbench/latency_bound.cpp: see latency_bound.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/testbench/latency_bound.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "topologies/measures/measures.hpp"

namespace flitwave {

LatencyBound::LatencyBound(const Topology& topology, const ClosedForm& form)
    : topology_(topology), form_(form), nodes_(index(topology.nodes())), least_(most_flits) {
  if (topology.nodes() <= most_nodes) hops_.resize(nodes_ * nodes_, 0);
}

/// The fewest channels, or a lower bound; 0 when unknown.
int LatencyBound::distance(NodeId from, NodeId to) {
  if (hops_.empty()) return topology_.grid() ? topology_.grid()->distance(from, to) : 0;
  std::uint16_t* const row = &hops_[from.index() * nodes_];
  if (row[to.index()] == 0) {
    const std::vector<int> hops = hops_from(topology_, from);
    for (std::size_t node = 0; node < nodes_; ++node)
      row[node] = static_cast<std::uint16_t>(std::max(hops[node], 0));
  }
  return row[to.index()];
}

void LatencyBound::check_slowly(const Packet& packet, Cycle now) {
  constexpr Cycle unknown = INT64_MAX;  // for 0 hops
  const int hops = distance(packet.header.source, packet.header.destination);
  if (hops == 0) return;
  const Cycle least = form_.packet_latency(hops, packet.length);
  if (packet.length < most_flits) {
    std::vector<Cycle>& row = least_[index(packet.length)];
    if (row.empty()) row.push_back(unknown);
    while (row.size() <= index(hops))
      row.push_back(form_.packet_latency(static_cast<int>(row.size()), packet.length));
  }
  if (now - packet.created >= least) return;
  throw ModelError(
      fmt::format("packet {} of node {}, of {} flits for node {}, took {} cycles; over {} channels "
                  "it takes {} in an idle network",
                  packet.number, topology_.label(packet.header.source), packet.length,
                  topology_.label(packet.header.destination), now - packet.created, hops, least));
}

}  // namespace flitwave
