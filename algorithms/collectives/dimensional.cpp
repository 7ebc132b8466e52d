// algorithms/collectives/dimensional.cpp: broadcast along one dimension after the other.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/demand_shape.hpp"
#include "algorithms/grid/axis_order.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {
namespace {

/// The position in the other half of a segment to which a message is sent.
enum class Target { same_place, near_end, far_end };
std::vector<std::string> names_of(Target) { return {"same_place", "near_end", "far_end"}; }

struct DimensionalParams {
  std::vector<int> order;
  Target target = Target::same_place;
};

/// Halves the segments of one dimension, all holders in the same way.
class Line {
 public:
  Line(Schedule& schedule, const Grid& grid, int message, int dimension, Target target)
      : schedule_(schedule),
        grid_(grid),
        message_(message),
        dimension_(dimension),
        target_(target) {}

  /// `holder`, one of the positions first .. last - 1, serves these from `step` on. Returns the
  /// step after the last.
  int serve(int first, int last, NodeId holder, int step) {
    if (last - first <= 1) return step;
    const int middle = first + (last - first + 1) / 2;
    const int at = grid_.coordinate(holder, dimension_);
    const bool low = at < middle;
    const int from = low ? middle : first;
    const int to = low ? last : middle;
    const NodeId receiver = moved(holder, place_in(from, to, at - (low ? first : middle), low));
    schedule_.send(message_, holder, receiver, step);
    holders.push_back(receiver);
    return std::max(serve(first, middle, low ? holder : receiver, step + 1),
                    serve(middle, last, low ? receiver : holder, step + 1));
  }

  std::vector<NodeId> holders;  ///< Nodes that have received the message.

 private:
  /// Within positions from .. to - 1; `low`: they are below the holder.
  int place_in(int from, int to, int offset, bool low) const {
    if (target_ == Target::same_place) return std::min(from + offset, to - 1);
    return low == (target_ == Target::near_end) ? from : to - 1;
  }

  NodeId moved(NodeId node, int position) const {
    Coordinates point = grid_.coordinates(node);
    point[index(dimension_)] = position;
    return grid_.node(point);
  }

  Schedule& schedule_;
  const Grid& grid_;
  int message_;
  int dimension_;
  Target target_;
};

/// The source serves its row by repeated halving, then all nodes of that row serve their columns,
/// and so on.
///
/// Serves: a broadcast on a grid.
/// Steps: the sum of ceil(log2(extent)) over the dimensions; 2n on 2^n x 2^n.
/// Contention: none within a step on a mesh, whatever the order of its dimensions.
/// Throws: ConfigError for a demand that is no broadcast, or a topology without a grid.
/// Source: Tsai 1997, section 5.3 and figure 5.5, where it is called recursive doubling
Schedule dimensional(const DimensionalParams& params, const Demand& demand,
                     const CollectiveContext& network) {
  const Grid* grid = network.topology.grid();
  if (!grid)
    throw ConfigError("kind", "dimensional needs a grid; the topology has none",
                      "use kind: recursive_doubling");
  const DemandShape shape = DemandShape::of(demand, network.topology);
  require_one_of({Operation::broadcast}, shape, demand, "dimensional");
  Schedule schedule(demand);
  std::vector<NodeId> holders{shape.root};
  int step = 1;
  for (int dimension : axis_order(params.order, *grid)) {
    Line line(schedule, *grid, 0, dimension, params.target);
    int next = step;
    for (NodeId holder : holders)
      next = std::max(next, line.serve(0, grid->extent(dimension), holder, step));
    holders.insert(holders.end(), line.holders.begin(), line.holders.end());
    step = next;
  }
  if (const auto n = mesh_2d_exponent(grid))
    schedule.set_formula(CostFormula{dimensional_broadcast(*n), "Tsai 1997, table 5.3"});
  return schedule;
}

}  // namespace

void register_dimensional(Collectives& collectives) {
  using P = DimensionalParams;
  collectives.add(
      "dimensional",
      {"broadcast along one dimension after the other, by halving", "Tsai 1997, section 5.3"},
      Schema<P>{}
          .optional("order", &P::order,
                    "dimensions from the first to the last; empty: 0, 1, 2, ...")
          .optional("target", &P::target,
                    "which node in the other half of a segment receives the message: the node at "
                    "the same position in it, at its near end, or at its far end"),
      dimensional);
}

}  // namespace flitwave
