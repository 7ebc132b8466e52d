// testbenches/job/plan/offered_bound.hpp: an upper bound on the rate that the channels can carry
// under a pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "algorithms/routing.hpp"
#include "algorithms/traffic.hpp"
#include "modules/processor/processor_node.hpp"

namespace flitwave {

/// The load of the busiest channel under the pattern of an open-loop load. Channels between nodes
/// and channels to and from processors count.
struct OfferedBound {
  /// Flits per cycle on the average when every node offers one flit per cycle.
  double load = 0;
  std::string channel;  ///< e.g. "channel 3_0 to 4_0".

  /// The offered rate at which the channel would carry a flit in every cycle; above this rate no
  /// network carries the whole offered load. Flows that avoid the channel can still grow, so that
  /// the mean accepted rate can be greater. Unit: flit/node/cycle
  double rate() const { return 1 / load; }
};

/// Whether offered_bound would have to follow more than `most_ways` paths of packets.
bool has_more_ways(const Topology& topology, const RoutingFunction& routing,
                   const TrafficPattern& pattern, std::int64_t most_ways);

/// Source: Dally & Towles 2004, section 3.3.1.
/// Returns: nothing when the pattern does not specify the share of each destination, and when the
///   routing is adaptive.
std::optional<OfferedBound> offered_bound(const Topology& topology, const RoutingFunction& routing,
                                          const TrafficPattern& pattern, const PortCount& ports);

}  // namespace flitwave
