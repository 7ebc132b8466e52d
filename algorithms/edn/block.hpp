// algorithms/edn/block.hpp: levels of a box of nodes, copied, mirrored and joined to larger boxes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "algorithms/edn/eds_tower.hpp"

namespace flitwave {

/// A position in a box: x, y, z; z is 0 in a plane.
using BlockPoint = std::array<int, 3>;
using BlockPoints = std::vector<BlockPoint>;

/// A parent serves a child.
struct BlockLink {
  BlockPoint parent;
  BlockPoint child;
};
using BlockLinks = std::vector<BlockLink>;

/// A parent and all nodes that it serves, as in the source's tables.
struct BlockFamily {
  BlockPoint parent;
  BlockPoints children;
};
BlockLinks links_of(const std::vector<BlockFamily>& families);

/// A box with its levels, as EdsTower has them.
struct Block {
  BlockPoint extents{1, 1, 1};
  std::vector<BlockPoints> levels;
  std::vector<BlockLinks> descents;

  const BlockPoints& tops() const { return levels.back(); }
};

/// A box with level 0 only.
Block bare_block(const BlockPoint& extents);
/// The block with the parents of `descent`, ascending, as one more level.
Block crowned(Block block, BlockLinks descent);
Block shifted(Block block, const BlockPoint& by);
/// Mirrored along one dimension, within its own box.
Block mirrored(Block block, int dimension);
BlockPoint mirrored(BlockPoint point, int dimension, int extent);
/// Joins blocks with equally many levels, at their positions in a box of `extents`.
Block joined(const std::vector<Block>& parts, const BlockPoint& extents);

/// Selects the members of the highest level that serve the rest of it with the fewest hops under
/// dimension order, `ports` children each at most, and adds them to the block as its tops.
/// Throws: ModelError when `tops` cannot serve the rest.
Block crowned_by(Block block, const BlockPoints& tops, int ports);

/// The block as a tower of a grid of the same extents; in a plane, z may be omitted.
EdsTower tower_of(const Block& block, const Grid& grid);

}  // namespace flitwave
