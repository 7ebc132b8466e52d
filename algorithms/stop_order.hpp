// algorithms/stop_order.hpp: the remaining stops of a worm, and the class of its consumption
// channels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "algorithms/virtual_channel.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// The order in which worms visit their destinations under one routing relation. A worm is routed
/// from each stop to the next, and the stops are in this order on its path; so a router can
/// determine the remaining stops from the list in the header and its own node.
class StopOrder {
 public:
  virtual ~StopOrder() = default;
  StopOrder& operator=(const StopOrder&) = delete;
  StopOrder& operator=(StopOrder&&) = delete;

  const Topology& topology() const { return topology_; }

  /// Whether a worm whose last stop is `last` reaches `stop`, another one of its stops, after it
  /// has left `here`. False where `stop` or `last` is `here`.
  /// Range: `here` on the path of the worm, `stop` among its stops
  virtual bool ahead(NodeId here, NodeId stop, NodeId last) const = 0;

  /// The class of consumption channels, 0 or 1, of worms that cross a virtual channel, if all of
  /// them have the same. None: a worm there has left no copy yet, and may have either class later.
  virtual std::optional<int> consumption_class(const VirtualChannel& on) const = 0;

  /// Whether packets at their source are routed differently from worms that continue from a stop.
  virtual bool starts_apart() const { return false; }

 protected:
  /// The topology outlives the order.
  explicit StopOrder(const Topology& topology) : topology_(topology) {}
  StopOrder(const StopOrder&) = default;
  StopOrder(StopOrder&&) = default;

 private:
  const Topology& topology_;
};

}  // namespace flitwave
