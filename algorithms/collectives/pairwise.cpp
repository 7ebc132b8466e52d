// algorithms/collectives/pairwise.cpp: in every step each node has one partner.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand_shape.hpp"
#include "algorithms/schedule.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

enum class Partner { automatic, bitwise, shifted };
std::vector<std::string> names_of(Partner) { return {"automatic", "bitwise", "shifted"}; }

struct PairwiseParams {
  Partner partner = Partner::automatic;
};

/// Step s takes each message directly from node i to node i XOR s, or to node i + s modulo the
/// number of nodes.
///
/// Serves: complete exchange and all-gather.
/// Steps: nodes - 1.
/// Contention: none within a step on a hypercube with partner: bitwise, one send per node and step.
/// Throws: ConfigError on the key `partner` for bitwise and a number of nodes that is no power of
///   two.
/// Source: Tsai 1997, section 2.7 (pairwise exchange); Seidel, Lee, Fotedar 1991
Schedule pairwise(const PairwiseParams& params, const Demand& demand,
                  const CollectiveContext& network) {
  const DemandShape shape = DemandShape::of(demand, network.topology);
  require_one_of({Operation::complete_exchange, Operation::all_gather}, shape, demand, "pairwise");
  const int nodes = network.topology.nodes();
  const bool power = (nodes & (nodes - 1)) == 0;
  if (params.partner == Partner::bitwise && !power)
    throw ConfigError("partner", std::to_string(nodes) + " nodes: bitwise needs a power of two",
                      "use partner: shifted");
  const bool bitwise = power && params.partner != Partner::shifted;
  Schedule schedule(demand);
  for (int step = 1; step < nodes; ++step)
    for (int node = 0; node < nodes; ++node) {
      const NodeId from(node);
      const NodeId to(bitwise ? node ^ step : (node + step) % nodes);
      const int piece = shape.operation == Operation::all_gather ? shape.block[from.index()]
                                                                 : shape.between(from, to);
      schedule.send(piece, from, to, step);
    }
  return schedule;
}

}  // namespace

void register_pairwise(Collectives& collectives) {
  using P = PairwiseParams;
  collectives.add(
      "pairwise", {"in every step each node has one partner", "Tsai 1997, section 2.7"},
      Schema<P>{}.optional("partner", &P::partner,
                           "the partner of node i in step s: i XOR s (bitwise) or i + s (shifted); "
                           "automatic: bitwise for powers of two"),
      pairwise);
}

}  // namespace flitwave
