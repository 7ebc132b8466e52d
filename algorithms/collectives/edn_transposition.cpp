// algorithms/collectives/edn_transposition.cpp: a matrix is transposed over dominating nodes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "algorithms/demand_shape.hpp"
#include "algorithms/schedule.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

enum class Scatter { eager, aligned };
std::vector<std::string> names_of(Scatter) { return {"eager", "aligned"}; }
enum class Payload { aggregate, constant };
std::vector<std::string> names_of(Payload) { return {"aggregate", "constant"}; }
enum class Collectors { inner, outer };
std::vector<std::string> names_of(Collectors) { return {"inner", "outer"}; }

struct EdnTranspositionParams {
  Scatter scatter = Scatter::eager;
  Payload payload = Payload::aggregate;
  Collectors collectors = Collectors::inner;
};

/// The node of a 4 x 4 block's diagonal that collects from (x, y). Shape: [x][y]
using CollectorMap = std::array<std::array<int, 4>, 4>;
constexpr CollectorMap inner{{{0, 1, 2, 0}, {1, 1, 1, 3}, {2, 1, 2, 2}, {0, 3, 2, 3}}};
constexpr CollectorMap outer{{{0, 1, 0, 3}, {1, 1, 2, 1}, {0, 2, 2, 2}, {3, 1, 2, 3}}};

/// One hop of a block on its path.
struct Hop {
  int step;
  NodeId from;
  NodeId to;
};

/// The path of each block through a square of width 4^scales, or of twice that.
///
/// Coordinates are digits to base 4, the lowest first, and one bit above them when the width is no
/// power of four.
class Ways {
 public:
  Ways(const Grid& grid, const EdnTranspositionParams& params)
      : grid_(grid),
        map_(params.collectors == Collectors::inner ? inner : outer),
        aligned_(params.scatter == Scatter::aligned) {
    while (1 << 2 * (scales_ + 1) <= grid.extent(0)) ++scales_;
    halves_ = 1 << 2 * scales_ != grid.extent(0);
    steps_ = 2 * scales_ + (halves_ ? 1 : 0);
  }

  std::vector<Hop> of(int x, int y) {
    x_ = x;
    y_ = y;
    hops_.clear();
    const int top = 1 << 2 * scales_;
    const bool crosses = halves_ && x / top != y / top;
    int climbed = crosses ? scales_ : 0;
    for (int scale = 0; scale < scales_; ++scale)
      if (digit(x, scale) != digit(y, scale)) climbed = std::max(climbed, scale + 1);
    for (int scale = 0; scale < climbed; ++scale) gather(x, y, scale);
    if (crosses) go(scales_ + 1, y_, x_);
    for (int scale = climbed - 1; scale >= 0; --scale) {
      const int early = climbed + (crosses ? 1 : 0) + (climbed - scale);
      scatter(x, y, scale, aligned_ ? steps_ - scale : early);
    }
    return hops_;
  }

 private:
  static int digit(int coordinate, int scale) { return coordinate >> 2 * scale & 3; }
  static int with_digit(int coordinate, int scale, int digit) {
    return (coordinate & ~(3 << 2 * scale)) | digit << 2 * scale;
  }

  void gather(int x, int y, int scale) {
    const int from_x = digit(x, scale);
    const int from_y = digit(y, scale);
    if (from_x == from_y) return;
    const int collector = map_[index(from_x)][index(from_y)];
    go(scale + 1, with_digit(x_, scale, collector), with_digit(y_, scale, collector));
  }

  void scatter(int x, int y, int scale, int step) {
    if (digit(x, scale) == digit(y, scale)) return;
    go(step, with_digit(x_, scale, digit(y, scale)), with_digit(y_, scale, digit(x, scale)));
  }

  void go(int step, int x, int y) {
    hops_.push_back({step, grid_.node({x_, y_}), grid_.node({x, y})});
    x_ = x;
    y_ = y;
  }

  const Grid& grid_;
  const CollectorMap& map_;
  bool aligned_;
  int scales_ = 0;
  bool halves_ = false;
  int steps_ = 0;
  int x_ = 0;
  int y_ = 0;
  std::vector<Hop> hops_;
};

const Grid& power_of_two_square(const CollectiveContext& network) {
  const Grid* grid = network.topology.grid();
  const int width = grid ? grid->extent(0) : 0;
  if (width < 4 || (width & (width - 1)) != 0)
    throw ConfigError("kind", "edn_transposition needs a square grid of width 4, 8, 16, ...",
                      "use topology: {kind: mesh, shape: [4, 4]}, or kind: separate");
  if (grid->wraps(0) || grid->wraps(1))
    throw ConfigError(
        "kind",
        "edn_transposition needs a mesh: on a torus the shorter routes around the rings "
        "share channels",
        "use topology.kind: mesh, or kind: separate");
  return *grid;
}

/// Blocks gather at the diagonals of 4 x 4 squares, then at those of squares of 16, and so on up to
/// the scale at which they must cross; in a square of twice that width the two off-diagonal halves
/// are exchanged; then each block moves down again, mirrored.
///
/// Serves: the transposition on a mesh of 2^k x 2^k, k >= 2.
/// Steps: k.
/// Contention: none within a step with scatter: aligned. With eager, where blocks move down as soon
///   as they can, none for k = 2 and 4, but some for k = 6; for odd k, 3n/4 of the n swapped
///   messages share channels with others.
/// Source: Tsai 1997, section 3.6; the collectors are our own, since the figures are lost
Schedule edn_transposition(const EdnTranspositionParams& params, const Demand& demand,
                           const CollectiveContext& network) {
  const DemandShape shape = DemandShape::of(demand, network.topology);
  require_one_of({Operation::transpose}, shape, demand, "edn_transposition");
  const Grid& grid = power_of_two_square(network);
  Ways ways(grid, params);
  std::map<std::tuple<int, NodeId, NodeId>, Pieces> carried;
  for (NodeId node : all_nodes(network.topology)) {
    const int piece = shape.block[node.index()];
    if (piece < 0) continue;
    for (const Hop& hop : ways.of(grid.coordinate(node, 0), grid.coordinate(node, 1)))
      carried[{hop.step, hop.from, hop.to}].push_back(piece);
  }
  Schedule schedule(demand);
  if (params.scatter == Scatter::aligned) schedule.promise_no_contention("dimension_order");
  for (auto& [hop, pieces] : carried) {
    const auto [step, from, to] = hop;
    Transfer& transfer = schedule.send(std::move(pieces), from, to, step);
    if (params.payload == Payload::constant) transfer.size = demand.deliveries.front().size;
  }
  return schedule;
}

}  // namespace

void register_edn_transposition(Collectives& collectives) {
  using P = EdnTranspositionParams;
  collectives.add(
      "edn_transposition",
      {"transposes a matrix over extended dominating nodes in k steps on 2^k x 2^k",
       "Tsai 1997, section 3.6"},
      Schema<P>{}
          .optional("scatter", &P::scatter,
                    "blocks that do not cross the middle move down as soon as they can, or in the "
                    "last steps with the others")
          .optional("payload", &P::payload,
                    "a message of several blocks is as long as all of them, or as one, as in the "
                    "dissertation's figures")
          .optional("collectors", &P::collectors,
                    "which of two symmetric sets of collectors: (0,0) collects from (0,3) and "
                    "(3,0), inner, or from (0,2) and (2,0), outer"),
      edn_transposition);
}

}  // namespace flitwave
