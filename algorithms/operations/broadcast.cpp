// algorithms/operations/broadcast.cpp: one node's message is delivered to all others.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct BroadcastParams {
  ConfigNode root;
  Bytes message;
};

Demand broadcast(const BroadcastParams& params, const Topology& topology, Random& random) {
  const NodeId root = find_or_draw(params.root, topology, random);
  Demand demand{"broadcast", {{root, working_but(root, topology), params.message}}};
  demand.name(params.root, root);
  return demand;
}

}  // namespace

void register_broadcast(Operations& operations) {
  using P = BroadcastParams;
  operations.add("broadcast",
                 {"one node's message is delivered to all others", "Tsai 1997, section 2.4"},
                 Schema<P>{}
                     .required("root", &P::root,
                               "node that has the message: [x, y], a number, a name, or random")
                     .required("message", &P::message, "length of the message", at_least(1)),
                 broadcast);
}

}  // namespace flitwave
