// testbenches/reference/field.hpp: one property of all things of a kind, side by side in memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace flitwave::reference {

/// An array that is indexed by `int`.
template <class T>
class Field {
 public:
  Field() = default;
  Field(int size, const T& value) : values_(static_cast<std::size_t>(size), value) {}

  T& operator[](int index) { return values_[static_cast<std::size_t>(index)]; }
  const T& operator[](int index) const { return values_[static_cast<std::size_t>(index)]; }
  int size() const { return static_cast<int>(values_.size()); }
  void push_back(const T& value) { values_.push_back(value); }

 private:
  std::vector<T> values_;
};

/// A set of numbers 0 .. 63.
using Mask = std::uint64_t;

constexpr Mask bit(int number) { return Mask{1} << number; }
constexpr bool has(Mask set, int number) { return (set >> number & 1) != 0; }
/// 0 .. count - 1
constexpr Mask first(int count) { return count == 64 ? ~Mask{0} : bit(count) - 1; }
/// Needs: a set that is not empty
inline int lowest(Mask set) { return __builtin_ctzll(set); }
/// The first member from `start` on, or else the first at all. Needs: a set that is not empty
inline int next_from(Mask set, int start) {
  const Mask beyond = start > 63 ? 0 : set & (~Mask{0} << start);
  return lowest(beyond != 0 ? beyond : set);
}

/// Calls `visit(number)` for every member, lowest first.
template <class Visit>
inline void for_each(Mask set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(lowest(set));
}

}  // namespace flitwave::reference
