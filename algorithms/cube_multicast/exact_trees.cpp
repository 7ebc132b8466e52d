// algorithms/cube_multicast/exact_trees.cpp: links that shortest paths can share.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/exact_trees.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "configs/error.hpp"
#include "topologies/ids.hpp"

namespace flitwave {
namespace {

/// The union of shortest paths; a channel shared by two occurs once.
class SharedPaths {
 public:
  explicit SharedPaths(CubeAddress source) : source_(source) { walk_.source = source; }

  /// Dimension after dimension, the lowest first.
  void lead(CubeAddress from, CubeAddress to) {
    for (CubeBits left = from ^ to; left != 0; left &= left - 1) {
      const int dimension = lowest_bit(left);
      const int step = cube_distance(source_, from) + 1;
      if (reached_.insert(from ^ bit(dimension)).second)
        walk_.hops.push_back({from, dimension, step});
      from ^= bit(dimension);
    }
  }

  CubeWalk to(const CubeNodes& destinations) {
    for (CubeAddress node : destinations)
      walk_.receipts.push_back({node, cube_distance(source_, node)});
    std::stable_sort(walk_.hops.begin(), walk_.hops.end(),
                     [](const CubeHop& a, const CubeHop& b) { return a.step < b.step; });
    std::stable_sort(walk_.receipts.begin(), walk_.receipts.end(),
                     [](const CubeReceipt& a, const CubeReceipt& b) { return a.step < b.step; });
    return walk_;
  }

 private:
  CubeAddress source_;
  std::set<CubeAddress> reached_;
  CubeWalk walk_;
};

/// The best split of each set of destinations, in which the paths to the parts share most links.
/// Bit i of a set stands for destination i.
class BestSplits {
 public:
  BestSplits(CubeAddress source, const CubeNodes& destinations)
      : source_(source), common_(sets_of(destinations), ~CubeBits{0}) {
    saved_.assign(common_.size(), 0);
    part_.assign(common_.size(), 0);
    for (const CubeAddress node : destinations) links_ += cube_distance(source, node);
    for (std::size_t set = 1; set < common_.size(); ++set) {
      const std::size_t rest = set & (set - 1);
      const auto first = index(lowest_bit(static_cast<CubeBits>(set)));
      common_[set] = common_[rest] & (source ^ destinations[first]);
      if (rest != 0) split(set, rest);
    }
  }

  std::size_t all() const { return common_.size() - 1; }
  /// The nearest common ancestor of a set's members.
  CubeAddress ancestor(std::size_t set) const { return source_ ^ common_[set]; }
  /// The part with the lowest member, for a set of two or more.
  std::size_t part(std::size_t set) const { return part_[set]; }
  int links() const { return links_ - saved_[all()]; }

 private:
  static std::size_t sets_of(const CubeNodes& destinations) {
    const std::size_t k = destinations.size();
    if (k < 1 || k > 16)
      throw ConfigError("destinations",
                        "splitting " + std::to_string(k) + " destinations in all ways",
                        "name 1 to 16, or use fewest_links_by_levels");
    return std::size_t{1} << k;
  }

  /// `rest`: the set without its lowest member. Each split is tried once.
  void split(std::size_t set, std::size_t rest) {
    part_[set] = set ^ rest;
    for (std::size_t others = (rest - 1) & rest;; others = (others - 1) & rest) {
      const std::size_t own = others | (set ^ rest);
      const int saved = saved_[own] + saved_[set ^ own];
      if (saved > saved_[set]) {
        saved_[set] = saved;
        part_[set] = own;
      }
      if (others == 0) break;
    }
    saved_[set] += ones(common_[set]);
  }

  CubeAddress source_;
  int links_ = 0;                  // links of separate paths
  std::vector<CubeBits> common_;   // the bits in which all members differ
  std::vector<int> saved_;         // links that the paths to a set share
  std::vector<std::size_t> part_;  // Shape, of all three: [sets]
};

}  // namespace

CubeAddress nearest_common_ancestor(CubeAddress source, const CubeNodes& nodes) {
  if (nodes.empty())
    throw ConfigError("destinations", "an empty set of nodes has no common ancestor");
  CubeBits common = ~CubeBits{0};
  for (CubeAddress node : nodes) common &= node ^ source;
  return source ^ common;
}

CubeWalk one_to_two(CubeAddress source, CubeAddress a, CubeAddress b) {
  const CubeAddress x = nearest_common_ancestor(source, {a, b});
  SharedPaths paths(source);
  paths.lead(source, x);
  paths.lead(x, a);
  paths.lead(x, b);
  return paths.to({a, b});
}

CubeWalk one_to_three(CubeAddress source, CubeAddress a, CubeAddress b, CubeAddress c) {
  const CubeAddress y = nearest_common_ancestor(source, {a, b, c});
  std::array<std::array<CubeAddress, 3>, 3> ways{{{a, b, c}, {a, c, b}, {b, c, a}}};
  const auto shared = [&](const std::array<CubeAddress, 3>& way) {
    return cube_distance(source, nearest_common_ancestor(source, {way[0], way[1]}));
  };
  const auto best = *std::max_element(
      ways.begin(), ways.end(),
      [&](const auto& one, const auto& other) { return shared(one) < shared(other); });
  const CubeAddress x = nearest_common_ancestor(source, {best[0], best[1]});
  SharedPaths paths(source);
  paths.lead(source, y);
  paths.lead(y, x);
  paths.lead(x, best[0]);
  paths.lead(x, best[1]);
  paths.lead(y, best[2]);
  return paths.to({a, b, c});
}

int fewest_links_by_subsets(CubeAddress source, const CubeNodes& destinations) {
  return BestSplits(source, destinations).links();
}

CubeWalk optimal_tree_by_subsets(CubeAddress source, const CubeNodes& destinations) {
  if (destinations.size() == 2) return one_to_two(source, destinations[0], destinations[1]);
  if (destinations.size() == 3)
    return one_to_three(source, destinations[0], destinations[1], destinations[2]);
  const BestSplits splits(source, destinations);
  SharedPaths paths(source);
  const auto branch = [&](const auto& self, CubeAddress from, std::size_t set) -> void {
    const CubeAddress ancestor = splits.ancestor(set);
    paths.lead(from, ancestor);
    if ((set & (set - 1)) == 0) return;
    self(self, ancestor, splits.part(set));
    self(self, ancestor, set ^ splits.part(set));
  };
  branch(branch, source, splits.all());
  return paths.to(destinations);
}

std::uint64_t tree_patterns(int destinations) {
  if (destinations < 1 || destinations > 64)
    throw ConfigError("destinations", "patterns of trees are counted for 1 to 64 destinations");
  std::vector<std::uint64_t> patterns{0, 1};
  for (std::size_t k = 2; k <= index(destinations); ++k) {
    std::uint64_t count = 0;
    for (std::size_t part = 1; 2 * part < k; ++part) count += patterns[part] * patterns[k - part];
    if (k % 2 == 0) count += patterns[k / 2] * (patterns[k / 2] + 1) / 2;
    patterns.push_back(count);
  }
  return patterns[index(destinations)];
}

}  // namespace flitwave
