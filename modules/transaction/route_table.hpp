// modules/transaction/route_table.hpp: routes that are the same for all packets at a node.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/routing.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// What is known of the routes of packets, by node and destination. It applies to routings whose
/// routes depend on nothing else; entries are filled by its user.
class RouteTable {
 public:
  static constexpr int unknown = -2;

  RouteTable(const Topology& topology, const RoutingFunction& routing);

  /// Whether the routes of packets with this header depend on node and destination alone.
  bool applies(const Header& header) const { return is_used_ && !header.direction; }
  /// Unknown until it is set; where the table does not apply, it must not be set.
  int& entry(NodeId node, const Header& header) {
    if (!applies(header)) return none_;
    std::vector<int>& row = rows_[header.destination.index()];
    if (row.empty()) row.assign(rows_.size(), unknown);
    return row[node.index()];
  }

 private:
  bool is_used_;
  std::vector<std::vector<int>> rows_;  // Shape: [destinations][nodes]; empty until needed
  int none_ = unknown;
};

}  // namespace flitwave
