// algorithms/collectives/fibonacci_tree.cpp: a broadcast in packets, pipelined down a tree.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/cost_models/fibonacci_growth.hpp"
#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/demand_shape.hpp"
#include "algorithms/grid/axis_order.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {
namespace {

struct FibonacciTreeParams {
  int packets = 2;
  std::vector<int> order;
};

/// The best split of a part of a chain, for every position of its holder.
///
/// With `below` elements before the holder and `above` after it, the holder assigns the farthest
/// `given` elements of one side to a child at their near end.
class PartTable {
 public:
  struct Choice {
    int steps = 0;  // until all have all packets, counted from the holder's first packet
    int given = 0;
    bool above = true;
  };

  PartTable(int below, int above, int packets)
      : rows_(below + 1), columns_(above + 1), packets_(packets) {
    const int longest = below + above + 1;
    for (int count = 0; count <= longest; ++count)
      alone_.push_back(fibonacci_steps(std::max(1, count), packets));
    choices_.resize(index(rows_) * index(columns_));
    for (int low = 0; low < rows_; ++low)
      for (int high = 0; high < columns_; ++high) decide(low, high);
  }

  const Choice& at(int below, int above) const {
    return choices_[index(below) * index(columns_) + index(above)];
  }

 private:
  void decide(int below, int above) {
    Choice best;
    best.steps = below + above == 0 ? 0 : INT32_MAX;
    for (const bool up : {true, false}) {
      const int side = up ? above : below;
      const auto rest = [&](int given) {
        return packets_ + (up ? at(below, above - given) : at(below - given, above)).steps;
      };
      // The child needs longer the more elements it is assigned, the holder the fewer it assigns.
      int least = 1;
      int most = side;
      while (least < most) {
        const int given = (least + most) / 2;
        if (child(given) >= rest(given))
          most = given;
        else
          least = given + 1;
      }
      for (int given = std::max(1, least - 1); given <= std::min(side, least); ++given) {
        const int steps = std::max(child(given), rest(given));
        if (steps < best.steps) best = {steps, given, up};
      }
    }
    choices_[index(below) * index(columns_) + index(above)] = best;
  }

  int child(int given) const { return 1 + alone_[index(given)]; }

  int rows_;
  int columns_;
  int packets_;
  std::vector<int> alone_;  // steps to serve so many from an end of their part
  std::vector<Choice> choices_;
};

/// Assigns parts of a sorted chain to children, packet after packet.
class PacketTree {
 public:
  PacketTree(Schedule& schedule, std::vector<NodeId> chain, int packets, int holder)
      : schedule_(schedule),
        chain_(std::move(chain)),
        packets_(packets),
        from_inside_(holder, static_cast<int>(chain_.size()) - 1 - holder, packets),
        from_end_(0, static_cast<int>(chain_.size()) - 1, packets),
        holder_(holder) {}

  void serve() { serve(0, static_cast<int>(chain_.size()), holder_, 0); }

 private:
  /// `holder`, one of the elements first .. last - 1, serves these; it is free after step `begun`.
  /// A child receives its first packet in the next step.
  void serve(int first, int last, int holder, int begun) {
    const int below = holder - first;
    const int above = last - 1 - holder;
    if (below + above == 0) return;
    const PartTable::Choice choice = choice_at(below, above);
    const int given = choice.given;
    const int child = choice.above ? last - given : first + given - 1;
    for (int packet = 0; packet < packets_; ++packet)
      schedule_.send(Pieces{schedule_.piece(0, packet)}, node(holder), node(child),
                     begun + 1 + packet);
    serve(choice.above ? last - given : first, choice.above ? last : first + given, child,
          begun + 1);
    serve(choice.above ? first : first + given, choice.above ? last - given : last, holder,
          begun + packets_);
  }

  PartTable::Choice choice_at(int below, int above) const {
    if (below > 0 && above > 0) return from_inside_.at(below, above);
    PartTable::Choice choice = from_end_.at(0, below + above);
    choice.above = above > 0;
    return choice;
  }

  NodeId node(int place) const { return chain_[index(place)]; }

  Schedule& schedule_;
  std::vector<NodeId> chain_;
  int packets_;
  PartTable from_inside_;
  PartTable from_end_;
  int holder_;
};

/// The message is split into packets. A node assigns the far section of its part of a sorted chain
/// to a child and sends it the packets in as many steps; the child forwards each packet in the step
/// after it received it.
///
/// Serves: broadcast.
/// Steps: t(nodes, packets), the least t with N(t) >= nodes, from a source at an end of the chain;
///   a few more from others.
/// Contention: none within a step on a mesh, with `order` as the routing's; one send and one
///   receive per node and step.
/// Source: Tsai 1997, section 5.3, figure 5.7, after De Coster, Dewulf, Ho 1995, "Efficient
///   multi-packet multicast algorithms on meshes with wormhole and dimension-ordered routing"
Schedule broadcast_in_packets(const FibonacciTreeParams& params, const Demand& demand,
                              const CollectiveContext& network) {
  const DemandShape shape = DemandShape::of(demand, network.topology);
  require_one_of({Operation::broadcast}, shape, demand, "fibonacci_tree");
  Schedule schedule(demand);
  schedule.split(0, params.packets);
  std::vector<NodeId> chain = all_nodes(network.topology);
  std::sort(chain.begin(), chain.end(), ChainOrder(params.order, network.topology.grid()));
  const auto holder = std::find(chain.begin(), chain.end(), shape.root) - chain.begin();
  PacketTree(schedule, std::move(chain), params.packets, static_cast<int>(holder)).serve();
  if (const auto n = mesh_2d_exponent(network.topology.grid()))
    schedule.set_formula(CostFormula{fibonacci_tree(*n, params.packets), "Tsai 1997, table 5.3"});
  return schedule;
}

}  // namespace

void register_fibonacci_tree(Collectives& collectives) {
  using P = FibonacciTreeParams;
  collectives.add(
      "fibonacci_tree",
      {"a broadcast in packets, pipelined down a tree on a sorted chain",
       "Tsai 1997, section 5.3; De Coster et al. 1995"},
      Schema<P>{}
          .optional("packets", &P::packets, "parts that the message is cut into", between(1, 1024))
          .optional("order", &P::order,
                    "dimensions from the most significant to the least when the chain "
                    "is sorted; empty: 0, 1, 2, ..."),
      broadcast_in_packets);
}

}  // namespace flitwave
