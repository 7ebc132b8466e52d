// algorithms/collectives/scatter_collect.cpp: a broadcast in two scatters and two collects.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/demand_shape.hpp"
#include "algorithms/schedule.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

enum class RingShape { folded, natural };
std::vector<std::string> names_of(RingShape) { return {"folded", "natural"}; }

struct ScatterCollectParams {
  RingShape ring = RingShape::folded;
};

/// 0, 2, 4, .., 5, 3, 1: a ring in a line whose hops cross at most two channels, shared with no
/// other hop.
std::vector<int> ring_in_line(int extent, RingShape shape) {
  std::vector<int> ring;
  if (shape == RingShape::natural) {
    for (int i = 0; i < extent; ++i) ring.push_back(i);
    return ring;
  }
  for (int i = 0; i < extent; i += 2) ring.push_back(i);
  for (int i = extent % 2 == 0 ? extent - 1 : extent - 2; i > 0; i -= 2) ring.push_back(i);
  return ring;
}

/// The message is split into one part per node.
class ScatterCollect {
 public:
  ScatterCollect(Schedule& schedule, const Grid& grid) : schedule_(schedule), grid_(grid) {}

  void run(NodeId source, RingShape shape) {
    const int columns = grid_.extent(0);
    const int rows = grid_.extent(1);
    const int x = grid_.coordinate(source, 0);
    const int y = grid_.coordinate(source, 1);
    const int after_row = scatter(
        0, columns, x, 0, [&](int i) { return at(i, y); }, [&](int i) { return column(i); });
    int after = after_row;
    for (int i = 0; i < columns; ++i)
      after = std::max(after, scatter(
                                  0, rows, y, after_row, [&](int j) { return at(i, j); },
                                  [&](int j) { return Pieces{part(i, j)}; }));
    for (int j = 0; j < rows; ++j)
      collect(
          ring_in_line(columns, shape), after, [&](int i) { return at(i, j); },
          [&](int i) { return Pieces{part(i, j)}; });
    after += columns - 1;
    for (int i = 0; i < columns; ++i)
      collect(
          ring_in_line(rows, shape), after, [&](int j) { return at(i, j); },
          [&](int j) { return row(j); });
  }

 private:
  NodeId at(int x, int y) const { return grid_.node({x, y}); }
  int part(int x, int y) const { return schedule_.piece(0, at(x, y).value()); }
  Pieces column(int x) const {
    Pieces parts;
    for (int y = 0; y < grid_.extent(1); ++y) parts.push_back(part(x, y));
    return parts;
  }
  Pieces row(int y) const {
    Pieces parts;
    for (int x = 0; x < grid_.extent(0); ++x) parts.push_back(part(x, y));
    return parts;
  }

  /// Halves positions first .. last - 1 of a line repeatedly; the other half's data are sent to its
  /// element next to the holder's half. Returns: the last step.
  template <class Node, class DataOf>
  int scatter(int first, int last, int holder, int begun, Node node, DataOf data) {
    if (last - first <= 1) return begun;
    const int middle = first + (last - first + 1) / 2;
    const bool low = holder < middle;
    const int receiver = low ? middle : middle - 1;
    Pieces carried;
    for (int i = low ? middle : first; i < (low ? last : middle); ++i)
      for (int piece : data(i)) carried.push_back(piece);
    schedule_.send(std::move(carried), node(holder), node(receiver), begun + 1);
    return std::max(scatter(first, middle, low ? holder : receiver, begun + 1, node, data),
                    scatter(middle, last, low ? receiver : holder, begun + 1, node, data));
  }

  /// In every step each position of a ring forwards what it received in the step before, its own
  /// data first; nodes that passed data on in the scatter receive them again.
  template <class Node, class DataOf>
  void collect(const std::vector<int>& ring, int begun, Node node, DataOf data) {
    const auto count = ring.size();
    for (std::size_t step = 1; step < count; ++step)
      for (std::size_t place = 0; place < count; ++place)
        schedule_.send(data(ring[(place + count - step + 1) % count]), node(ring[place]),
                       node(ring[(place + 1) % count]), begun + static_cast<int>(step),
                       Use::repeat);
  }

  Schedule& schedule_;
  const Grid& grid_;
};

/// Scatters along the source's row, then along every column; collects round a ring in every row,
/// then in every column.
///
/// Serves: broadcast on a 2D mesh or torus.
/// Steps: 2n + 2 (2^n - 1) on a mesh of 2^n x 2^n.
/// Contention: none within a step under routing that corrects one dimension after the other.
/// Source: Tsai 1997, section 5.3, figure 5.6, after Barnett et al. 1991, "Broadcasting on meshes
///   with wormhole routing"; the folded ring gives the 6 (2^n - 1) hops of table 5.3
Schedule broadcast_in_parts(const ScatterCollectParams& params, const Demand& demand,
                            const CollectiveContext& network) {
  const DemandShape shape = DemandShape::of(demand, network.topology);
  require_one_of({Operation::broadcast}, shape, demand, "scatter_collect");
  const Grid* grid = network.topology.grid();
  if (!grid || grid->dimensions() != 2)
    throw ConfigError("kind", "scatter_collect needs a 2D grid; the topology has none",
                      "use kind: recursive_doubling");
  Schedule schedule(demand);
  schedule.split(0, network.topology.nodes());
  ScatterCollect(schedule, *grid).run(shape.root, params.ring);
  if (const auto n = mesh_2d_exponent(grid))
    schedule.set_formula(CostFormula{scatter_collect(*n), "Tsai 1997, table 5.3"});
  return schedule;
}

}  // namespace

void register_scatter_collect(Collectives& collectives) {
  using P = ScatterCollectParams;
  collectives.add("scatter_collect",
                  {"a broadcast in two scatters and two collects", "Tsai 1997, section 5.3"},
                  Schema<P>{}.optional("ring", &P::ring,
                                       "in a line: folded, with hops of two channels or fewer, or "
                                       "natural, with one long hop back"),
                  broadcast_in_parts);
}

}  // namespace flitwave
