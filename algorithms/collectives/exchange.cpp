// algorithms/collectives/exchange.cpp: nodes whose numbers differ in one bit swap data, bit by bit.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand_shape.hpp"
#include "algorithms/schedule.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct ExchangeParams {};

/// Steps in which node i and node i XOR 2^bit exchange data.
class Exchange {
 public:
  Exchange(Schedule& schedule, const DemandShape& shape, int nodes)
      : schedule_(schedule), shape_(shape), nodes_(nodes) {
    while (1 << bits_ < nodes) ++bits_;
  }

  void run() {
    // Halving proceeds from far partners with much data to near ones with little; doubling in
    // reverse order.
    const bool halves = shape_.operation == Operation::reduce_scatter;
    for (int step = 1; step <= bits_; ++step) {
      const int bit = halves ? bits_ - step : step - 1;
      for (int node = 0; node < nodes_; ++node) swap(node, bit, step);
    }
  }

 private:
  void swap(int node, int bit, int step) {
    const int partner = node ^ 1 << bit;
    Use use = Use::keep;
    if (shape_.operation == Operation::all_reduce || shape_.operation == Operation::reduce_scatter)
      use = Use::combine;
    if (shape_.operation == Operation::scan) use = node < partner ? Use::combine : Use::pass_on;
    schedule_.send(carried(node, partner, bit), NodeId(node), NodeId(partner), step, use);
  }

  Pieces carried(int node, int partner, int bit) const {
    Pieces pieces;
    const int low = (1 << bit) - 1;  // bits below
    switch (shape_.operation) {
      case Operation::all_gather:  // data received over the bits below
        for (int other = 0; other < nodes_; ++other)
          if (((other ^ node) & ~low) == 0) pieces.push_back(block(other));
        break;
      case Operation::reduce_scatter:  // data of the partner's side
        for (int other = 0; other < nodes_; ++other)
          if (((other ^ partner) & ~low) == 0) pieces.push_back(block(other));
        break;
      case Operation::complete_exchange:  // data received over the bits below, to be sent over this
                                          // one
        for (int from = 0; from < nodes_; ++from)
          for (int to = 0; to < nodes_; ++to)
            if (((from ^ node) & ~low) == 0 && ((to ^ partner) & (low | 1 << bit)) == 0)
              pieces.push_back(shape_.between(NodeId(from), NodeId(to)));
        break;
      default:
        pieces.push_back(0);
    }
    return pieces;
  }

  int block(int node) const { return shape_.block[index(node)]; }

  Schedule& schedule_;
  const DemandShape& shape_;
  int nodes_;
  int bits_ = 0;
};

/// Serves: all-reduce (the barrier, too) and scan, the whole vector in every step; all-gather by
///   doubling; reduce-scatter by halving; complete exchange, half of all data in every step. On a
///   hypercube partners are neighbours; elsewhere their distance depends on their numbers.
/// Steps: log2(nodes).
/// Contention: none within a step on a hypercube.
/// Throws: ConfigError on the key `kind` when the number of nodes is no power of two.
/// Source: Johnsson and Ho 1989, "Optimum broadcasting and personalized communication in
///   hypercubes"; Thakur, Rabenseifner, Gropp 2005, "Optimization of collective communication
///   operations in MPICH"
Schedule exchange(const ExchangeParams&, const Demand& demand, const CollectiveContext& network) {
  const DemandShape shape = DemandShape::of(demand, network.topology);
  require_one_of({Operation::all_reduce, Operation::scan, Operation::all_gather,
                  Operation::reduce_scatter, Operation::complete_exchange},
                 shape, demand, "exchange");
  const int nodes = network.topology.nodes();
  if ((nodes & (nodes - 1)) != 0)
    throw ConfigError("kind",
                      "exchange pairs nodes bit by bit of their numbers, and " +
                          std::to_string(nodes) + " nodes are not a power of two",
                      shape.operation == Operation::reduce_scatter
                          ? "use kind: ring, or 2, 4, 8, ... nodes"
                          : "use kind: shifts, or 2, 4, 8, ... nodes");
  Schedule schedule(demand);
  Exchange(schedule, shape, nodes).run();
  return schedule;
}

}  // namespace

void register_exchange(Collectives& collectives) {
  collectives.add("exchange",
                  {"nodes whose numbers differ in one bit swap data, bit by bit",
                   "Johnsson and Ho 1989; Thakur et al. 2005"},
                  Schema<ExchangeParams>{}, exchange);
}

}  // namespace flitwave
