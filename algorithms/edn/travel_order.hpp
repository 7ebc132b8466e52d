// algorithms/edn/travel_order.hpp: EDN under routing that corrects the last dimension first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "algorithms/routing.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// The network with its dimensions in the order in which they are corrected, for which EDN's plans
/// are made: under y before x, columns are planned as rows. Under any other routing than dimension
/// order from the last to the first, the network itself.
class TravelOrder {
 public:
  /// Needs: a network that is a grid; it outlives this.
  explicit TravelOrder(const CollectiveContext& network);
  TravelOrder(const TravelOrder&) = delete;
  TravelOrder& operator=(const TravelOrder&) = delete;

  const CollectiveContext& actual() const { return network_; }
  const CollectiveContext& planned() const { return planned_ ? *planned_ : network_; }
  /// The name of a node of the network in the planned one, and back.
  NodeId planned(NodeId node) const;
  NodeId actual(NodeId node) const;

 private:
  CollectiveContext network_;
  std::optional<Topology> topology_;
  std::unique_ptr<RoutingFunction> routing_;
  std::optional<CollectiveContext> planned_;
};

}  // namespace flitwave
