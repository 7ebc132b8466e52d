// testbenches/run/testbench/latency_bound.hpp: no packet is faster than in an idle network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "modules/packet/packet_pool.hpp"
#include "routers/input_queued/closed_form.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// Compares packets that have arrived with the closed form of their latency over the fewest
/// channels between their ends. For networks that are no grid and larger than `most_nodes` it
/// checks nothing.
class LatencyBound {
 public:
  static constexpr int most_nodes = 4096;  ///< Distances take two bytes for each pair of nodes.

  /// The topology outlives it.
  LatencyBound(const Topology& topology, const ClosedForm& form);

  /// The packet's last flit is ejected in cycle `now`.
  /// Throws: ModelError when that is sooner than its closed form allows.
  void check(const Packet& packet, Cycle now) {
    const std::vector<Cycle>& least = least_[packet.length < most_flits ? index(packet.length) : 0];
    const std::size_t pair =
        packet.header.source.index() * nodes_ + packet.header.destination.index();
    const std::size_t hops = pair < hops_.size() ? hops_[pair] : 0;
    if (hops < least.size() && now - packet.created >= least[hops]) return;
    check_slowly(packet, now);
  }

 private:
  static constexpr std::int64_t most_flits = 64;  // longest packets whose latencies are cached

  int distance(NodeId from, NodeId to);
  void check_slowly(const Packet& packet, Cycle now);

  const Topology& topology_;
  ClosedForm form_;
  std::size_t nodes_;
  std::vector<std::uint16_t> hops_;        // Shape: [sources][nodes]; 0: not yet known
  std::vector<std::vector<Cycle>> least_;  // by flits and hops, where computed; none for 0 flits
};

}  // namespace flitwave
