// algorithms/cube_multicast/faults.hpp: faulty nodes of a cube, and whether they are tolerated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/cube_multicast/cube.hpp"

namespace flitwave {

/// A link of a cube, in both directions.
struct CubeLink {
  CubeAddress end = 0;
  int dimension = 0;

  CubeAddress other_end() const { return end ^ bit(dimension); }
};

/// A fault-free node with several faulty neighbours, which the algorithms do not tolerate.
struct FaultViolation {
  CubeAddress node = 0;
  CubeNodes neighbours;  ///< Faulty, or behind a faulty link; by dimension.
};

/// The faults of a cube, which do not change. All links of a faulty node are faulty. Both ends
/// treat a faulty link like a faulty node behind it.
/// Source: Lan 1988, section 7.2; faulty links are ours
class CubeFaults {
 public:
  /// Throws: ConfigError on "faults.nodes[i]" or "faults.links[i]" when the cube has no such node
  ///   or link, or a fault is named twice.
  explicit CubeFaults(const Cube& cube, CubeNodes nodes = {},
                      const std::vector<CubeLink>& links = {});

  const Cube& cube() const { return cube_; }
  bool faulty(CubeAddress node) const { return faulty_[node]; }
  /// Ascending.
  const CubeNodes& nodes() const { return nodes_; }
  /// Faulty nodes and links.
  int count() const { return static_cast<int>(nodes_.size()) + links_; }
  CubeNodes fault_free() const;
  /// The fault vector of a node: the dimensions of faulty neighbours and links.
  CubeBits vector_of(CubeAddress node) const { return vectors_[node]; }
  /// Whether a message can leave a node along a dimension.
  bool leads(CubeAddress from, int dimension) const {
    return !has_bit(vectors_[from], dimension) && !faulty_[from];
  }

  /// The fault-free nodes with more than one faulty neighbour, ascending. If empty while there are
  /// fault-free nodes, the faults are valid: UNICAST.F1, BROADCAST.F3 and MULTICAST.F1 serve every
  /// fault-free node.
  std::vector<FaultViolation> violations() const;
  bool valid() const;
  /// Throws: ConfigError on "faults" that names a node and its faulty neighbours, unless valid.
  void require_valid() const;

 private:
  Cube cube_;
  CubeNodes nodes_;
  std::vector<bool> faulty_;       // Shape: [nodes]
  std::vector<CubeBits> vectors_;  // Shape: [nodes]
  int links_ = 0;
};

/// Throws: ConfigError on "source" or "destinations[i]" when one of them is faulty.
void require_fault_free(const CubeFaults& faults, CubeAddress source,
                        const CubeNodes& destinations);

}  // namespace flitwave
