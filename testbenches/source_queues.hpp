// testbenches/source_queues.hpp: whether what waits at the sources grows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "flitwave/modules/traffic_control.hpp"
#include "flitwave/testbenches/observer.hpp"
#include "flitwave/topologies/netlist/netlist.hpp"

namespace flitwave {

/// Looks at the queues of all sources now and then during the measurement, and lays a straight line
/// through what it saw.
class SourceQueues final : private Sleeper {
 public:
  /// Netlist and domain outlive it.
  SourceQueues(Netlist& netlist, ClockDomain& domain, const Window& window);

  /// The source whose queue grew most beyond doubt, or none: by more than 2 % of what it offered,
  /// and by more than three standard deviations of what a source of this `dispersion` (variance
  /// over mean of its packets) offers by chance.
  NodeId growing(const TrafficControl& traffic, double dispersion) const;

  /// Adds the mean queue and its growth, per node.
  void report(Results& results) const;

 private:
  static constexpr int looks = 32;

  /// What was seen of one source. Unit: flit
  struct Seen {
    double sum = 0;
    double by_look = 0;  // sum of look number * flits
  };

  void due() override;
  double growth_per_look(const Seen& seen) const;

  Netlist& netlist_;
  ClockDomain& domain_;
  Window window_;
  Cycle step_;  // from look to look
  int taken_ = 0;
  std::vector<Seen> seen_;  // Shape: [nodes]
};

}  // namespace flitwave
