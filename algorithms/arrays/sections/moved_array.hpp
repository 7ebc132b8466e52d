// algorithms/arrays/sections/moved_array.hpp: the array elements of a demand's deliveries.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/arrays/sections/array_assignment.hpp"

namespace flitwave {

/// The assignment of a section of one array to one of another, element by element. Elements are
/// named by their section index (row, column), from 0.
class MovedArray {
 public:
  virtual ~MovedArray() = default;

  virtual std::int64_t rows() const = 0;
  virtual std::int64_t columns() const = 0;
  std::int64_t elements() const { return rows() * columns(); }

  /// The processors that own an element of the source array, and the element of the destination
  /// array to which it is assigned.
  virtual MeshPlace source(std::int64_t row, std::int64_t column) const = 0;
  virtual MeshPlace destination(std::int64_t row, std::int64_t column) const = 0;
  /// The data of a serial program: a different value, from 0, for each element of the source array.
  virtual std::int64_t value(std::int64_t row, std::int64_t column) const = 0;

  virtual int deliveries() const = 0;
  /// The section indices that a delivery carries, without overlap.
  virtual std::vector<IndexBlock> blocks_of(int delivery) const = 0;
};

}  // namespace flitwave
