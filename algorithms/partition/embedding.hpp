// algorithms/partition/embedding.hpp: transfers planned on a subnetwork, sent in the network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/schedule.hpp"
#include "topologies/subnetwork.hpp"

namespace flitwave {

/// The direction round rings of packets that stay in a subnetwork: mesh where it does not wrap,
/// else the subnetwork's direction, or minimal.
Direction direction_within(const Subnetwork& subnetwork);

/// Appends transfers within a subnetwork to a schedule of the whole network.
class SubnetworkSends {
 public:
  /// Both outlive it. `phase`: Transfer::phase
  SubnetworkSends(Schedule& whole, const Subnetwork& subnetwork, int phase);

  /// `from`, `to`: nodes of the network.
  /// Throws: as Schedule::send; ModelError when a node is not one of the subnetwork's.
  Transfer& send(Pieces pieces, NodeId from, NodeId to, int step);

 private:
  void require_member(NodeId node) const;

  Schedule& whole_;
  const Subnetwork& subnetwork_;
  Direction direction_;
  int phase_;
};

}  // namespace flitwave
