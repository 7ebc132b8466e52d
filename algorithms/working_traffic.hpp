// algorithms/working_traffic.hpp: a pattern of destinations among the fault-free nodes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "algorithms/traffic.hpp"

namespace flitwave {

/// The same pattern where nodes are faulty from the start. These send and receive nothing: a source
/// chooses again until the node is fault-free, so that the shares of the others grow in proportion,
/// and one that only sends to faulty nodes sends nothing. The topology outlives the result.
/// Throws: ConfigError on the key `kind` when nodes are faulty and the pattern does not specify its
///   probabilities.
std::unique_ptr<TrafficPattern> among_working(std::unique_ptr<TrafficPattern> pattern,
                                              const Topology& topology);

}  // namespace flitwave
