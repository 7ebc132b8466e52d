// algorithms/edn/mesh_2d.cpp: square meshes of width 4, 5, 6 or 7 times 2^k.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/mesh_2d.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/edn/block.hpp"
#include "algorithms/edn/shapes.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

BlockPoint at(int x, int y) { return {x, y, 0}; }

bool contains(const BlockPoints& points, const BlockPoint& point) {
  return std::find(points.begin(), points.end(), point) != points.end();
}

/// Where a top's vertical link ends. Source: ours, verified disjoint; the figures are missing.
BlockPoint across(const BlockPoint& top, int width) {
  if (width == 8) return at(top[0], top[1] < 4 ? top[1] + 4 : top[1] - 4);
  return at(top[0], width - 1 - top[1]);
}

/// Adds the four tops as the highest level. Each serves one member of the level below in its own
/// column, and the two of its own quadrant that no top serves by its column.
Block crowned_by_four(Block block) {
  const int width = block.extents[0];
  const int half = width / 2;
  const std::array<BlockPoint, 4> found = square_mesh_tops(width);
  const BlockPoints tops(found.begin(), found.end());
  BlockPoints targets;
  for (const BlockPoint& top : tops) targets.push_back(across(top, width));
  BlockLinks links;
  for (const BlockPoint& top : tops) {
    links.push_back({top, across(top, width)});
    for (const BlockPoint& member : block.tops())
      if (member[0] / half == top[0] / half && member[1] / half == top[1] / half &&
          !contains(tops, member) && !contains(targets, member))
        links.push_back({top, member});
  }
  return crowned(std::move(block), std::move(links));
}

/// Four blocks of one width as the quadrants of one of twice the width.
Block quadrants(const Block& lower_left, const Block& lower_right, const Block& upper_left,
                const Block& upper_right) {
  const int half = lower_left.extents[0];
  return joined({lower_left, shifted(lower_right, {half, 0, 0}), shifted(upper_left, {0, half, 0}),
                 shifted(upper_right, {half, half, 0})},
                {2 * half, 2 * half, 1});
}

Block family_of_four(int width) {
  if (width == 4) return dominated_4x4(Pattern::b);
  if (width == 8) {
    const Block a = dominated_4x4(Pattern::a);
    const Block b = dominated_4x4(Pattern::b);
    return crowned_by_four(quadrants(b, a, b, a));
  }
  const Block part = family_of_four(width / 2);
  const Block mirror = mirrored(part, 1);
  return crowned_by_four(quadrants(part, part, mirror, mirror));
}

/// 5 x 5: seven dominators under two tops. The source's figures of this and the next two blocks are
/// missing; the sets are ours, with the sizes and steps that the source states.
Block base_5() {
  const Block one =
      crowned(bare_block({5, 5, 1}), links_of({{at(0, 3), {at(0, 2), at(0, 4), at(1, 3)}},
                                               {at(1, 0), {at(0, 0), at(2, 0)}},
                                               {at(1, 1), {at(0, 1), at(1, 2), at(2, 1)}},
                                               {at(2, 4), {at(1, 4), at(2, 3), at(3, 3)}},
                                               {at(3, 2), {at(2, 2), at(3, 1), at(4, 2)}},
                                               {at(4, 0), {at(3, 0), at(4, 1)}},
                                               {at(4, 4), {at(3, 4), at(4, 3)}}}));
  return crowned(one, links_of({{at(1, 1), {at(0, 3), at(1, 0), at(3, 2)}},
                                {at(4, 4), {at(2, 4), at(4, 0)}}}));
}

/// 6 x 6: ten dominators under three tops.
Block base_6() {
  const Block one =
      crowned(bare_block({6, 6, 1}), links_of({{at(0, 1), {at(0, 0), at(0, 2), at(1, 1)}},
                                               {at(0, 4), {at(0, 3), at(0, 5), at(1, 4)}},
                                               {at(2, 0), {at(1, 0), at(2, 1), at(3, 0)}},
                                               {at(2, 2), {at(1, 2), at(3, 2)}},
                                               {at(2, 3), {at(1, 3), at(2, 4), at(3, 3)}},
                                               {at(2, 5), {at(1, 5), at(3, 5)}},
                                               {at(4, 1), {at(3, 1), at(4, 0), at(4, 2)}},
                                               {at(4, 4), {at(3, 4), at(4, 3), at(4, 5)}},
                                               {at(5, 1), {at(5, 0), at(5, 2)}},
                                               {at(5, 4), {at(5, 3), at(5, 5)}}}));
  return crowned(one, links_of({{at(0, 1), {at(0, 4)}},
                                {at(2, 2), {at(2, 0), at(2, 3), at(5, 1)}},
                                {at(4, 4), {at(2, 5), at(4, 1), at(5, 4)}}}));
}

/// 7 x 7: twelve dominators, of which (5, 3) serves four nodes; under three tops.
Block base_7() {
  const Block one =
      crowned(bare_block({7, 7, 1}), links_of({{at(0, 1), {at(0, 0), at(0, 2), at(1, 1)}},
                                               {at(0, 5), {at(0, 4), at(0, 6), at(1, 5)}},
                                               {at(1, 3), {at(0, 3), at(1, 2), at(1, 4), at(2, 3)}},
                                               {at(2, 0), {at(1, 0), at(2, 1), at(3, 0)}},
                                               {at(2, 6), {at(1, 6), at(2, 5), at(3, 6)}},
                                               {at(3, 2), {at(2, 2), at(3, 1), at(3, 3), at(4, 2)}},
                                               {at(3, 4), {at(2, 4), at(3, 5), at(4, 4)}},
                                               {at(4, 0), {at(4, 1), at(5, 0)}},
                                               {at(4, 6), {at(4, 5), at(5, 6)}},
                                               {at(5, 3), {at(4, 3), at(5, 2), at(5, 4), at(6, 3)}},
                                               {at(6, 1), {at(5, 1), at(6, 0), at(6, 2)}},
                                               {at(6, 5), {at(5, 5), at(6, 4), at(6, 6)}}}));
  return crowned(one, links_of({{at(2, 0), {at(0, 1), at(2, 6), at(6, 1)}},
                                {at(3, 4), {at(1, 3), at(3, 2), at(5, 3)}},
                                {at(4, 6), {at(0, 5), at(4, 0), at(6, 5)}}}));
}

/// A block and the tops of its highest level, in the order in which doubling selects them.
struct Ordered {
  Block block;
  BlockPoints tops;
};

Ordered base(int width) {
  const Block block = width == 5 ? base_5() : width == 6 ? base_6() : base_7();
  return {block, block.tops()};
}

/// Doubles the width: copies mirrored in x, in y and in both. All tops but the first remain tops;
/// the second, rotated by 180 degrees, is added to them. Source: ours, as the bases.
Ordered doubled(const Ordered& half) {
  const Block in_x = mirrored(half.block, 0);
  Block whole = quadrants(half.block, in_x, mirrored(half.block, 1), mirrored(in_x, 1));
  const int width = whole.extents[0];
  BlockPoints tops(half.tops.begin() + 1, half.tops.end());
  const BlockPoint& second = half.tops[1];
  tops.push_back(at(width - 1 - second[0], width - 1 - second[1]));
  return {crowned_by(std::move(whole), tops, 3), tops};
}

/// 4, 5, 6 or 7 when the width is that times a power of two, else 0.
int family_of(int width) {
  for (int base : {4, 5, 6, 7})
    if (power_of(2, width, base)) return base;
  return 0;
}

/// The width of a square mesh of a family, or 0.
int width_of(const Topology& topology) {
  const std::vector<int> extents = mesh_extents(topology);
  const bool square = extents.size() == 2 && extents[0] == extents[1];
  return square && family_of(extents[0]) != 0 ? extents[0] : 0;
}

bool mesh_2d_covers(const Topology& topology) { return width_of(topology) != 0; }

int mesh_2d_ports(const Topology& topology) { return family_of(width_of(topology)) == 7 ? 4 : 3; }

EdnSteps mesh_2d_steps(NodeId source, const CollectiveContext& network) {
  const EdsTower tower = square_mesh_tower(network.topology);
  return descend(source, tower, plan_startup(source, tower.tops(), network));
}

}  // namespace

Block dominated_4x4(Pattern pattern) {
  const Block b =
      crowned(bare_block({4, 4, 1}), links_of({{at(1, 0), {at(0, 0), at(2, 0), at(1, 1)}},
                                               {at(3, 1), {at(3, 0), at(3, 2), at(2, 1)}},
                                               {at(0, 2), {at(0, 1), at(0, 3), at(1, 2)}},
                                               {at(2, 3), {at(1, 3), at(3, 3), at(2, 2)}}}));
  return pattern == Pattern::b ? b : mirrored(b, 0);
}

std::array<BlockPoint, 4> square_mesh_tops(int width) {
  if (width == 8) return {at(1, 0), at(6, 0), at(2, 7), at(5, 7)};
  const std::array<BlockPoint, 4> small = square_mesh_tops(width / 2);
  const BlockPoint& c = small[2];
  const BlockPoint& d = small[3];
  return {at(c[0], c[1]), at(width - 1 - c[0], c[1]), at(width / 2 - 1 - c[0], width - 1 - c[1]),
          at(width - 1 - d[0], width - 1 - d[1])};
}

EdsTower square_mesh_tower(const Topology& topology) {
  const int width = width_of(topology);
  if (width == 0)
    throw ConfigError("kind",
                      "towers are known for square 2D meshes of width 4, 5, 6 or 7 times 2^k",
                      "change topology.shape, or use kind: recursive_doubling");
  const int family = family_of(width);
  if (family == 4) return tower_of(family_of_four(width), *topology.grid());
  Ordered found = base(family);
  while (found.block.extents[0] < width) found = doubled(found);
  return tower_of(found.block, *topology.grid());
}

EdnShape edn_on_square_meshes() {
  return {"square meshes of width 4, 5, 6 or 7 times 2^k", mesh_2d_covers, mesh_2d_ports,
          mesh_2d_steps};
}

}  // namespace flitwave
