// algorithms/operations/unicast.cpp: one node's message is delivered to one other.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct UnicastParams {
  ConfigNode source;
  ConfigNode destination;
  Bytes message;
};

Demand unicast(const UnicastParams& params, const Topology& topology, Random& random) {
  const NodeId source = find_or_draw(params.source, topology, random);
  const NodeId destination = find_or_draw(params.destination, topology, random, source);
  Demand demand{"unicast", {{source, {destination}, params.message}}};
  demand.name(params.source, source);
  demand.name(params.destination, destination);
  return demand;
}

}  // namespace

void register_unicast(Operations& operations) {
  using P = UnicastParams;
  operations.add("unicast", {"one node's message is delivered to one other", ""},
                 Schema<P>{}
                     .required("source", &P::source,
                               "node that has the message: [x, y], a number, a name, or random")
                     .required("destination", &P::destination,
                               "node that receives it, or random: any other than the source")
                     .required("message", &P::message, "length of the message", at_least(1)),
                 unicast);
}

}  // namespace flitwave
