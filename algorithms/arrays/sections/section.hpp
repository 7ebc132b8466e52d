// algorithms/arrays/sections/section.hpp: sections of arrays, and their blocks on processors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "configs/codec.hpp"

namespace flitwave {

/// The elements lower, lower + stride, ... up to `upper` of one dimension of an array.
/// Written "0:15:2"; "0:15" has stride 1.
struct Section {
  std::int64_t lower = 0;
  std::int64_t upper = 0;   ///< The last element that may be in it.
  std::int64_t stride = 1;  ///< >= 1

  /// How many elements it has; 0 if upper is below lower.
  std::int64_t elements() const { return upper < lower ? 0 : (upper - lower) / stride + 1; }
  /// The array element at a section index, 0 .. elements() - 1.
  std::int64_t element(std::int64_t index) const { return lower + stride * index; }

  friend bool operator==(const Section& a, const Section& b) {
    return a.lower == b.lower && a.upper == b.upper && a.stride == b.stride;
  }
};
std::string to_string(const Section& section);

template <>
struct Codec<Section> {
  static Section read(const ConfigNode& node);
  static std::string print(const Section& section) { return to_string(section); }
  static ValueType type();
};

/// Section indices first .. last; empty if last is below first.
struct IndexRange {
  std::int64_t first = 0;
  std::int64_t last = -1;

  bool empty() const { return last < first; }
  std::int64_t size() const { return empty() ? 0 : last - first + 1; }
  bool contains(std::int64_t index) const { return first <= index && index <= last; }
  friend bool operator==(IndexRange a, IndexRange b) {
    return a.first == b.first && a.last == b.last;
  }
};
IndexRange intersection(IndexRange a, IndexRange b);

/// A rectangle of section indices.
struct IndexBlock {
  IndexRange rows;
  IndexRange columns;

  bool empty() const { return rows.empty() || columns.empty(); }
  std::int64_t elements() const { return rows.size() * columns.size(); }
  friend bool operator==(const IndexBlock& a, const IndexBlock& b) {
    return a.rows == b.rows && a.columns == b.columns;
  }
};
IndexBlock intersection(const IndexBlock& a, const IndexBlock& b);

/// A section of a block-distributed dimension: element i is stored on processor i div block.
/// Source: Eberhart 1996, section 2.2.2
struct BlockSection {
  Section section;
  std::int64_t block = 1;  ///< Elements per processor, >= 1.

  int owner(std::int64_t element) const { return static_cast<int>(element / block); }
};

/// The section of the array that a template with this offset and stride maps: a two-level mapping
/// reduced to one.
/// Source: Eberhart 1996, section 2.2.2
Section on_template(const Section& section, std::int64_t offset, std::int64_t stride);

/// Quotients rounded down and up, of any sign. Needs: divisor > 0
std::int64_t floor_div(std::int64_t dividend, std::int64_t divisor);
std::int64_t ceil_div(std::int64_t dividend, std::int64_t divisor);

}  // namespace flitwave
