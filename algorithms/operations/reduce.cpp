// algorithms/operations/reduce.cpp: all nodes' contributions, combined, are delivered to one node.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct ReduceParams {
  ConfigNode root;
  Bytes message;
};

Demand reduce(const ReduceParams& params, const Topology& topology, Random& random) {
  const NodeId root = find_or_draw(params.root, topology, random);
  Demand demand{"reduce", {{working_nodes(topology), {root}, params.message}}};
  demand.name(params.root, root);
  return demand;
}

}  // namespace

void register_reduce(Operations& operations) {
  using P = ReduceParams;
  operations.add(
      "reduce",
      {"all nodes' contributions, combined, are delivered to one node", "Tsai 1997, section 2.4"},
      Schema<P>{}
          .required("root", &P::root,
                    "node that receives the result: [x, y], a number, a name, or random")
          .required("message", &P::message, "length of each contribution, and of the result",
                    at_least(1)),
      reduce);
}

}  // namespace flitwave
