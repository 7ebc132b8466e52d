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

/// How the destination array compares with the result of a serial program.
struct ArrayVerdict {
  std::int64_t elements = 0;        ///< Elements of the section.
  std::int64_t right = 0;           ///< At their owners, received once, with the correct value.
  std::vector<std::string> faults;  ///< The first few errors, each by element and node.
};

/// The memories of all nodes. Each memory holds its part of the source array and the elements that
/// messages bring, and receives the elements that it owns of the destination array. A message
/// carries elements with the ranges of their section indices.
///
/// The reference is the serial loop over all elements, with owners by division alone.
class ArrayMemory {
 public:
  /// The greatest number of elements that are stored one by one.
  static constexpr std::int64_t most_elements = std::int64_t{1} << 22;

  /// All references outlive the object. Needs: the schedule's demand moves an array of at most
  /// `most_elements`.
  ArrayMemory(const Schedule& schedule, const Topology& topology);

  /// The sender of a transfer reads the elements of its message from its memory.
  void send(int transfer);
  /// The receiver writes them into its own memory.
  void receive(int transfer);

  /// `unreached`: deliveries that do not reach their nodes because of faults, so that their
  /// elements may be missing.
  ArrayVerdict compare(const std::vector<int>& unreached = {}) const;

 private:
  /// Elements of one delivery in transit, and their section indices.
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
  std::vector<Parcels> held_;          // by node: elements to be forwarded
  std::map<int, Parcels> under_way_;   // by transfer
  std::vector<std::int64_t> written_;  // by section index, at its owner; -1: nothing
  std::vector<std::string> faults_;    // found while data moved
};

}  // namespace flitwave
