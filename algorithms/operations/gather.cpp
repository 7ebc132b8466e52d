// algorithms/operations/gather.cpp: each node's message is delivered to one node.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct GatherParams {
  ConfigNode root;
  Bytes message;
};

Demand gather(const GatherParams& params, const Topology& topology, Random& random) {
  const NodeId root = find_or_draw(params.root, topology, random);
  Demand demand{"gather", {}};
  demand.name(params.root, root);
  for (NodeId node : working_but(root, topology))
    demand.deliveries.push_back({node, {root}, params.message});
  return demand;
}

}  // namespace

void register_gather(Operations& operations) {
  using P = GatherParams;
  operations.add("gather",
                 {"each node's message is delivered to one node", "Tsai 1997, section 2.4"},
                 Schema<P>{}
                     .required("root", &P::root,
                               "node that receives them: [x, y], a number, a name, or random")
                     .required("message", &P::message, "length of each message", at_least(1)),
                 gather);
}

}  // namespace flitwave
