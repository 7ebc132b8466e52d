// algorithms/untimed/channel_load.hpp: the load of every channel under a traffic pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/routing.hpp"
#include "algorithms/traffic.hpp"

namespace flitwave {

/// Flits per cycle over every channel when every node offers one flit per cycle, on average.
///
/// Source: Dally & Towles 2004, section 3.3.1.
/// Shape: [channels]
/// Throws: ConfigError when the pattern does not specify its probabilities, a packet has several
///   next hops, or its oblivious choices are not equally frequent.
std::vector<double> channel_load(const Topology& topology, const RoutingFunction& routing,
                                 const TrafficPattern& pattern);

/// The offered rate at which the busiest of these channels, or the injection channels, carry a flit
/// in every cycle; no network carries more. Unit: flit/node/cycle
double load_bound(const std::vector<double>& channel_load);

}  // namespace flitwave
