// modules/signals/active_set.hpp: the modules that must be ticked, as bits, visited in index order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "modules/signals/bits.hpp"

namespace flitwave {

/// A set of small integers in two levels of bits, so that an almost empty set is cheap to visit.
class ActiveSet {
 public:
  void resize(int size) {
    for (Bits* bits : {&coming_, &visited_}) {
      bits->words.resize(static_cast<std::size_t>(size + 63) / 64, 0);
      bits->summary.resize((bits->words.size() + 63) / 64, 0);
    }
  }

  /// Where the bit of a member is.
  struct Place {
    std::size_t word = 0;
    std::uint64_t bit = 0;
  };
  static Place place_of(int index) {
    return {static_cast<std::size_t>(index) >> 6, std::uint64_t{1} << (index & 63)};
  }

  void insert(int index) { insert(place_of(index)); }
  void insert(Place place) {
    coming_.words[place.word] |= place.bit;
    coming_.summary[place.word >> 6] |= std::uint64_t{1} << (place.word & 63);
  }

  bool contains(int index) const {
    return (coming_.words[static_cast<std::size_t>(index) >> 6] >> (index & 63) & 1) != 0;
  }

  bool empty() const {
    for (std::uint64_t bits : coming_.summary)
      if (bits != 0) return false;
    return true;
  }

  /// Empties the set, calling `keep(index)` for each member in ascending order; those for which it
  /// returns true, and those inserted meanwhile, are members from then on.
  template <class Keep>
  void visit(Keep keep) {
    visit(keep, [](int) {});
  }
  /// The same; calls `announce(index)` for a member before the previous one is visited, if both are
  /// in one word of the set, so that its data can be prefetched.
  template <class Keep, class Announce>
  void visit(Keep keep, Announce announce) {
    std::swap(coming_, visited_);
    for (std::size_t s = 0; s < visited_.summary.size(); ++s) {
      for_each_bit(std::exchange(visited_.summary[s], 0), [&](int bit) {
        const std::size_t word = s * 64 + static_cast<std::size_t>(bit);
        std::uint64_t kept = 0;
        std::uint64_t ahead = visited_.words[word] & (visited_.words[word] - 1);
        for_each_bit(std::exchange(visited_.words[word], 0), [&](int b) {
          if (ahead != 0) {
            announce(static_cast<int>(word * 64) + lowest_of(ahead));
            ahead &= ahead - 1;
          }
          const bool stays = keep(static_cast<int>(word * 64) + b);
          kept |= static_cast<std::uint64_t>(stays) << b;
        });
        if (kept == 0) return;
        coming_.words[word] |= kept;
        coming_.summary[s] |= std::uint64_t{1} << bit;
      });
    }
  }

 private:
  struct Bits {
    std::vector<std::uint64_t> words;
    std::vector<std::uint64_t> summary;  // those words that are not zero
  };

  Bits coming_;
  Bits visited_;  // empty but during a visit
};

}  // namespace flitwave
