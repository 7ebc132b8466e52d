// algorithms/cube_multicast/cube_schedule.hpp: multicast trees as schedules.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/cube_multicast/walk.hpp"
#include "algorithms/schedule.hpp"
#include "algorithms/spanning_tree.hpp"

namespace flitwave {

/// The cube of a network.
/// Throws: ConfigError on the key `kind`, naming `collective`, when the network is not a cube.
Cube cube_of(const Topology& network, const std::string& collective);

/// The number of a node is its address.
inline CubeAddress address_of(NodeId node) { return static_cast<CubeAddress>(node.value()); }
inline NodeId node_at(CubeAddress address) { return NodeId(static_cast<int>(address)); }
CubeNodes addresses_of(const std::vector<NodeId>& nodes);

/// The tree of a walk; a link's step is that of its hop. Among faults that are not valid a walk may
/// reach a node by several hops; the tree has the first, after which the processor has the message.
SpanningTree tree_of(const CubeWalk& walk);

/// The tree of a delivery.
using DeliveryTree = std::function<SpanningTree(const Delivery&)>;

/// Sends every delivery along a tree of its own, one transfer for each link: a processor that
/// receives the message sends it to its children, in the order of their links. A transfer names the
/// destinations in its child's subtree, at least one.
///
/// Steps: with ports for all children the height of the tree, for one delivery; else a transfer
///   takes the first step, after its sender got the message, in which both ends have a port free.
/// Needs: nothing is combined.
Schedule send_down_trees(const Demand& demand, const CollectiveContext& network,
                         const DeliveryTree& tree);

}  // namespace flitwave
