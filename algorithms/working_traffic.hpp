// algorithms/working_traffic.hpp: a pattern of destinations among the nodes that work.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "algorithms/traffic.hpp"

namespace flitwave {

/// The same pattern where nodes are faulty from the start. Those send nothing and are sent nothing:
/// a source draws until it has drawn a node that works, so that the shares of the others grow
/// alike, and one that only sends to faulty nodes sends nothing.
/// The topology outlives the result.
/// Throws: ConfigError on the key `kind` when nodes are faulty and the pattern does not know its
///   shares.
std::unique_ptr<TrafficPattern> among_working(std::unique_ptr<TrafficPattern> pattern,
                                              const Topology& topology);

}  // namespace flitwave
