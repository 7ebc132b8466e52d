// algorithms/eds_tower.cpp: towers built from blocks: a 4 x 4 unit, copied, mirrored and crowned.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/eds_tower.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "flitwave/configs/error.hpp"

namespace flitwave {
namespace {

struct Point {
  int x;
  int y;
  friend bool operator==(Point a, Point b) { return a.x == b.x && a.y == b.y; }
};

using Points = std::vector<Point>;
using Links = std::vector<std::pair<Point, Point>>;  // parent, child

bool contains(const Points& points, Point point) {
  return std::find(points.begin(), points.end(), point) != points.end();
}

/// A square with its levels, as EdsTower has them.
struct Block {
  int width = 0;
  std::vector<Points> levels;
  std::vector<Links> descents;
};

/// The block with every point moved.
template <class Move>
Block moved(Block block, Move move) {
  for (Points& level : block.levels)
    for (Point& point : level) point = move(point);
  for (Links& descent : block.descents)
    for (auto& [parent, child] : descent) {
      parent = move(parent);
      child = move(child);
    }
  return block;
}

Block shifted(const Block& block, int x, int y) {
  return moved(block, [=](Point p) { return Point{p.x + x, p.y + y}; });
}

Block mirrored_in_x(const Block& block) {
  return moved(block, [&](Point p) { return Point{block.width - 1 - p.x, p.y}; });
}

Block mirrored_in_y(const Block& block) {
  return moved(block, [&](Point p) { return Point{p.x, block.width - 1 - p.y}; });
}

/// Four blocks of one size as the quadrants of one of twice the width.
Block joined(const Block& lower_left, const Block& lower_right, const Block& upper_left,
             const Block& upper_right) {
  const int half = lower_left.width;
  Block whole = lower_left;
  whole.width = 2 * half;
  for (const Block& part : {shifted(lower_right, half, 0), shifted(upper_left, 0, half),
                            shifted(upper_right, half, half)}) {
    for (std::size_t j = 0; j < part.levels.size(); ++j)
      whole.levels[j].insert(whole.levels[j].end(), part.levels[j].begin(), part.levels[j].end());
    for (std::size_t j = 0; j < part.descents.size(); ++j)
      whole.descents[j].insert(whole.descents[j].end(), part.descents[j].begin(),
                               part.descents[j].end());
  }
  return whole;
}

/// The 4 x 4 mesh under one of its two dominating sets of four nodes: each serves its neighbours.
/// Source: Tsai 1997, figure 3.2(d)
Block unit() {
  Block block;
  block.width = 4;
  block.levels = {{}, {{1, 0}, {3, 1}, {0, 2}, {2, 3}}};
  block.descents.resize(1);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      block.levels[0].push_back({x, y});
      if (contains(block.levels[1], {x, y})) continue;
      for (Point parent : block.levels[1])
        if (std::abs(parent.x - x) + std::abs(parent.y - y) == 1)
          block.descents[0].emplace_back(parent, Point{x, y});
    }
  return block;
}

/// The tops of the square mesh: lower left, lower right, upper left, upper right.
/// Source: Tsai 1997, appendix A (recurrence; its closed form for even k has a sign wrong)
std::array<Point, 4> tops_of_width(int width) {
  if (width == 8) return {{{1, 0}, {6, 0}, {2, 7}, {5, 7}}};
  const std::array<Point, 4> small = tops_of_width(width / 2);
  const Point c = small[2];
  const Point d = small[3];
  return {{{c.x, c.y},
           {width - 1 - c.x, c.y},
           {width / 2 - 1 - c.x, width - 1 - c.y},
           {width - 1 - d.x, width - 1 - d.y}}};
}

/// Where a top's vertical link ends.
Point across(Point top, int width) {
  if (width == 8) return {top.x, top.y < 4 ? top.y + 4 : top.y - 4};
  return {top.x, width - 1 - top.y};
}

/// Adds the tops as the highest level. Each serves one member of the level below in its own
/// column, and those two of its own quadrant that nobody serves in that way.
Block crowned(Block block) {
  const std::array<Point, 4> found = tops_of_width(block.width);
  const Points tops(found.begin(), found.end());
  const Points& below = block.levels.back();
  const int half = block.width / 2;
  Points targets;
  for (Point top : tops) targets.push_back(across(top, block.width));
  Links links;
  for (Point top : tops) {
    links.emplace_back(top, across(top, block.width));
    for (Point member : below)
      if (member.x / half == top.x / half && member.y / half == top.y / half &&
          !contains(tops, member) && !contains(targets, member))
        links.emplace_back(top, member);
  }
  block.levels.push_back(tops);
  block.descents.push_back(std::move(links));
  return block;
}

Block square(int width) {
  const Block b = unit();
  if (width == 4) return b;
  if (width == 8) {
    const Block a = mirrored_in_x(b);
    return crowned(joined(b, a, b, a));
  }
  const Block part = square(width / 2);
  const Block mirror = mirrored_in_y(part);
  return crowned(joined(part, part, mirror, mirror));
}

[[noreturn]] void refuse(const Topology& topology) {
  const Grid* grid = topology.grid();
  std::string shape = "no grid";
  if (grid) {
    shape = fmt::format("a grid of {}", fmt::join(grid->extents(), " x "));
    for (int dimension = 0; dimension < grid->dimensions(); ++dimension)
      if (grid->wraps(dimension)) {
        shape += " with wrap-around";
        break;
      }
  }
  throw ConfigError(
      "kind", "EDN is known for square 2D meshes of width 4, 8, 16, 32, ...; this is " + shape,
      "change topology.shape, or use kind: recursive_doubling");
}

}  // namespace

EdsTower::EdsTower(std::vector<std::vector<NodeId>> levels,
                   std::vector<std::vector<EdsLink>> descents)
    : levels_(std::move(levels)), descents_(std::move(descents)) {
  if (levels_.size() != descents_.size() + 1)
    throw ModelError(fmt::format("a tower of {} levels cannot have {} descents", levels_.size(),
                                 descents_.size()));
  for (std::vector<NodeId>& level : levels_) std::sort(level.begin(), level.end());
  for (std::size_t j = 0; j < descents_.size(); ++j) {
    std::vector<EdsLink>& links = descents_[j];
    std::sort(links.begin(), links.end(), [](const EdsLink& a, const EdsLink& b) {
      return a.parent == b.parent ? a.child < b.child : a.parent < b.parent;
    });
    std::vector<NodeId> held = levels_[j + 1];
    for (const EdsLink& link : links) {
      if (!std::binary_search(levels_[j + 1].begin(), levels_[j + 1].end(), link.parent))
        throw ModelError(fmt::format("node {} serves node {} from level {} and is no member of it",
                                     link.parent.value(), link.child.value(), j + 1));
      held.push_back(link.child);
    }
    std::sort(held.begin(), held.end());
    if (held != levels_[j])
      throw ModelError(
          fmt::format("level {} and what it serves are not level {}, each node once", j + 1, j));
  }
}

EdsTower square_mesh_tower(const Topology& topology) {
  const Grid* grid = topology.grid();
  if (!grid || grid->dimensions() != 2 || grid->extent(0) != grid->extent(1) || grid->wraps(0) ||
      grid->wraps(1))
    refuse(topology);
  const int width = grid->extent(0);
  if (width < 4 || (width & (width - 1)) != 0) refuse(topology);

  const Block block = square(width);
  const auto node = [&](Point point) { return grid->node({point.x, point.y}); };
  std::vector<std::vector<NodeId>> levels;
  for (const Points& points : block.levels) {
    levels.emplace_back();
    for (Point point : points) levels.back().push_back(node(point));
  }
  std::vector<std::vector<EdsLink>> descents;
  for (const Links& links : block.descents) {
    descents.emplace_back();
    for (const auto& [parent, child] : links)
      descents.back().push_back({node(parent), node(child)});
  }
  return EdsTower(std::move(levels), std::move(descents));
}

}  // namespace flitwave
