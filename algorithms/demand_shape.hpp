// algorithms/demand_shape.hpp: the collective operation that a demand is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/demand.hpp"

namespace flitwave {

/// The operations in which all nodes take part. Source: Tsai 1997, section 2.4, figure 2.1;
/// reduce-scatter is ours.
enum class Operation {
  broadcast,          ///< One node's data to all others.
  scatter,            ///< From one node, different data to each other node.
  gather,             ///< Each node's data to one.
  reduce,             ///< All contributions, combined, to one.
  all_gather,         ///< Each node's data to all others.
  all_reduce,         ///< All contributions, combined, to all; without data a barrier.
  reduce_scatter,     ///< For each node, all contributions to its own result.
  scan,               ///< To each node, the contributions up to its own, combined.
  complete_exchange,  ///< From each node, different data to each other node.
  transpose,          ///< On a square grid, from each node (x, y) to node (y, x).
  other               ///< None of these, e.g. a multicast.
};
std::vector<std::string> names_of(Operation);

/// The shape of a demand, determined by its sources and destinations, not by its name.
struct DemandShape {
  Operation operation = Operation::other;
  NodeId root;  ///< For broadcast, scatter, gather and reduce; none otherwise.
  /// For scatter, gather, all-gather and reduce-scatter: each node's delivery, -1 for a root's own
  /// that is not sent. Shape: [nodes]
  std::vector<int> block;

  /// Several deliveries with release times of their own are `other`. Among two nodes all-gather and
  /// complete exchange are one demand: then it is `preferred`, or an all-gather.
  static DemandShape of(const Demand& demand, const Topology& topology,
                        Operation preferred = Operation::other);
  /// The delivery from one node to another of a complete exchange. Range: two nodes
  int between(NodeId from, NodeId to) const;
};

/// Rejects a demand that a collective does not serve.
/// Throws: ConfigError on the key `kind`, naming the operations that `collective` serves, unless
///   the shape is one of them.
void require_one_of(const std::vector<Operation>& served, const DemandShape& shape,
                    const Demand& demand, const std::string& collective);

/// The same for collectives that serve any messages of one source each.
void require_no_combining(const Demand& demand, const std::string& collective);

}  // namespace flitwave
