// algorithms/edn/dominating_sets.cpp: a tiling with crosses at all offsets, and an exact sweep.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/dominating_sets.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "configs/error.hpp"

namespace flitwave {
namespace {

/// How often each node is dominated by the members of a set.
class Cover {
 public:
  explicit Cover(const Grid& grid)
      : grid_(grid), times_(index(grid.nodes()), 0), member_(index(grid.nodes()), false) {}

  void add(NodeId node) {
    if (member_[node.index()]) return;
    member_[node.index()] = true;
    count(node, +1);
  }

  /// Removes, in ascending order, every member that is not needed.
  void prune() {
    for (int number = 0; number < grid_.nodes(); ++number) {
      const NodeId node(number);
      if (!member_[node.index()] || !redundant(node)) continue;
      member_[node.index()] = false;
      count(node, -1);
    }
  }

  std::vector<NodeId> members() const {
    std::vector<NodeId> found;
    for (int number = 0; number < grid_.nodes(); ++number)
      if (member_[index(number)]) found.emplace_back(number);
    return found;
  }

 private:
  template <class Visit>
  void visit_cross(NodeId node, Visit visit) const {
    visit(node);
    for (int dimension = 0; dimension < grid_.dimensions(); ++dimension)
      for (int step : {-1, +1})
        if (const NodeId next = grid_.neighbour(node, dimension, step); next.valid()) visit(next);
  }

  void count(NodeId node, int change) {
    visit_cross(node, [&](NodeId at) { times_[at.index()] += change; });
  }

  bool redundant(NodeId node) const {
    bool needed = false;
    visit_cross(node, [&](NodeId at) { needed = needed || times_[at.index()] == 1; });
    return !needed;
  }

  const Grid& grid_;
  std::vector<int> times_;
  std::vector<bool> member_;
};

/// The set of one slide: centres at x + slope * y = offset, modulo 5.
std::vector<NodeId> slid(const Grid& grid, int slope, int offset) {
  const int width = grid.extent(0);
  const int height = grid.extent(1);
  Cover cover(grid);
  for (int y = -1; y <= height; ++y)
    for (int x = -1; x <= width; ++x) {
      if ((x + slope * y + 5 * (slope + 1)) % 5 != offset) continue;
      const bool corner = (x < 0 || x == width) && (y < 0 || y == height);
      if (corner) continue;  // dominates nothing inside
      cover.add(grid.node({std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1)}));
    }
  cover.prune();
  return cover.members();
}

enum Cell { member, dominated, open };

/// Which of the last `width` cells are members, dominated or open, as digits of base 3; with the
/// least number of members so far, the number of sets with so many, and the previous profile.
struct Profile {
  std::size_t size = std::numeric_limits<std::size_t>::max();
  std::uint64_t count = 0;
  std::size_t before = 0;

  void reach(std::size_t members, std::uint64_t sets, std::size_t from) {
    if (members > size) return;
    if (members < size) *this = {members, 0, from};
    count += sets;
  }
};

/// Decides cell after cell, row by row.
class Sweep {
 public:
  explicit Sweep(const Grid& grid) : grid_(grid), width_(grid.extent(0)) {
    for (int x = 0; x <= width_; ++x) power_.push_back(x == 0 ? 1 : 3 * power_.back());
    // The cells above the first row neither need a dominator nor dominate.
    std::size_t none = 0;
    for (int x = 0; x < width_; ++x) none += dominated * power(x);
    profiles_.emplace_back(power(width_));
    profiles_.back()[none] = {0, 1, 0};
  }

  MinimumDominatingSets run() {
    for (int cell = 0; cell < grid_.nodes(); ++cell) decide(cell % width_);
    return result();
  }

 private:
  std::size_t power(int x) const { return power_[index(x)]; }
  std::size_t digit(std::size_t profile, int x) const { return profile / power(x) % 3; }
  std::size_t with(std::size_t profile, int x, std::size_t cell) const {
    return profile + cell * power(x) - digit(profile, x) * power(x);
  }

  void decide(int x) {
    const std::vector<Profile> old = profiles_.back();
    std::vector<Profile> fresh(old.size());
    for (std::size_t profile = 0; profile < old.size(); ++profile) {
      const Profile& from = old[profile];
      if (from.count == 0) continue;
      const std::size_t above = digit(profile, x);
      std::size_t joined = with(profile, x, member);
      if (x > 0 && digit(profile, x - 1) == open) joined = with(joined, x - 1, dominated);
      fresh[joined].reach(from.size + 1, from.count, profile);
      if (above == open) continue;  // this cell was the last that could dominate it
      const bool served = above == member || (x > 0 && digit(profile, x - 1) == member);
      fresh[with(profile, x, served ? dominated : open)].reach(from.size, from.count, profile);
    }
    profiles_.push_back(std::move(fresh));
  }

  MinimumDominatingSets result() const {
    Profile best;
    std::size_t last = 0;
    for (std::size_t profile = 0; profile < profiles_.back().size(); ++profile) {
      const Profile& at = profiles_.back()[profile];
      bool complete = at.count != 0;
      for (int x = 0; x < width_; ++x) complete = complete && digit(profile, x) != open;
      if (!complete) continue;
      if (at.size < best.size) last = profile;
      best.reach(at.size, at.count, profile);
    }
    return {best.size, best.count, walk_back(last)};
  }

  std::vector<NodeId> walk_back(std::size_t profile) const {
    std::vector<NodeId> found;
    for (int cell = grid_.nodes() - 1; cell >= 0; --cell) {
      if (digit(profile, cell % width_) == member) found.emplace_back(cell);
      profile = profiles_[index(cell) + 1][profile].before;
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

  const Grid& grid_;
  int width_;
  std::vector<std::size_t> power_;
  std::vector<std::vector<Profile>> profiles_;  // before the first cell, and after each
};

}  // namespace

bool dominates(const std::vector<NodeId>& nodes, const Topology& topology) {
  std::vector<bool> covered(index(topology.nodes()), false);
  for (NodeId node : nodes) {
    covered[node.index()] = true;
    for (int port = 0; port < topology.port_limit(); ++port)
      if (const ChannelId out = topology.channel_out(node, PortId(port)); out.valid())
        covered[topology.channel(out).to.index()] = true;
  }
  return std::find(covered.begin(), covered.end(), false) == covered.end();
}

std::vector<NodeId> sliding_dominating_set(const Grid& grid) {
  std::vector<NodeId> best;
  for (int slope : {3, 2})
    for (int offset = 0; offset < 5; ++offset) {
      std::vector<NodeId> found = slid(grid, slope, offset);
      if (best.empty() || found.size() < best.size()) best = std::move(found);
    }
  return best;
}

MinimumDominatingSets minimum_dominating_sets(const Grid& grid) {
  const bool mesh = grid.dimensions() == 2 && !grid.wraps(0) && !grid.wraps(1);
  if (!mesh || grid.extent(0) > 8 || grid.extent(1) > 64)
    throw ConfigError("shape", "smallest dominating sets are found for meshes up to 8 x 64 only",
                      "use sliding_dominating_set");
  return Sweep(grid).run();
}

}  // namespace flitwave
