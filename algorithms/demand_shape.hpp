// algorithms/demand_shape.hpp: which of the collective operations a demand is.
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
  scatter,            ///< From one node, other data to each other.
  gather,             ///< Each node's data to one.
  reduce,             ///< All contributions, combined, to one.
  all_gather,         ///< Each node's data to all others.
  all_reduce,         ///< All contributions, combined, to all; without data a barrier.
  reduce_scatter,     ///< For each node, all contributions to its own result.
  scan,               ///< To each node, the contributions up to its own, combined.
  complete_exchange,  ///< From each node, other data to each other.
  transpose,          ///< On a square grid, from each node (x, y) to node (y, x).
  other               ///< None of these, e.g. a multicast.
};
std::vector<std::string> names_of(Operation);

/// What a demand is, by who has what and who must get it; its name does not count.
struct DemandShape {
  Operation operation = Operation::other;
  NodeId root;  ///< Of broadcast, scatter, gather and reduce; none otherwise.
  /// Of scatter, gather, all-gather and reduce-scatter: each node's delivery, -1 for a root's own
  /// that is not sent. Shape: [nodes]
  std::vector<int> block;

  /// Several deliveries that are released on their own are `other`.
  /// Among two nodes all-gather and complete exchange are one demand: then it is `preferred`, or
  /// an all-gather.
  static DemandShape of(const Demand& demand, const Topology& topology,
                        Operation preferred = Operation::other);
  /// The delivery from one node to another of a complete exchange. Range: two nodes
  int between(NodeId from, NodeId to) const;
};

/// Refuses a demand that a collective does not serve.
/// Throws: ConfigError on the key `kind`, naming the operations that `collective` serves, unless
///   the shape is one of them.
void require_one_of(const std::vector<Operation>& served, const DemandShape& shape,
                    const Demand& demand, const std::string& collective);

/// The same for collectives that serve any messages that one node has each.
void require_no_combining(const Demand& demand, const std::string& collective);

}  // namespace flitwave
