// algorithms/edn/travel_order.hpp: EDN under routing that corrects the last dimension first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "algorithms/routing.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// The network with its dimensions in the order in which they are corrected; EDN's plans are made
/// for it. Under y before x, columns are planned as rows. Under any routing other than dimension
/// order from the last to the first, it is the network itself.
class TravelOrder {
 public:
  /// Needs: a network that is a grid; it outlives this.
  explicit TravelOrder(const CollectiveContext& network);
  TravelOrder(const TravelOrder&) = delete;
  TravelOrder& operator=(const TravelOrder&) = delete;

  const CollectiveContext& actual() const { return network_; }
  const CollectiveContext& planned() const { return planned_ ? *planned_ : network_; }
  /// Converts the number of a node of the network to that in the planned one, and back.
  NodeId planned(NodeId node) const;
  NodeId actual(NodeId node) const;

 private:
  CollectiveContext network_;
  std::optional<Topology> topology_;
  std::unique_ptr<RoutingFunction> routing_;
  std::optional<CollectiveContext> planned_;
};

}  // namespace flitwave
