// algorithms/collectives/ring.cpp: data move round a ring through all nodes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/demand_shape.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {
namespace {

enum class RingOrder { snake, number };
std::vector<std::string> names_of(RingOrder) { return {"snake", "number"}; }

struct RingParams {
  RingOrder order = RingOrder::snake;
};

/// Whether dimension `dimension` is walked backwards at a position: after an odd number of lines.
bool walks_back(const Grid& grid, NodeId node, int dimension) {
  int lines = 0;
  for (int above = dimension + 1; above < grid.dimensions(); ++above)
    lines += grid.coordinate(node, above);
  return lines % 2 != 0;
}

/// All nodes in the order of the ring; with `snake`, neighbours in it are neighbours in a grid.
std::vector<NodeId> ring_of(const Topology& topology, RingOrder order) {
  std::vector<NodeId> nodes = all_nodes(topology);
  const Grid* grid = topology.grid();
  if (order == RingOrder::number || !grid) return nodes;
  std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
    for (int dimension = grid->dimensions() - 1; dimension >= 0; --dimension) {
      const int at_a = grid->coordinate(a, dimension);
      const int at_b = grid->coordinate(b, dimension);
      if (at_a != at_b) return (at_a < at_b) != walks_back(*grid, a, dimension);
    }
    return false;
  });
  return nodes;
}

/// Sends round the ring. Pieces are identified by their position in it.
class Ring {
 public:
  Ring(Schedule& schedule, std::vector<NodeId> nodes)
      : schedule_(schedule), nodes_(std::move(nodes)) {}

  int size() const { return static_cast<int>(nodes_.size()); }
  NodeId node(int place) const { return nodes_[index((place % size() + size()) % size())]; }

  /// In step s the piece of position p - s is sent from position p to the next; after one round
  /// each piece has been combined everywhere and is at its own position.
  template <class PieceOf>
  void reduce_scatter(PieceOf piece_of) {
    for (int step = 1; step < size(); ++step)
      for (int place = 0; place < size(); ++place)
        schedule_.send(Pieces{piece_of(node(place - step))}, node(place), node(place + 1), step,
                       Use::combine);
    begun_ = size() - 1;
  }

  /// In step s the piece of position p - s + 1 is sent from position p to the next.
  template <class PieceOf>
  void all_gather(PieceOf piece_of) {
    for (int step = 1; step < size(); ++step)
      for (int place = 0; place < size(); ++place)
        schedule_.send(Pieces{piece_of(node(place - step + 1))}, node(place), node(place + 1),
                       begun_ + step);
  }

 private:
  Schedule& schedule_;
  std::vector<NodeId> nodes_;
  int begun_ = 0;
};

/// Serves: all-gather and reduce-scatter, a round each; all-reduce (also the barrier), split into
///   one part per node, by the one after the other; scan, from each node to the one numbered next.
/// Steps: nodes - 1 a round.
/// Contention: none within a step where the ring has its closing channel, as on tori and
///   hypercubes; on a mesh the route back uses the opposite channels of other hops.
/// Source: Patarasuk and Yuan 2009, "Bandwidth optimal all-reduce algorithms for clusters of
///   workstations"; the ring of Tsai 1997, section 5.3, is that of `scatter_collect`
Schedule ring(const RingParams& params, const Demand& demand, const CollectiveContext& network) {
  const DemandShape shape = DemandShape::of(demand, network.topology);
  require_one_of(
      {Operation::all_gather, Operation::reduce_scatter, Operation::all_reduce, Operation::scan},
      shape, demand, "ring");
  Schedule schedule(demand);
  const int nodes = network.topology.nodes();
  if (shape.operation == Operation::scan) {
    for (int i = 0; i + 1 < nodes; ++i)
      schedule.send(Pieces{0}, NodeId(i), NodeId(i + 1), i + 1, Use::combine);
    return schedule;
  }
  if (shape.operation == Operation::all_reduce) schedule.split(0, nodes);
  Ring ring(schedule, ring_of(network.topology, params.order));
  const auto piece_of = [&](NodeId node) {
    return shape.block.empty() ? schedule.piece(0, node.value()) : shape.block[node.index()];
  };
  if (shape.operation != Operation::all_gather) ring.reduce_scatter(piece_of);
  if (shape.operation != Operation::reduce_scatter) ring.all_gather(piece_of);
  return schedule;
}

}  // namespace

void register_ring(Collectives& collectives) {
  using P = RingParams;
  collectives.add("ring",
                  {"data move round a ring through all nodes",
                   "Patarasuk and Yuan 2009; Tsai 1997, section 2.4 (operations)"},
                  Schema<P>{}.optional("order", &P::order,
                                       "through a grid line by line, back and forth, or by the "
                                       "numbers of nodes"),
                  ring);
}

}  // namespace flitwave
