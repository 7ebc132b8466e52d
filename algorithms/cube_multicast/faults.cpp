// algorithms/cube_multicast/faults.cpp: fault vectors, and nodes with several faulty neighbours.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/faults.hpp"

#include <algorithm>
#include <utility>

#include "configs/error.hpp"
#include "configs/random.hpp"

namespace flitwave {
namespace {

/// Whether no fault-free node has two of these neighbours. Shorter than with CubeFaults: only nodes
/// at distance 2 have common neighbours, and they have two.
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

std::string listed(const CubeNodes& nodes) {
  std::string text;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    text += (i == 0 ? "" : i + 1 == nodes.size() ? " and " : ", ") + std::to_string(nodes[i]);
  return text;
}

}  // namespace

CubeFaults::CubeFaults(const Cube& cube, CubeNodes nodes, const std::vector<CubeLink>& links)
    : cube_(cube),
      nodes_(std::move(nodes)),
      faulty_(static_cast<std::size_t>(cube.nodes()), false),
      vectors_(static_cast<std::size_t>(cube.nodes()), 0),
      links_(static_cast<int>(links.size())) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::string key = "faults.nodes[" + std::to_string(i) + "]";
    cube_.require(nodes_[i], key);
    if (faulty_[nodes_[i]])
      throw ConfigError(key, "node " + std::to_string(nodes_[i]) + " is named twice");
    faulty_[nodes_[i]] = true;
    for (int dimension = 0; dimension < cube_.dimensions(); ++dimension)
      vectors_[nodes_[i] ^ bit(dimension)] |= bit(dimension);
  }
  std::sort(nodes_.begin(), nodes_.end());
  std::vector<CubeBits> broken(vectors_.size(), 0);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::string key = "faults.links[" + std::to_string(i) + "]";
    const auto& [end, dimension] = links[i];
    cube_.require(end, key);
    if (dimension < 0 || dimension >= cube_.dimensions())
      throw ConfigError(key, "the cube has no dimension " + std::to_string(dimension),
                        "it has 0 to " + std::to_string(cube_.dimensions() - 1));
    if (has_bit(broken[end], dimension)) throw ConfigError(key, "the link is named twice");
    for (CubeAddress node : {end, links[i].other_end()}) broken[node] |= bit(dimension);
  }
  for (std::size_t node = 0; node < vectors_.size(); ++node) vectors_[node] |= broken[node];
}

CubeNodes CubeFaults::fault_free() const {
  CubeNodes others;
  for (CubeAddress node = 0; node <= cube_.all(); ++node)
    if (!faulty_[node]) others.push_back(node);
  return others;
}

std::vector<FaultViolation> CubeFaults::violations() const {
  std::vector<FaultViolation> found;
  for (CubeAddress node : fault_free()) {
    if (ones(vectors_[node]) < 2) continue;
    found.push_back({node, {}});
    for (CubeBits left = vectors_[node]; left != 0; left &= left - 1)
      found.back().neighbours.push_back(node ^ bit(lowest_bit(left)));
  }
  return found;
}

bool CubeFaults::valid() const {
  return violations().empty() && static_cast<int>(nodes_.size()) < cube_.nodes();
}

void CubeFaults::require_valid() const {
  const std::vector<FaultViolation> found = violations();
  if (valid()) return;
  if (found.empty()) throw ConfigError("faults", "all nodes are faulty");
  const FaultViolation& first = found.front();
  const std::string others = found.size() == 1 ? ""
                                               : ", and " + std::to_string(found.size() - 1) +
                                                     " more fault-free nodes have several";
  throw ConfigError("faults",
                    "fault-free node " + std::to_string(first.node) +
                        " has the faulty neighbours " + listed(first.neighbours) + others,
                    "leave each fault-free node at most one");
}

void require_fault_free(const CubeFaults& faults, CubeAddress source,
                        const CubeNodes& destinations) {
  const auto require = [&](CubeAddress node, const std::string& key) {
    faults.cube().require(node, key);
    if (faults.faulty(node)) throw ConfigError(key, "node " + std::to_string(node) + " is faulty");
  };
  require(source, "source");
  for (std::size_t i = 0; i < destinations.size(); ++i)
    require(destinations[i], "destinations[" + std::to_string(i) + "]");
}

int hamming_bound(const Cube& cube) { return cube.nodes() / (cube.dimensions() + 1); }

std::vector<std::int64_t> count_valid_faults(const Cube& cube) {
  if (cube.dimensions() > 4)
    throw ConfigError("dimensions", "all sets of faults are tried in cubes of up to 4 dimensions");
  std::vector<std::int64_t> valid(static_cast<std::size_t>(cube.nodes()) + 1, 0);
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
                      "choose 1 to 3, or use random sets");
  ValidShare share;
  const auto count = [&](const auto& self, const CubeNodes& nodes) -> void {
    if (nodes.size() == static_cast<std::size_t>(faults)) {
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
    while (nodes.size() < static_cast<std::size_t>(faults)) {
      const auto node =
          static_cast<CubeAddress>(random.below(static_cast<std::uint64_t>(cube.nodes())));
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
    }
    if (valid_nodes(nodes)) ++share.valid;
  }
  return share;
}

}  // namespace flitwave
