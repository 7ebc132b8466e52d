// algorithms/deadlock/lane_search.hpp: 64 breadth-first searches at a time, one per bit of every
// word.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/deadlock/lane_walk.hpp"

namespace flitwave {

/// For every vertex of a graph the predecessors from which a search reaches it, as consecutive
/// lists.
class HopLists {
 public:
  struct Hop {
    int from;
    PortId port;  ///< The port of the hop; none where it is not used.
  };

  /// Ends the list of the next vertex, which has all hops that were added since.
  void end_list() { ends_.push_back(hops_.size()); }
  void add(const Hop& hop) { hops_.push_back(hop); }

  std::size_t vertices() const { return ends_.size() - 1; }
  const Hop* begin(std::size_t vertex) const { return hops_.data() + ends_[vertex]; }
  const Hop* end(std::size_t vertex) const { return hops_.data() + ends_[vertex + 1]; }

 private:
  std::vector<Hop> hops_;
  std::vector<std::size_t> ends_{0};
};

/// Searches that advance hop by hop. A hop visits only the vertices that it may find.
class LaneSearch {
 public:
  /// The lists outlive the search.
  explicit LaneSearch(const HopLists& lists)
      : lists_(lists),
        first_next_(lists.vertices() + 1),
        known_(lists.vertices()),
        newest_(lists.vertices()),
        to_visit_((lists.vertices() + 63) / 64) {
    for_hops([this](std::size_t, int from) { ++first_next_[index(from) + 1]; });
    std::partial_sum(first_next_.begin(), first_next_.end(), first_next_.begin());
    std::vector<std::size_t> place(first_next_.begin(), first_next_.end() - 1);
    next_.resize(first_next_.back());
    for_hops([&](std::size_t vertex, int from) { next_[place[index(from)]++] = vertex; });
  }

  /// Resets all searches.
  void clear() {
    known_.assign(known_.size(), 0);
    newest_.assign(newest_.size(), 0);
    to_visit_.assign(to_visit_.size(), 0);
    frontier_.clear();
    lanes_ = 0;
  }
  /// The search of a lane starts from a vertex, in addition to others.
  void start(std::size_t vertex, int lane) {
    lanes_ |= Lanes{1} << lane;
    known_[vertex] |= Lanes{1} << lane;
    newest_[vertex] |= Lanes{1} << lane;
    frontier_.push_back({vertex, newest_[vertex]});
    visit_next(vertex);
  }

  /// Advances by one hop, and calls `visit(vertex, found)` for each vertex that lanes have found by
  /// it, in ascending order. `came_by` returns the hops used, while it visits.
  /// Returns: the lanes that found any vertex.
  template <class Visit>
  Lanes advance(Visit visit) {
    Lanes all = 0;
    found_.clear();
    for (std::size_t word = 0; word < to_visit_.size(); ++word)
      for (std::uint64_t left = std::exchange(to_visit_[word], 0); left != 0; left &= left - 1) {
        const std::size_t vertex = word * 64 + index(__builtin_ctzll(left));
        Lanes found = 0;
        for (const HopLists::Hop* hop = lists_.begin(vertex); hop != lists_.end(vertex); ++hop)
          found |= came_by(*hop);
        found &= ~known_[vertex];
        if (found == 0) continue;
        known_[vertex] |= found;
        all |= found;
        found_.push_back({vertex, found});
        visit(vertex, found);
      }
    for (const Found& old : frontier_) newest_[old.vertex] = 0;
    for (const Found& now : found_) newest_[now.vertex] = now.lanes;
    for (const Found& now : found_) visit_next(now.vertex);
    std::swap(frontier_, found_);
    return all;
  }

  /// The lanes that found the start of a hop by the previous hop.
  Lanes came_by(const HopLists::Hop& hop) const { return newest_[index(hop.from)]; }
  /// The lanes that have found a vertex.
  Lanes known(std::size_t vertex) const { return known_[vertex]; }
  /// All lanes that were started.
  Lanes lanes() const { return lanes_; }

 private:
  struct Found {
    std::size_t vertex;
    Lanes lanes;
  };

  template <class Visit>
  void for_hops(Visit visit) const {
    for (std::size_t vertex = 0; vertex < lists_.vertices(); ++vertex)
      for (const HopLists::Hop* hop = lists_.begin(vertex); hop != lists_.end(vertex); ++hop)
        visit(vertex, hop->from);
  }
  /// The next hop visits the vertices that have a hop from this one.
  void visit_next(std::size_t vertex) {
    for (std::size_t i = first_next_[vertex]; i < first_next_[vertex + 1]; ++i)
      to_visit_[next_[i] / 64] |= std::uint64_t{1} << next_[i] % 64;
  }

  const HopLists& lists_;
  std::vector<std::size_t> first_next_;  // Shape: [vertices + 1]; into next_
  std::vector<std::size_t> next_;        // vertices with a hop from each
  Lanes lanes_ = 0;
  std::vector<Lanes> known_;             // Shape: [vertices]
  std::vector<Lanes> newest_;            // by the last hop. Shape: [vertices]
  std::vector<std::uint64_t> to_visit_;  // a bit for each vertex that the next hop visits
  std::vector<Found> frontier_;          // those whose newest_ is not empty
  std::vector<Found> found_;             // scratch
};

}  // namespace flitwave
