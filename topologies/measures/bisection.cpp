// topologies/measures/bisection.cpp: fewest channels between two halves of the nodes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "configs/random.hpp"
#include "topologies/measures/search.hpp"

namespace flitwave {
namespace {

constexpr int exact_nodes = 20;

/// The neighbours of each node, once per channel, in either direction. Shape: [nodes][degree]
using Neighbours = std::vector<std::vector<std::size_t>>;

Neighbours neighbours_of(const Topology& topology) {
  Neighbours neighbours(index(topology.nodes()));
  for (int c = 0; c < topology.channels(); ++c) {
    const ChannelEnds& ends = topology.channel(ChannelId(c));
    neighbours[ends.from.index()].push_back(ends.to.index());
    neighbours[ends.to.index()].push_back(ends.from.index());
  }
  return neighbours;
}

/// The free nodes of one side, by the number of channels that the cut loses when they change sides.
class GainQueue {
 public:
  GainQueue(std::size_t nodes, std::size_t greatest_degree)
      : offset_(static_cast<int>(greatest_degree)),
        first_(2 * greatest_degree + 1, none),
        next_(nodes, none),
        before_(nodes, none) {}

  void insert(std::size_t node, int gain) {
    const std::size_t row = row_of(gain);
    next_[node] = first_[row];
    before_[node] = none;
    if (first_[row] != none) before_[first_[row]] = node;
    first_[row] = node;
    highest_ = std::max(highest_, row);
  }

  void remove(std::size_t node, int gain) {
    if (before_[node] != none)
      next_[before_[node]] = next_[node];
    else
      first_[row_of(gain)] = next_[node];
    if (next_[node] != none) before_[next_[node]] = before_[node];
  }

  /// The node with the highest gain, the last inserted of several; `none` when empty.
  std::size_t best() {
    while (highest_ > 0 && first_[highest_] == none) --highest_;
    return first_[highest_];
  }

  static constexpr std::size_t none = index(-1);

 private:
  std::size_t row_of(int gain) const { return index(gain + offset_); }

  int offset_;
  std::size_t highest_ = 0;
  std::vector<std::size_t> first_;  // Shape: [gains]
  std::vector<std::size_t> next_;   // Shape: [nodes]
  std::vector<std::size_t> before_;
};

/// Two halves of the nodes, improved by moving nodes across, one at a time.
/// Source: Fiduccia & Mattheyses 1982, "A linear-time heuristic for improving network partitions".
class Halves {
 public:
  explicit Halves(const Neighbours& neighbours) : neighbours_(neighbours) {
    for (const auto& list : neighbours) greatest_degree_ = std::max(greatest_degree_, list.size());
  }

  /// Assigns the first half of `order` to one side, improves, and returns the channels in the cut.
  int improve(const std::vector<std::size_t>& order) {
    side_.assign(neighbours_.size(), 0);
    for (std::size_t i = 0; i < order.size() / 2; ++i) side_[order[i]] = 1;
    int cut = 0;
    for (std::size_t node = 0; node < side_.size(); ++node) cut += crossing(node);
    cut /= 2;
    while (const int gain = pass()) cut -= gain;
    return cut;
  }

 private:
  int crossing(std::size_t node) const {
    int count = 0;
    for (std::size_t other : neighbours_[node]) count += side_[other] != side_[node] ? 1 : 0;
    return count;
  }

  /// Moves every node once, best gain first and from the larger side; keeps the moves up to the
  /// best cut between even halves. Returns by how much the cut shrank.
  int pass() {
    const std::size_t nodes = side_.size();
    std::array<GainQueue, 2> free{GainQueue(nodes, greatest_degree_),
                                  GainQueue(nodes, greatest_degree_)};
    std::array<int, 2> size{0, 0};
    std::vector<int> gain(nodes);
    std::vector<char> moved(nodes, 0);
    for (std::size_t node = 0; node < nodes; ++node) {
      gain[node] = 2 * crossing(node) - static_cast<int>(neighbours_[node].size());
      free[side_[node]].insert(node, gain[node]);
      ++size[side_[node]];
    }
    std::vector<std::size_t> moves;
    std::size_t kept = 0;
    int sum = 0;
    int best = 0;
    while (true) {
      const std::size_t node = choose(free, size, gain);
      if (node == GainQueue::none) break;
      const std::size_t from = side_[node];
      free[from].remove(node, gain[node]);
      side_[node] = 1 - from;
      --size[from];
      ++size[1 - from];
      moved[node] = 1;
      moves.push_back(node);
      sum += gain[node];
      for (std::size_t other : neighbours_[node]) {
        if (moved[other]) continue;
        free[side_[other]].remove(other, gain[other]);
        gain[other] += side_[other] == from ? 2 : -2;
        free[side_[other]].insert(other, gain[other]);
      }
      if (sum > best && std::abs(size[0] - size[1]) <= 1) {
        best = sum;
        kept = moves.size();
      }
    }
    for (std::size_t i = kept; i < moves.size(); ++i) side_[moves[i]] = 1 - side_[moves[i]];
    return best;
  }

  static std::size_t choose(std::array<GainQueue, 2>& free, const std::array<int, 2>& size,
                            const std::vector<int>& gain) {
    if (size[0] != size[1]) return free[size[0] > size[1] ? 0 : 1].best();
    const std::size_t a = free[0].best();
    const std::size_t b = free[1].best();
    if (a == GainQueue::none || b == GainQueue::none) return a == GainQueue::none ? b : a;
    return gain[a] >= gain[b] ? a : b;
  }

  const Neighbours& neighbours_;
  std::size_t greatest_degree_ = 0;
  std::vector<std::size_t> side_;  // 0 or 1. Shape: [nodes]
};

std::vector<std::size_t> numbered(std::size_t nodes) {
  std::vector<std::size_t> order(nodes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// Nodes layer by layer along one dimension, layers along the longest of the others, and so on.
std::vector<std::size_t> sweep(const Grid& grid, int first) {
  std::vector<int> dimensions(index(grid.dimensions()));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  std::stable_sort(dimensions.begin(), dimensions.end(), [&grid, first](int a, int b) {
    if ((a == first) != (b == first)) return a == first;
    return grid.extent(a) > grid.extent(b);
  });
  std::vector<std::size_t> order = numbered(index(grid.nodes()));
  std::sort(order.begin(), order.end(), [&grid, &dimensions](std::size_t a, std::size_t b) {
    for (int d : dimensions) {
      const int left = grid.coordinate(NodeId(static_cast<int>(a)), d);
      const int right = grid.coordinate(NodeId(static_cast<int>(b)), d);
      if (left != right) return left < right;
    }
    return false;
  });
  return order;
}

/// Nodes by their distance from one, then those that cannot be reached.
std::vector<std::size_t> ripple(const Neighbours& neighbours, std::size_t centre) {
  std::vector<char> seen(neighbours.size(), 0);
  std::vector<std::size_t> order;
  const auto visit = [&seen, &order](std::size_t node) {
    if (!seen[node]) order.push_back(node);
    seen[node] = 1;
  };
  visit(centre);
  std::size_t next = 0;
  while (next < order.size())
    for (std::size_t node : neighbours[order[next++]]) visit(node);
  for (std::size_t node = 0; node < neighbours.size(); ++node) visit(node);
  return order;
}

std::vector<std::size_t> shuffled(std::size_t nodes, Random& random) {
  std::vector<std::size_t> order;
  for (int node : random.sample(static_cast<int>(nodes), static_cast<int>(nodes)))
    order.push_back(index(node));
  return order;
}

int best_found(const Topology& topology, const Neighbours& neighbours) {
  constexpr std::size_t large = 4096;  // nodes; fewer starts keep the search within seconds
  const std::size_t nodes = neighbours.size();
  Random random(1, "bisection");
  Halves halves(neighbours);
  int best = halves.improve(numbered(nodes));
  if (const Grid* grid = topology.grid())
    for (int d = 0; d < grid->dimensions(); ++d)
      best = std::min(best, halves.improve(sweep(*grid, d)));
  const int starts = nodes > large ? 2 : 8;
  for (int i = 0; i < starts; ++i)
    best = std::min(best, halves.improve(ripple(neighbours, random.below(nodes))));
  for (int i = 0; i < starts; ++i) best = std::min(best, halves.improve(shuffled(nodes, random)));
  return best;
}

/// Tries all halves, node by node, and prunes where the cut is no better than the best known.
class Exhaustive {
 public:
  Exhaustive(const Neighbours& neighbours, int best) : best_(best) {
    const std::size_t nodes = neighbours.size();
    const std::vector<std::size_t> order = ripple(neighbours, 0);
    std::vector<std::size_t> place(nodes);
    for (std::size_t i = 0; i < nodes; ++i) place[order[i]] = i;
    earlier_.resize(nodes);
    for (std::size_t node = 0; node < nodes; ++node)
      for (std::size_t other : neighbours[node])
        if (place[other] < place[node]) earlier_[place[node]].push_back(place[other]);
    side_.assign(nodes, 0);
  }

  int best() {
    extend(0, 0);
    return best_;
  }

 private:
  void extend(std::size_t node, int cut) {
    if (cut >= best_) return;
    if (node == side_.size()) {
      best_ = cut;
      return;
    }
    for (std::size_t side : {0U, 1U}) {
      if (node == 0 && side == 1) continue;  // the same halves under other names
      if (size_[side] == (side_.size() + 1) / 2) continue;
      int added = 0;
      for (std::size_t other : earlier_[node]) added += side_[other] != side ? 1 : 0;
      side_[node] = side;
      ++size_[side];
      extend(node + 1, cut + added);
      --size_[side];
    }
  }

  Neighbours earlier_;
  std::vector<std::size_t> side_;
  std::array<std::size_t, 2> size_{0, 0};
  int best_;
};

}  // namespace

Bounded search_bisection(const Topology& topology) {
  const Neighbours neighbours = neighbours_of(topology);
  const int best = best_found(topology, neighbours);
  if (topology.nodes() > exact_nodes) return {best, false};
  return {Exhaustive(neighbours, best).best(), true};
}

}  // namespace flitwave
