// algorithms/collectives/listed_tree.cpp: messages along the links that a job lists.
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <fmt/format.h>

#include "algorithms/cube_multicast/cube_schedule.hpp"
#include "algorithms/demand_shape.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct ListedTreeParams {
  std::vector<ConfigNode> links;
};

/// The links of a job, each with the node that serves its child.
class ListedLinks {
 public:
  /// Throws: ConfigError at a link that is not a channel of the network, or whose end has a parent
  ///   already.
  ListedLinks(const std::vector<ConfigNode>& written, const Topology& topology)
      : topology_(topology), parent_(index(topology.nodes())) {
    for (const ConfigNode& link : written) {
      if (!link.is_list() || link.items().size() != 2)
        throw link.error("expected a link as a list of two nodes", "write e.g. [1, 6]");
      add(link, find_working(link.items()[0], topology), find_working(link.items()[1], topology));
    }
  }

  /// The links on the paths to a delivery's destinations, each after the link into its start.
  SpanningTree tree_for(const Delivery& delivery) const {
    SpanningTree tree{delivery.source(), {}};
    std::vector<int> step(parent_.size(), -1);
    step[tree.root.index()] = 0;
    for (const NodeId destination : delivery.destinations) {
      std::vector<NodeId> way;
      NodeId node = destination;
      for (; step[node.index()] < 0; node = parent_[node.index()]) {
        if (!parent_[node.index()].valid() || way.size() == parent_.size())
          throw ConfigError("links",
                            fmt::format("no links lead from node {} to node {}",
                                        topology_.label(tree.root), topology_.label(destination)),
                            "list the links of a tree, each from the node nearer to the source");
        way.push_back(node);
      }
      for (; !way.empty(); way.pop_back()) {
        const NodeId parent = parent_[way.back().index()];
        step[way.back().index()] = step[parent.index()] + 1;
        tree.links.push_back({parent, way.back(), step[way.back().index()]});
      }
    }
    return tree;
  }

 private:
  void add(const ConfigNode& link, NodeId from, NodeId to) {
    bool is_channel = false;
    for (int port = 0; port < topology_.port_limit(); ++port)
      if (const ChannelId channel = topology_.channel_out(from, PortId(port)); channel.valid())
        is_channel = is_channel || topology_.channel(channel).to == to;
    if (!is_channel)
      throw link.error(fmt::format("no channel leads from node {} to node {}",
                                   topology_.label(from), topology_.label(to)),
                       "name neighbours");
    if (parent_[to.index()].valid())
      throw link.error(fmt::format("node {} has a link from node {} already", topology_.label(to),
                                   topology_.label(parent_[to.index()])),
                       "in a tree one link leads to each node");
    parent_[to.index()] = from;
  }

  const Topology& topology_;
  std::vector<NodeId> parent_;  // Shape: [nodes]
};

/// Sends messages along the links that the job lists, for any tree; links that lead to no
/// destination of a message are not used.
///
/// Serves: all without combining, each message on its own.
/// Steps: for one message the most links to a destination, with ports for all channels.
/// Contention: none within one message under a routing that takes a channel to a neighbour.
/// Throws: ConfigError for any other demand, for links that are no tree of channels, and where none
///   lead to a destination.
Schedule listed_tree(const ListedTreeParams& params, const Demand& demand,
                     const CollectiveContext& network) {
  require_no_combining(demand, "listed_tree");
  const ListedLinks links(params.links, network.topology);
  return send_down_trees(demand, network,
                         [&](const Delivery& delivery) { return links.tree_for(delivery); });
}

}  // namespace

void register_listed_tree(Collectives& collectives) {
  using P = ListedTreeParams;
  collectives.add("listed_tree",
                  {"messages along the links that the job lists; on any network", ""},
                  Schema<P>{}.required("links", &P::links,
                                       "links of a tree, e.g. [[1, 6], [6, 11]], each from the "
                                       "node nearer to the source"),
                  listed_tree);
}

}  // namespace flitwave
