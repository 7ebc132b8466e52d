// testbenches/reference/papers/fault_counts.cpp: see fault_counts.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/papers/fault_counts.hpp"

#include <algorithm>
#include <string>

#include "configs/error.hpp"
#include "configs/random.hpp"
#include "topologies/ids.hpp"

namespace flitwave {
namespace {

/// Whether no fault-free node has two of these neighbours. Shorter than a CubeFaults: only nodes at
/// distance 2 have common neighbours, and they have two.
bool valid_nodes(const CubeNodes& faulty) {
  const auto fault_free = [&](CubeAddress node) {
    return std::find(faulty.begin(), faulty.end(), node) == faulty.end();
  };
  for (std::size_t i = 0; i < faulty.size(); ++i)
    for (std::size_t j = i + 1; j < faulty.size(); ++j) {
      const CubeBits between = faulty[i] ^ faulty[j];
      if (ones(between) != 2) continue;
      const CubeBits low = bit(lowest_bit(between));
      if (fault_free(faulty[i] ^ low) || fault_free(faulty[j] ^ low)) return false;
    }
  return true;
}

}  // namespace

int hamming_bound(const Cube& cube) { return cube.nodes() / (cube.dimensions() + 1); }

std::vector<std::int64_t> count_valid_faults(const Cube& cube) {
  if (cube.dimensions() > 4)
    throw ConfigError("dimensions", "all sets of faults are tried in cubes of up to 4 dimensions");
  std::vector<std::int64_t> valid(index(cube.nodes()) + 1, 0);
  for (std::uint32_t set = 0; set + 1 < 1u << cube.nodes(); ++set) {
    CubeNodes nodes;
    for (CubeAddress node = 0; node <= cube.all(); ++node)
      if ((set >> node & 1) != 0) nodes.push_back(node);
    if (valid_nodes(nodes)) ++valid[nodes.size()];
  }
  return valid;
}

ValidShare valid_share(const Cube& cube, int faults) {
  if (faults < 1 || faults > 3 || faults >= cube.nodes())
    throw ConfigError("faults", "all sets of " + std::to_string(faults) + " faults",
                      "choose 1 to 3, or draw some");
  ValidShare share;
  const auto count = [&](const auto& self, const CubeNodes& nodes) -> void {
    if (nodes.size() == index(faults)) {
      ++share.all;
      if (valid_nodes(nodes)) ++share.valid;
      return;
    }
    CubeNodes more = nodes;
    more.push_back(0);
    for (CubeAddress next = nodes.back() + 1; next <= cube.all(); ++next) {
      more.back() = next;
      self(self, more);
    }
  };
  count(count, {0});
  return share;
}

ValidShare drawn_valid_share(const Cube& cube, int faults, int trials, std::uint64_t seed) {
  if (faults < 1 || faults >= cube.nodes())
    throw ConfigError(
        "faults",
        std::to_string(faults) + " faults among " + std::to_string(cube.nodes()) + " nodes",
        "choose 1 to " + std::to_string(cube.nodes() - 1));
  if (trials < 1) throw ConfigError("trials", "at least one random set is needed");
  Random random(seed, "faults", static_cast<std::uint64_t>(faults));
  ValidShare share{0, trials};
  CubeNodes nodes;
  for (int trial = 0; trial < trials; ++trial) {
    nodes.clear();
    while (nodes.size() < index(faults)) {
      const auto node =
          static_cast<CubeAddress>(random.below(static_cast<std::uint64_t>(cube.nodes())));
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
    }
    if (valid_nodes(nodes)) ++share.valid;
  }
  return share;
}

}  // namespace flitwave
