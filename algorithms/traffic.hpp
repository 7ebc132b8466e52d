// algorithms/traffic.hpp: random destinations for open-loop load.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "configs/random.hpp"
#include "configs/registry.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// A pattern of destinations. Pure except for the random stream.
class TrafficPattern {
 public:
  virtual ~TrafficPattern() = default;

  /// The destination of the source's next packet, or none when the source sends nothing.
  virtual NodeId destination(NodeId source, Random& random) const = 0;

  /// The probability of each destination in the long run; empty when the pattern does not specify
  /// it.
  /// Shape: [nodes]
  virtual std::vector<double> shares(NodeId source) const {
    (void)source;
    return {};
  }
};

/// Kinds of traffic: parameters, topology -> TrafficPattern. The topology outlives the pattern.
using TrafficPatterns = Registry<std::unique_ptr<TrafficPattern>(const Topology&)>;

}  // namespace flitwave
