// testbenches/job/plan/offered_bound.hpp: the greatest rate that the channels could carry under a
// pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "algorithms/routing.hpp"
#include "algorithms/traffic.hpp"
#include "modules/processor/processor_node.hpp"

namespace flitwave {

/// What the pattern of an open-loop load asks of the busiest channel, be it between nodes or to or
/// from a processor.
struct OfferedBound {
  /// Flits per cycle on the average when every node offers one flit per cycle.
  double load = 0;
  std::string channel;  ///< e.g. "channel 3_0 to 4_0".

  /// The offered rate at which the channel would carry a flit in every cycle; beyond it no network
  /// carries all that is offered. Flows that avoid the channel may go on, so that the mean accepted
  /// rate can be greater. Unit: flit/node/cycle
  double rate() const { return 1 / load; }
};

/// Whether more than `most_ways` ways of packets would have to be followed for offered_bound.
bool has_more_ways(const Topology& topology, const RoutingFunction& routing,
                   const TrafficPattern& pattern, std::int64_t most_ways);

/// Source: Dally & Towles 2004, section 3.3.1.
/// Returns: nothing when the pattern does not say how often it names each destination, and when
///   packets have several ways to go on.
std::optional<OfferedBound> offered_bound(const Topology& topology, const RoutingFunction& routing,
                                          const TrafficPattern& pattern, const PortCount& ports);

}  // namespace flitwave
