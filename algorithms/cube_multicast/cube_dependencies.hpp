// algorithms/cube_multicast/cube_dependencies.hpp: dependencies between the channels of a cube.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "algorithms/cube_multicast/walk.hpp"
#include "algorithms/deadlock/dependency_graph.hpp"

namespace flitwave {

/// The channel dependency graph of messages in a cube whose routers hold a message until all of its
/// branches have left: the channel by which a message arrives depends on those by which it leaves.
class CubeDependencies {
 public:
  explicit CubeDependencies(const Cube& cube);

  /// Adds the dependencies of a message's walk.
  void add(const CubeWalk& walk);

  /// The number of dependencies between channels.
  std::int64_t count() const;

  /// The channels of a shortest cycle through a channel that is on a cycle; their steps are unused.
  /// Empty: there is no dependency cycle, so that such messages cannot deadlock.
  std::vector<CubeHop> cycle() const;

 private:
  int number(CubeAddress from, int dimension) const {
    return static_cast<int>(from) * cube_.dimensions() + dimension;
  }

  Cube cube_;
  std::vector<std::set<int>> waits_;  // Shape: [channels][any]
};

}  // namespace flitwave
