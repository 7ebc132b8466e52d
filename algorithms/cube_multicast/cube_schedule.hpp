// algorithms/cube_multicast/cube_schedule.hpp: trees that multicasts go down, as schedules.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/cube_multicast/walk.hpp"
#include "algorithms/schedule.hpp"
#include "algorithms/spanning_tree.hpp"

namespace flitwave {

/// The cube that a network is.
/// Throws: ConfigError on the key `kind`, naming `collective`, when it is none.
Cube cube_of(const Topology& network, const std::string& collective);

/// The number of a node is its address.
inline CubeAddress address_of(NodeId node) { return static_cast<CubeAddress>(node.value()); }
inline NodeId node_at(CubeAddress address) { return NodeId(static_cast<int>(address)); }
CubeNodes addresses_of(const std::vector<NodeId>& nodes);

/// The tree of a walk; a link's step is that of its hop. Of several hops to a node, which walks
/// among faults that are not valid may have, it has the first: the processor has the message then.
SpanningTree tree_of(const CubeWalk& walk);

/// The tree that a delivery goes down.
using DeliveryTree = std::function<SpanningTree(const Delivery&)>;

/// Sends every delivery down a tree of its own, a transfer for each link: a processor that gets the
/// message sends it to its children, in the order of their links. A transfer names the destinations
/// in its child's part of the tree, at least one.
///
/// Steps: with ports for all children the height of the tree, for one delivery; else a transfer
///   takes the first step, after its sender got the message, in which both ends have a port free.
/// Needs: nothing is combined.
Schedule send_down_trees(const Demand& demand, const CollectiveContext& network,
                         const DeliveryTree& tree);

}  // namespace flitwave
