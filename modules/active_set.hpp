// modules/active_set.hpp: the modules that must be ticked, as bits, visited in index order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flitwave {

/// Calls `visit(bit number)` for every set bit, lowest first.
template <class Visit>
inline void for_each_bit(std::uint64_t bits, Visit visit) {
  while (bits != 0) {
    visit(__builtin_ctzll(bits));
    bits &= bits - 1;
  }
}

/// A set of small integers in two levels of bits, so that an almost empty set is cheap to visit.
class ActiveSet {
 public:
  void resize(int size) {
    words_.resize(static_cast<std::size_t>(size + 63) / 64, 0);
    summary_.resize((words_.size() + 63) / 64, 0);
  }

  void insert(int index) {
    const auto word = static_cast<std::size_t>(index) >> 6;
    words_[word] |= std::uint64_t{1} << (index & 63);
    summary_[word >> 6] |= std::uint64_t{1} << (word & 63);
  }

  bool empty() const {
    for (std::uint64_t bits : summary_)
      if (bits != 0) return false;
    return true;
  }

  /// Calls `keep(index)` for each member in ascending order and drops those for which it returns
  /// false. `keep` may insert members only after all visits, or members it is about to keep.
  template <class Keep>
  void visit(Keep keep) {
    for (std::size_t s = 0; s < summary_.size(); ++s) {
      for_each_bit(summary_[s], [&](int bit) {
        const std::size_t word = s * 64 + static_cast<std::size_t>(bit);
        std::uint64_t kept = 0;
        for_each_bit(words_[word], [&](int b) {
          const bool stays = keep(static_cast<int>(word * 64) + b);
          kept |= static_cast<std::uint64_t>(stays) << b;
        });
        words_[word] = kept;
        if (kept == 0) summary_[s] &= ~(std::uint64_t{1} << bit);
      });
    }
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> summary_;
};

}  // namespace flitwave
