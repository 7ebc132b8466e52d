// algorithms/arrays/sections/axis_transfer.hpp: one dimension of an array assignment, in closed
// form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/arrays/sections/section.hpp"

namespace flitwave {

/// The elements of one processor of a dimension for one processor of the destination.
struct AxisMessage {
  int from = 0;
  int to = 0;
  IndexRange indices;
};

/// One dimension of the assignment of a section to another of as many elements, both in blocks:
/// section index e moves from the owner of the source's element to the owner of the destination's.
/// No function iterates over elements; costs depend on processors only.
/// Source: Eberhart 1996, sections 2.2 and 3.3; F, L and their clamps after the latter
class AxisTransfer {
 public:
  /// Throws: ConfigError on the key `section` when a section is empty, they differ in their numbers
  ///   of elements, or a lower bound is negative; on `stride` when one is below 1; on `block` when
  ///   one is below 1 or below the stride, so that an inner processor of the section might own
  ///   none; on `source.block` or `destination.block` when a section is on more than 10^6
  ///   processors.
  AxisTransfer(BlockSection source, BlockSection destination);

  const BlockSection& source() const { return source_; }
  const BlockSection& destination() const { return destination_; }
  std::int64_t elements() const { return elements_; }

  /// The processors that own a part, in ascending order: first .. last.
  int first_source() const { return source_.owner(source_.section.lower); }
  int last_source() const { return source_.owner(source_.section.element(elements_ - 1)); }
  int first_destination() const { return destination_.owner(destination_.section.lower); }
  int last_destination() const {
    return destination_.owner(destination_.section.element(elements_ - 1));
  }
  int sources() const { return last_source() - first_source() + 1; }
  int destinations() const { return last_destination() - first_destination() + 1; }

  /// The owner of a section index. Range: 0 .. elements() - 1
  int source_of(std::int64_t index) const { return source_.owner(source_.section.element(index)); }
  int destination_of(std::int64_t index) const {
    return destination_.owner(destination_.section.element(index));
  }

  /// F(n), F'(n): the first section index that a processor owns, at least 0, for any processor,
  /// also beyond the section.
  std::int64_t source_begin(int processor) const { return begin(source_, processor); }
  std::int64_t destination_begin(int processor) const { return begin(destination_, processor); }
  /// [F(n), L(n)], limited to the section: the elements that a processor owns; empty beyond the
  /// section.
  IndexRange at_source(int processor) const { return owned(source_, processor); }
  IndexRange at_destination(int processor) const { return owned(destination_, processor); }

  /// Whether a source processor owns at least as much as a destination's: k/s >= k'/s'.
  bool scatters() const {
    return source_.block * destination_.section.stride >=
           destination_.block * source_.section.stride;
  }
  /// Whether every source (destination) processor owns the same number of elements: the stride
  /// divides the block, and both ends of the section are at ends of blocks.
  /// Source: Eberhart 1996, section 3.1
  bool is_source_regular() const { return is_regular(source_); }
  bool is_destination_regular() const { return is_regular(destination_); }
  /// Both regular, and one processor's share a multiple of the other's.
  bool is_regular() const;
  /// Both regular, and both shares equal.
  bool is_shift() const;

  /// All messages, by sender, then receiver, including those of a processor to itself.
  std::vector<AxisMessage> messages() const;

 private:
  std::int64_t begin(const BlockSection& side, int processor) const;
  IndexRange owned(const BlockSection& side, int processor) const;
  bool is_regular(const BlockSection& side) const;

  BlockSection source_;
  BlockSection destination_;
  std::int64_t elements_;
};

}  // namespace flitwave
