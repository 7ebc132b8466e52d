// algorithms/collectives/shifts.cpp: sends over distances of 1, 2, 4, ... (Bruck, Hillis).
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "algorithms/demand_shape.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {
namespace {

struct ShiftsParams {};

class Shifts {
 public:
  Shifts(Schedule& schedule, const DemandShape& shape, int nodes)
      : schedule_(schedule), shape_(shape), nodes_(nodes) {}

  void run() {
    if (shape_.operation == Operation::all_reduce) return combine();
    int step = 1;
    for (int shift = 1; shift < nodes_; shift *= 2, ++step)
      for (int node = 0; node < nodes_; ++node) send(node, shift, step);
  }

 private:
  /// Every node combines the contributions of the `others` nodes before it, until these are all
  /// other nodes. The bits of that number, the highest first, determine how the contributions
  /// double: plus one more when senders add their own to what they have received. Only combining
  /// received data costs time.
  void combine() {
    const int steps = ceil_log(2, nodes_);
    int others = 0;
    for (int step = 1; step <= steps; ++step) {
      const bool own = ((nodes_ - 1) >> (steps - step) & 1) != 0;
      const int shift = others + (own ? 1 : 0);
      for (int node = 0; node < nodes_; ++node)
        if (own)
          schedule_.send(Pieces{0}, NodeId(node), at(node + shift), step, Use::combine);
        else
          schedule_.send_received(Pieces{0}, NodeId(node), at(node + shift), step, Use::combine);
      others += shift;
    }
  }

  void send(int node, int shift, int step) {
    switch (shape_.operation) {
      case Operation::all_gather:
        send_blocks(node, shift, step);
        break;
      case Operation::complete_exchange:
        send_pairs(node, shift, step);
        break;
      default:  // a scan
        if (node + shift < nodes_)
          schedule_.send(Pieces{0}, NodeId(node), NodeId(node + shift), step, Use::combine);
    }
  }

  /// A node has the blocks of the nodes from itself on; the nodes before it need them.
  void send_blocks(int node, int shift, int step) {
    Pieces pieces;
    for (int i = 0; i < std::min(shift, nodes_ - shift); ++i)
      pieces.push_back(shape_.block[at(node + i).index()]);
    schedule_.send(std::move(pieces), NodeId(node), at(node - shift), step);
  }

  /// A message covers the distance to its destination bit by bit, the lowest first.
  void send_pairs(int node, int shift, int step) {
    Pieces pieces;
    for (int distance = shift; distance < nodes_; ++distance) {
      if ((distance & shift) == 0) continue;
      const NodeId source = at(node - (distance & (shift - 1)));
      pieces.push_back(shape_.between(source, at(source.value() + distance)));
    }
    schedule_.send(std::move(pieces), NodeId(node), at(node + shift), step);
  }

  NodeId at(int number) const { return NodeId((number % nodes_ + nodes_) % nodes_); }

  Schedule& schedule_;
  const DemandShape& shape_;
  int nodes_;
};

/// Serves: all-gather and complete exchange (Bruck), scan (Hillis and Steele), all-reduce and
///   barrier (dissemination), for any number of nodes. Numbers run modulo the number of nodes,
///   except for scan. Nodes send over distances of 1, 2, 4, ...; in an all-reduce among P nodes
///   that are no power of two, by the bits of P - 1, so that no contribution arrives twice.
/// Steps: ceil(log2(nodes)).
/// Source: Bruck et al. 1997, "Efficient algorithms for all-to-all communications in multiport
///   message-passing systems"; Hillis and Steele 1986, "Data parallel algorithms"; Hensgen, Finkel,
///   Manber 1988, "Two algorithms for barrier synchronization"; Bar-Noy, Kipnis, Schieber 1993,
///   "Optimal computation of census functions in the postal model"
Schedule shifts(const ShiftsParams&, const Demand& demand, const CollectiveContext& network) {
  const DemandShape shape = DemandShape::of(demand, network.topology);
  require_one_of(
      {Operation::all_gather, Operation::complete_exchange, Operation::scan, Operation::all_reduce},
      shape, demand, "shifts");
  Schedule schedule(demand);
  Shifts(schedule, shape, network.topology.nodes()).run();
  return schedule;
}

}  // namespace

void register_shifts(Collectives& collectives) {
  collectives.add(
      "shifts",
      {"every node sends to the node 1, 2, 4, ... numbers further; Bruck, dissemination",
       "Bruck et al. 1997; Hillis and Steele 1986; Hensgen et al. 1988"},
      Schema<ShiftsParams>{}, shifts);
}

}  // namespace flitwave
