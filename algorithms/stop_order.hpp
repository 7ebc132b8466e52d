// algorithms/stop_order.hpp: which stops a worm has yet to visit, and on which class
// of consumption channels it leaves its copies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "algorithms/virtual_channel.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// The order in which worms visit their destinations under one routing relation. A worm goes from
/// each stop to the next as the routing says, and the stops lie in this order on its path; so a
/// router knows from the list in the header and from its own node which of them are left.
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

  /// The class of consumption channels, 0 or 1, of worms that cross a virtual channel, if these all
  /// have the same. None: a worm there has left no copy yet, and may have either class later.
  virtual std::optional<int> consumption_class(const VirtualChannel& on) const = 0;

  /// Whether packets at their source are routed differently from worms that go on from a stop.
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
