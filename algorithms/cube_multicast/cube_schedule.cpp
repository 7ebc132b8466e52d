// algorithms/cube_multicast/cube_schedule.cpp: a transfer for each link of a tree.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/cube_schedule.hpp"

#include <algorithm>
#include <set>

#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/grid/port_steps.hpp"
#include "configs/error.hpp"

namespace flitwave {

namespace {

/// The number of destinations in the subtree of each node, including the node.
/// Shape: [nodes]
std::vector<int> destinations_below(const SpanningTree& tree, const Delivery& delivery, int nodes) {
  std::vector<int> below(index(nodes), 0);
  for (NodeId node : delivery.destinations) below[node.index()] = 1;
  for (auto link = tree.links.rbegin(); link != tree.links.rend(); ++link)
    below[link->parent.index()] += below[link->child.index()];
  return below;
}

}  // namespace

Cube cube_of(const Topology& network, const std::string& collective) {
  if (!has_two_per_dimension(network.grid()))
    throw ConfigError("kind", collective + " needs a hypercube",
                      "use topology.kind: hypercube, or kind: recursive_doubling");
  return Cube(network.grid()->dimensions());
}

CubeNodes addresses_of(const std::vector<NodeId>& nodes) {
  CubeNodes addresses;
  for (NodeId node : nodes) addresses.push_back(address_of(node));
  return addresses;
}

SpanningTree tree_of(const CubeWalk& walk) {
  SpanningTree tree{node_at(walk.source), {}};
  std::set<CubeAddress> reached{walk.source};
  for (const CubeHop& hop : walk.hops)
    if (reached.insert(hop.to()).second)
      tree.links.push_back({node_at(hop.from), node_at(hop.to()), hop.step});
  return tree;
}

Schedule send_down_trees(const Demand& demand, const CollectiveContext& network,
                         const DeliveryTree& tree) {
  const int nodes = network.topology.nodes();
  Schedule schedule(demand);
  PortSteps ports(network.topology, network.ports);
  for (std::size_t i = 0; i < demand.deliveries.size(); ++i) {
    const Delivery& delivery = demand.deliveries[i];
    const SpanningTree down = tree(delivery);
    const std::vector<int> below = destinations_below(down, delivery, nodes);
    std::vector<int> received(index(nodes), 0);  // the step, by node
    for (const TreeLink& link : down.links) {
      int& step = received[link.child.index()];
      step = ports.take(link.parent, link.child, received[link.parent.index()]);
      schedule.send(static_cast<int>(i), link.parent, link.child, step,
                    std::max(1, below[link.child.index()]));
    }
  }
  return schedule;
}

}  // namespace flitwave
