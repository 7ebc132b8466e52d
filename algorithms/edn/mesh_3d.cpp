// algorithms/edn/mesh_3d.cpp: meshes of (4 * 2^k) x (4 * 2^k) x (4 or 5, times 3^m).
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/mesh_3d.hpp"

#include <algorithm>

#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/edn/mesh_2d.hpp"
#include "algorithms/edn/shapes.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

using Tops = std::array<BlockPoint, 4>;  // lower left, lower right, upper left, upper right

/// A block, and the top in each quadrant of x and y.
struct Crowned {
  Block block;
  Tops tops;
};

BlockPoint plus(const BlockPoint& a, const BlockPoint& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// Four dominating sets that together contain every cell of the plane, one set for each plane. In
/// the fifth plane, if there is one, every node is served from its own column.
Block dominated_planes(int depth) {
  Block block = bare_block({4, 4, depth});
  BlockLinks links;
  const std::array<BlockLinks, 4> planes = plane_partition();
  for (std::size_t z = 0; z < planes.size(); ++z)
    for (const BlockLink& link : planes[z]) {
      const BlockPoint up{0, 0, static_cast<int>(z)};
      const BlockLink served{plus(link.parent, up), plus(link.child, up)};
      const bool fresh = links.empty() || links.back().parent != served.parent;
      if (fresh && depth == 5)
        links.push_back({served.parent, {served.parent[0], served.parent[1], 4}});
      links.push_back(served);
    }
  return crowned(std::move(block), std::move(links));
}

/// The basic unit. Source: Tsai 1997, section 3.4; coordinates and links are ours
Crowned unit(int depth) {
  const Tops tops{{{0, 1, 0}, {3, 1, 1}, {1, 2, 2}, {2, 2, 3}}};
  return {
      crowned(dominated_planes(depth), links_of({{tops[0], {{0, 0, 2}, {0, 2, 1}, {1, 0, 1}}},
                                                 {tops[1], {{2, 0, 0}, {3, 0, 3}, {3, 2, 0}}},
                                                 {tops[2], {{1, 1, 3}, {1, 3, 0}, {2, 1, 2}}},
                                                 {tops[3], {{0, 3, 3}, {2, 3, 1}, {3, 3, 2}}}})),
      tops};
}

/// Doubles width and height; of each quadrant the top next to the centre remains a top.
Crowned doubled_width(const Crowned& quarter) {
  const BlockPoint extents = quarter.block.extents;
  const int half = extents[0];
  const BlockPoint right{half, 0, 0};
  const BlockPoint up{0, half, 0};
  const BlockPoint both{half, half, 0};
  Block whole = joined({quarter.block, shifted(quarter.block, right), shifted(quarter.block, up),
                        shifted(quarter.block, both)},
                       {2 * half, 2 * half, extents[2]});
  const Tops tops{quarter.tops[3], plus(quarter.tops[2], right), plus(quarter.tops[1], up),
                  plus(quarter.tops[0], both)};
  return {crowned_by(std::move(whole), {tops.begin(), tops.end()}, 3), tops};
}

/// Triples the depth; the tops of the middle part remain tops and serve those above and below.
Crowned tripled(const Crowned& third) {
  const BlockPoint extents = third.block.extents;
  const BlockPoint deeper{0, 0, extents[2]};
  const BlockPoint deepest{0, 0, 2 * extents[2]};
  Block whole = joined({third.block, shifted(third.block, deeper), shifted(third.block, deepest)},
                       {extents[0], extents[1], 3 * extents[2]});
  Tops tops = third.tops;
  BlockLinks links;
  for (BlockPoint& top : tops) {
    const BlockPoint middle = plus(top, deeper);
    links.push_back({middle, top});
    links.push_back({middle, plus(top, deepest)});
    top = middle;
  }
  return {crowned(std::move(whole), std::move(links)), tops};
}

/// 4 or 5 when the depth is that times a power of three, else 0.
int unit_depth(int depth) {
  for (int base : {4, 5})
    if (power_of(3, depth, base)) return base;
  return 0;
}

bool mesh_3d_covers(const Topology& topology) {
  const std::vector<int> extents = mesh_extents(topology);
  return extents.size() == 3 && extents[0] == extents[1] && power_of(2, extents[0], 4) &&
         unit_depth(extents[2]) != 0;
}

/// In the fifth plane of a unit, a node of a middle plane serves a fifth node. Tsai's section 3.4.4
/// states four as the maximum.
int mesh_3d_ports(const Topology& topology) { return unit_depth(topology.grid()->extent(2)); }

EdnSteps mesh_3d_steps(NodeId source, const CollectiveContext& network) {
  const EdsTower tower = mesh_3d_tower(network.topology);
  return descend(source, tower, plan_startup(source, tower.tops(), network));
}

}  // namespace

std::array<BlockLinks, 4> plane_partition() {
  return {dominated_4x4(Pattern::a).descents[0], dominated_4x4(Pattern::b).descents[0],
          links_of({{{0, 0, 0}, {{0, 1, 0}, {3, 0, 0}}},
                    {{1, 2, 0}, {{0, 2, 0}, {1, 1, 0}, {1, 3, 0}, {2, 2, 0}}},
                    {{2, 1, 0}, {{1, 0, 0}, {2, 0, 0}, {2, 3, 0}, {3, 1, 0}}},
                    {{3, 3, 0}, {{0, 3, 0}, {3, 2, 0}}}}),
          links_of({{{0, 3, 0}, {{0, 2, 0}, {3, 3, 0}}},
                    {{1, 1, 0}, {{0, 1, 0}, {1, 0, 0}, {1, 2, 0}, {2, 1, 0}}},
                    {{2, 2, 0}, {{1, 3, 0}, {2, 0, 0}, {2, 3, 0}, {3, 2, 0}}},
                    {{3, 0, 0}, {{0, 0, 0}, {3, 1, 0}}}})};
}

EdsTower mesh_3d_tower(const Topology& topology) {
  if (!topology.grid() || !mesh_3d_covers(topology))
    throw ConfigError("kind",
                      "towers are known for 3D meshes of (4 * 2^k) x (4 * 2^k) x (4 or 5, * 3^m)",
                      "change topology.shape, or use kind: recursive_doubling");
  const Grid& grid = *topology.grid();
  Crowned found = unit(unit_depth(grid.extent(2)));
  while (found.block.extents[0] < grid.extent(0)) found = doubled_width(found);
  while (found.block.extents[2] < grid.extent(2)) found = tripled(found);
  return tower_of(found.block, grid);
}

EdnShape edn_on_3d_meshes() {
  return {"3D meshes of (4 * 2^k) x (4 * 2^k) x (4 or 5, * 3^m)", mesh_3d_covers, mesh_3d_ports,
          mesh_3d_steps};
}

}  // namespace flitwave
