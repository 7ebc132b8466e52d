// algorithms/lane_search.hpp: 64 breadth-first searches at a time, each in a bit of every word.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "flitwave/algorithms/lane_walk.hpp"

namespace flitwave {

/// For every vertex of a graph those that a search comes from, one list behind the other.
class HopLists {
 public:
  struct Hop {
    int from;
    PortId port;  ///< What the hop is known by; none where nobody asks.
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

/// Searches that advance hop by hop.
class LaneSearch {
 public:
  /// The lists outlive the search.
  explicit LaneSearch(const HopLists& lists)
      : lists_(lists), known_(lists.vertices()), newest_(lists.vertices()), next_(newest_) {}

  /// Forgets all searches.
  void clear() {
    known_.assign(known_.size(), 0);
    newest_.assign(newest_.size(), 0);
    lanes_ = 0;
  }
  /// The search of a lane starts from a vertex, among others.
  void start(std::size_t vertex, int lane) {
    lanes_ |= Lanes{1} << lane;
    known_[vertex] |= Lanes{1} << lane;
    newest_[vertex] |= Lanes{1} << lane;
  }

  /// Goes a hop further, and calls `visit(vertex, found)` for each vertex that lanes have found by
  /// it. `came_by` says by which hops while it visits.
  /// Returns: the lanes that found any vertex.
  template <class Visit>
  Lanes advance(Visit visit) {
    Lanes all = 0;
    for (std::size_t vertex = 0; vertex < known_.size(); ++vertex) {
      Lanes found = 0;
      if (known_[vertex] != lanes_) {
        for (const HopLists::Hop *hop = lists_.begin(vertex), *end = lists_.end(vertex); hop != end;
             ++hop)
          found |= came_by(*hop);
        found &= ~known_[vertex];
      }
      next_[vertex] = found;
      if (found == 0) continue;
      known_[vertex] |= found;
      all |= found;
      visit(vertex, found);
    }
    std::swap(newest_, next_);
    return all;
  }

  /// The lanes that found the start of a hop by the hop before.
  Lanes came_by(const HopLists::Hop& hop) const {
    return newest_[static_cast<std::size_t>(hop.from)];
  }
  /// The lanes that have found a vertex.
  Lanes known(std::size_t vertex) const { return known_[vertex]; }

 private:
  const HopLists& lists_;
  Lanes lanes_ = 0;
  std::vector<Lanes> known_;   // Shape: [vertices]
  std::vector<Lanes> newest_;  // by the last hop. Shape: [vertices]
  std::vector<Lanes> next_;    // scratch
};

}  // namespace flitwave
