// algorithms/operations/scatter.cpp: one node has a different message for each other node.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct ScatterParams {
  ConfigNode root;
  Bytes message;
};

Demand scatter(const ScatterParams& params, const Topology& topology, Random& random) {
  const NodeId root = find_or_draw(params.root, topology, random);
  Demand demand{"scatter", {}};
  demand.name(params.root, root);
  for (NodeId node : working_but(root, topology))
    demand.deliveries.push_back({root, {node}, params.message});
  return demand;
}

}  // namespace

void register_scatter(Operations& operations) {
  using P = ScatterParams;
  operations.add(
      "scatter", {"one node has a different message for each other node", "Tsai 1997, section 2.4"},
      Schema<P>{}
          .required("root", &P::root, "node that has them: [x, y], a number, a name, or random")
          .required("message", &P::message, "length of each message", at_least(1)),
      scatter);
}

}  // namespace flitwave
