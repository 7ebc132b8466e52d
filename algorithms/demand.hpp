// algorithms/demand.hpp: what must be delivered, whatever the algorithm.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "flitwave/configs/quantity.hpp"
#include "flitwave/configs/random.hpp"
#include "flitwave/configs/registry.hpp"
#include "flitwave/topologies/topology.hpp"

namespace flitwave {

/// One message that one node has and others must get.
struct Delivery {
  NodeId source;
  std::vector<NodeId> destinations;  ///< Ascending, none twice, the source not among them.
  Bytes size;
};

/// All messages of an operation; a message's number is its place in the list.
struct Demand {
  std::string operation;  ///< The kind that made it, for messages.
  std::vector<Delivery> deliveries;
};

/// A node as an operation's parameter names it: as Topology::find takes it, or `random`, which
/// draws one that is not `other`.
/// Throws: ConfigError at the place of `written` when there is no such node, or it is `other`.
NodeId find_or_draw(const ConfigNode& written, const Topology& topology, Random& random,
                    NodeId other = NodeId());

/// All nodes but one, ascending.
std::vector<NodeId> all_but(NodeId node, const Topology& topology);

/// Kinds of operation: parameters, topology, the job's random stream -> Demand.
using Operations = Registry<Demand(const Topology&, Random&)>;

}  // namespace flitwave
