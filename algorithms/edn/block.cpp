// algorithms/edn/block.cpp: boxes of nodes, translated and joined.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/block.hpp"

#include <algorithm>

#include "algorithms/edn/eds_assignment.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

/// The block with every point translated.
template <class Move>
Block moved(Block block, Move move) {
  for (BlockPoints& level : block.levels)
    for (BlockPoint& point : level) point = move(point);
  for (BlockLinks& descent : block.descents)
    for (BlockLink& link : descent) link = {move(link.parent), move(link.child)};
  return block;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

NodeId node_at_point(const Grid& grid, const BlockPoint& point) {
  return grid.node({point.begin(), point.begin() + grid.dimensions()});
}

BlockPoint point_at(const Grid& grid, NodeId node) {
  return {grid.coordinate(node, 0), grid.coordinate(node, 1), grid.coordinate(node, 2)};
}

}  // namespace

BlockLinks links_of(const std::vector<BlockFamily>& families) {
  BlockLinks links;
  for (const BlockFamily& family : families)
    for (const BlockPoint& child : family.children) links.push_back({family.parent, child});
  return links;
}

Block bare_block(const BlockPoint& extents) {
  Block block{extents, {{}}, {}};
  for (int z = 0; z < extents[2]; ++z)
    for (int y = 0; y < extents[1]; ++y)
      for (int x = 0; x < extents[0]; ++x) block.levels[0].push_back({x, y, z});
  return block;
}

Block crowned(Block block, BlockLinks descent) {
  BlockPoints tops;
  for (const BlockLink& link : descent) tops.push_back(link.parent);
  std::sort(tops.begin(), tops.end());
  tops.erase(std::unique(tops.begin(), tops.end()), tops.end());
  block.levels.push_back(std::move(tops));
  block.descents.push_back(std::move(descent));
  return block;
}

Block shifted(Block block, const BlockPoint& by) {
  return moved(std::move(block), [&](const BlockPoint& p) {
    return BlockPoint{p[0] + by[0], p[1] + by[1], p[2] + by[2]};
  });
}

BlockPoint mirrored(BlockPoint point, int dimension, int extent) {
  int& at = point[index(dimension)];
  at = extent - 1 - at;
  return point;
}

Block mirrored(Block block, int dimension) {
  const int extent = block.extents[index(dimension)];
  return moved(std::move(block),
               [&](const BlockPoint& p) { return mirrored(p, dimension, extent); });
}

Block joined(const std::vector<Block>& parts, const BlockPoint& extents) {
  Block whole = parts.front();
  whole.extents = extents;
  for (std::size_t part = 1; part < parts.size(); ++part) {
    for (std::size_t j = 0; j < whole.levels.size(); ++j)
      append(whole.levels[j], parts[part].levels[j]);
    for (std::size_t j = 0; j < whole.descents.size(); ++j)
      append(whole.descents[j], parts[part].descents[j]);
  }
  return whole;
}

Block crowned_by(Block block, const BlockPoints& tops, int ports) {
  const Grid grid({block.extents.begin(), block.extents.end()}, {false, false, false});
  std::vector<NodeId> parents;
  std::vector<NodeId> children;
  for (const BlockPoint& top : tops) parents.push_back(node_at_point(grid, top));
  for (const BlockPoint& member : block.tops())
    if (std::find(tops.begin(), tops.end(), member) == tops.end())
      children.push_back(node_at_point(grid, member));
  const EdsAssignment found =
      find_eds_assignment(parents, children, {ports, true}, dimension_order_routes(grid));
  if (!found.found()) throw ModelError("the tops of a block do not serve the level below");
  BlockLinks descent;
  for (const EdsLink& link : found.links)
    descent.push_back({point_at(grid, link.parent), point_at(grid, link.child)});
  return crowned(std::move(block), std::move(descent));
}

EdsTower tower_of(const Block& block, const Grid& grid) {
  std::vector<std::vector<NodeId>> levels;
  for (const BlockPoints& points : block.levels) {
    levels.emplace_back();
    for (const BlockPoint& point : points) levels.back().push_back(node_at_point(grid, point));
  }
  std::vector<std::vector<EdsLink>> descents;
  for (const BlockLinks& links : block.descents) {
    descents.emplace_back();
    for (const BlockLink& link : links)
      descents.back().push_back(
          {node_at_point(grid, link.parent), node_at_point(grid, link.child)});
  }
  return EdsTower(std::move(levels), std::move(descents));
}

}  // namespace flitwave
