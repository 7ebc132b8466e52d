// algorithms/arrays/cyclic_messages.hpp: messages of block-cyclic distributions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/arrays/message_colouring.hpp"
#include "algorithms/arrays/sections/array_assignment.hpp"

namespace flitwave {

/// Elements first, first + stride, ... of a dimension whose blocks are distributed to processors in
/// turn: element i is stored on processor (i div block) mod processors. Blocks of 1: cyclic; as
/// many processors as blocks: in blocks. A negative stride reads backwards.
struct CyclicSection {
  std::int64_t first = 0;
  std::int64_t stride = 1;
  std::int64_t block = 1;
  int processors = 1;

  std::int64_t element(std::int64_t index) const { return first + stride * index; }
  int owner(std::int64_t index) const {
    return static_cast<int>(element(index) / block % processors);
  }
};

/// Section indices first + i + period * j, i < run, j < repeats.
struct IndexRuns {
  std::int64_t first = 0;
  std::int64_t run = 1;
  std::int64_t period = 1;
  std::int64_t repeats = 1;

  std::int64_t size() const { return run * repeats; }
};

/// The message of one processor of a dimension to another, in all periods.
struct CyclicAxisMessage {
  int from = 0;
  int to = 0;
  std::vector<IndexRuns> indices;  ///< Disjoint.

  std::int64_t elements() const;
};

/// One dimension of an assignment between sections in block-cyclic distribution.
struct CyclicAxis {
  CyclicSection source;
  CyclicSection destination;
  std::int64_t elements = 1;

  /// The number of indices after which the owners on both sides repeat.
  std::int64_t period() const;
  /// All messages, by sender, then receiver, including those of a processor to itself. Cost:
  /// boundaries of blocks in one period, or in the section if that is shorter.
  /// Throws: ConfigError on the key `section` when an element is negative, on `stride` when that is
  ///   0, on `block` or `processors` when below 1
  std::vector<CyclicAxisMessage> messages() const;
};

/// The message of one processor of the mesh to another: all combinations of row and column indices.
struct CyclicMessage {
  MeshPlace from;
  MeshPlace to;
  std::vector<IndexRuns> rows;
  std::vector<IndexRuns> columns;
  std::int64_t elements = 0;
};

/// All messages of a 2D assignment, as input of colour_messages(). `transposed`: the destination
/// array's rows are distributed over processor columns, its columns over processor rows. The thesis
/// names these distributions as future work.
/// Source: Eberhart 1996, section 6.2
std::vector<CyclicMessage> cyclic_messages(const CyclicAxis& rows, const CyclicAxis& columns,
                                           bool transposed = false);

}  // namespace flitwave
