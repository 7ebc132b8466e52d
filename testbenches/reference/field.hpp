// testbenches/reference/field.hpp: one property of all objects of a kind, contiguous in memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace flitwave::reference {

/// The number of an object among those of its kind. 64 bits, as these need no conversion when
/// indexing.
using Index = std::int64_t;

template <class T>
class Field {
 public:
  Field() = default;
  Field(Index size, const T& value) : values_(static_cast<std::size_t>(size), value) {}

  T& operator[](Index index) { return values_[static_cast<std::size_t>(index)]; }
  const T& operator[](Index index) const { return values_[static_cast<std::size_t>(index)]; }
  Index size() const { return static_cast<Index>(values_.size()); }
  void push_back(const T& value) { values_.push_back(value); }

 private:
  std::vector<T> values_;
};

/// A set of numbers 0 .. 63.
using Mask = std::uint64_t;

constexpr Mask bit(Index number) { return Mask{1} << number; }
constexpr bool has(Mask set, Index number) { return (set >> number & 1) != 0; }
/// 0 .. count - 1
constexpr Mask first(Index count) { return count == 64 ? ~Mask{0} : bit(count) - 1; }
/// Needs: a set that is not empty
inline Index lowest(Mask set) { return __builtin_ctzll(set); }
/// The first member from `start` on, or else the first of all. Needs: a set that is not empty
inline Index next_from(Mask set, Index start) {
  const Mask beyond = start > 63 ? 0 : set & (~Mask{0} << start);
  return lowest(beyond != 0 ? beyond : set);
}

/// Calls `visit(number)` for every member, lowest first.
template <class Visit>
inline void for_each(Mask set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(lowest(set));
}

/// A number that is known at compile time, or, if `Fixed` is 0, at run time.
template <Index Fixed>
class Count {
 public:
  explicit Count(Index value) : value_(value) {}
  operator Index() const { return Fixed > 0 ? Fixed : value_; }

 private:
  Index value_;
};

}  // namespace flitwave::reference
