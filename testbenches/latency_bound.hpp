// testbenches/latency_bound.hpp: no packet is faster than in an idle network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "flitwave/modules/packet_pool.hpp"
#include "flitwave/routers/closed_form.hpp"
#include "flitwave/topologies/topology.hpp"

namespace flitwave {

/// Compares packets that have arrived with the closed form of their latency over the fewest
/// channels between their ends. Of networks that are no grid, larger than `most_nodes`, it holds
/// nothing against any packet.
class LatencyBound {
 public:
  static constexpr int most_nodes = 4096;  ///< Distances take two bytes for each pair of nodes.

  /// The topology outlives it.
  LatencyBound(const Topology& topology, const ClosedForm& form);

  /// The packet's last flit is taken out in cycle `now`.
  /// Throws: ModelError when that is sooner than its closed form allows.
  void check(const Packet& packet, Cycle now);

 private:
  int distance(NodeId from, NodeId to);

  const Topology& topology_;
  ClosedForm form_;
  std::vector<std::vector<std::uint16_t>> distances_;  // by source, once it is asked for
};

}  // namespace flitwave
