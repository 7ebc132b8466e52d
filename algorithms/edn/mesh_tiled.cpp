// algorithms/edn/mesh_tiled.cpp: rectangles tiled with dominated blocks of 4 x 4.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/mesh_tiled.hpp"

#include "algorithms/edn/search.hpp"
#include "algorithms/edn/shapes.hpp"

namespace flitwave {
namespace {

constexpr int most_tiled_nodes = 16384;  // four thousand dominators: 1.7 s of planning

/// The two nodes above a stack of two blocks. Source: ours, with the fewest hops; Tsai 1997, figure
/// 3.4, shows four such examples
BlockLinks stack_links(Pattern lower, Pattern upper) {
  const bool low_a = lower == Pattern::a;
  if (upper == Pattern::a)
    return low_a ? links_of({{{1, 3, 0}, {{0, 1, 0}, {1, 7, 0}, {3, 2, 0}}},
                             {{2, 4, 0}, {{0, 5, 0}, {2, 0, 0}, {3, 6, 0}}}})
                 : links_of({{{1, 0, 0}, {{0, 2, 0}, {1, 7, 0}, {3, 1, 0}}},
                             {{2, 4, 0}, {{0, 5, 0}, {2, 3, 0}, {3, 6, 0}}}});
  return low_a ? links_of({{{1, 3, 0}, {{0, 1, 0}, {1, 4, 0}, {3, 2, 0}}},
                           {{2, 7, 0}, {{0, 6, 0}, {2, 0, 0}, {3, 5, 0}}}})
               : links_of({{{1, 0, 0}, {{0, 2, 0}, {1, 4, 0}, {3, 1, 0}}},
                           {{2, 7, 0}, {{0, 6, 0}, {2, 3, 0}, {3, 5, 0}}}});
}

/// Alternates pattern B and its mirror image along x, as in a pattern D.
Block tiled_block(int width, int height) {
  std::vector<Block> parts;
  for (int y = 0; y < height; y += 4)
    for (int x = 0; x < width; x += 4)
      parts.push_back(shifted(dominated_4x4(x % 8 == 0 ? Pattern::b : Pattern::a), {x, y, 0}));
  return joined(parts, {width, height, 1});
}

bool mesh_tiled_covers(const Topology& topology) {
  const std::vector<int> extents = mesh_extents(topology);
  return extents.size() == 2 && extents[0] % 4 == 0 && extents[1] % 4 == 0 &&
         topology.nodes() <= most_tiled_nodes;
}

int mesh_tiled_ports(const Topology&) { return 3; }

EdnSteps mesh_tiled_steps(NodeId source, const CollectiveContext& network) {
  const Grid& grid = *network.topology.grid();
  if (grid.extents() == std::vector<int>{4, 8}) {
    const EdsTower tower = tower_of(stacked_4x4(Pattern::a, Pattern::a), grid);
    return descend(source, tower, plan_startup(source, tower.tops(), network));
  }
  const EdsTower tower = tower_of(tiled_block(grid.extent(0), grid.extent(1)), grid);
  SearchedLevels begun;
  begun.members = {tower.members(0), tower.members(1)};
  begun.descents = {tower.descent(1)};
  return searched_broadcast(source, search_levels(network, std::move(begun)), network);
}

}  // namespace

Block stacked_4x4(Pattern lower, Pattern upper) {
  return crowned(
      joined({dominated_4x4(lower), shifted(dominated_4x4(upper), {0, 4, 0})}, {4, 8, 1}),
      stack_links(lower, upper));
}

EdnShape edn_on_tiled_meshes() {
  return {"2D meshes whose extents are multiples of 4", mesh_tiled_covers, mesh_tiled_ports,
          mesh_tiled_steps};
}

}  // namespace flitwave
