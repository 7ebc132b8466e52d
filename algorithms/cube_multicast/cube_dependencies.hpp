// algorithms/cube_multicast/cube_dependencies.hpp: which channels of a cube wait for which.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "algorithms/cube_multicast/walk.hpp"
#include "algorithms/deadlock/dependency_graph.hpp"

namespace flitwave {

/// The channel dependency graph of messages in a cube whose routers hold a message until all of its
/// branches have left: a channel by which a message came waits for those by which it goes on.
class CubeDependencies {
 public:
  explicit CubeDependencies(const Cube& cube);

  /// The dependencies of a message's walk.
  void add(const CubeWalk& walk);

  /// How many pairs of channels there are of which one waits for the other.
  std::int64_t count() const;

  /// The channels of a shortest cycle through a channel that lies on one; their steps mean
  /// nothing. Empty: messages that walk so cannot block each other for ever.
  std::vector<CubeHop> cycle() const;

 private:
  int number(CubeAddress from, int dimension) const {
    return static_cast<int>(from) * cube_.dimensions() + dimension;
  }

  Cube cube_;
  std::vector<std::set<int>> waits_;  // Shape: [channels][any]
};

}  // namespace flitwave
