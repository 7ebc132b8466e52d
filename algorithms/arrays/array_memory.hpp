// algorithms/arrays/array_memory.hpp: elements in the memories of nodes, moved by messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "algorithms/arrays/sections/moved_array.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// How the destination array compares with what a serial program would have made of it.
struct ArrayVerdict {
  std::int64_t elements = 0;  ///< Of the section.
  std::int64_t right = 0;     ///< On their owners, once, and of the value that they should have.
  std::vector<std::string> faults;  ///< The first few that are not, each by element and node.
};

/// The memories of all nodes: each has its part of the source array, gets what messages bring it,
/// and writes what it owns of the destination array into that. A message carries elements, and the
/// ranges of section indices for which they stand.
///
/// The reference is the serial loop over all elements, with owners by division alone.
class ArrayMemory {
 public:
  /// More elements are not kept one by one.
  static constexpr std::int64_t most_elements = std::int64_t{1} << 22;

  /// All outlive it. Needs: the schedule's demand moves an array of at most `most_elements`.
  ArrayMemory(const Schedule& schedule, const Topology& topology);

  /// The sender of a transfer reads what it carries out of its memory.
  void send(int transfer);
  /// Its receiver writes it into its own.
  void receive(int transfer);

  /// `unreached`: deliveries that faults keep from their nodes, so that their elements may lack.
  ArrayVerdict compare(const std::vector<int>& unreached = {}) const;

 private:
  /// Elements of one delivery on their way, and the section indices for which they stand.
  struct Parcel {
    std::vector<IndexBlock> blocks;
    std::vector<std::int64_t> values;  // block by block, row by row
  };
  using Parcels = std::map<int, Parcel>;  // by delivery

  Parcel read(int delivery, NodeId node);
  void write(const Parcel& parcel, NodeId node);
  void keep_local();
  std::size_t place(std::int64_t row, std::int64_t column) const {
    return index(row * array_.columns() + column);
  }
  NodeId source_of(std::int64_t row, std::int64_t column) const;
  NodeId destination_of(std::int64_t row, std::int64_t column) const;
  void fault(std::int64_t row, std::int64_t column, const std::string& text);

  const Schedule& schedule_;
  const Topology& topology_;
  const MovedArray& array_;
  std::vector<Parcels> held_;          // by node: what is to go on
  std::map<int, Parcels> under_way_;   // by transfer
  std::vector<std::int64_t> written_;  // by section index, at its owner; -1: nothing
  std::vector<std::string> faults_;    // seen while data moved
};

}  // namespace flitwave
