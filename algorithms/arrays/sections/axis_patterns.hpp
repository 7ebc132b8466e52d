// algorithms/arrays/sections/axis_patterns.hpp: base patterns of one dimension, separated by
// shifts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/arrays/sections/axis_transfer.hpp"

namespace flitwave {

/// Neighbouring processors of one dimension: first .. last; empty if last is below first.
struct ProcessorRange {
  int first = 0;
  int last = -1;

  bool empty() const { return last < first; }
  int size() const { return empty() ? 0 : last - first + 1; }
  bool contains(int processor) const { return first <= processor && processor <= last; }
  friend bool operator==(ProcessorRange a, ProcessorRange b) {
    return a.first == b.first && a.last == b.last;
  }
};

/// Sources that all send to the same destinations. Either the source or the destination is single;
/// the processors of the other side are its cluster. A cluster is empty when shifts move all its
/// data away.
struct AxisPattern {
  ProcessorRange sources;
  ProcessorRange destinations;

  bool empty() const { return sources.empty() || destinations.empty(); }
};

/// The treatment of a first base pattern that has one processor more than equation 3.14 allows
/// because the section begins inside a block. The thesis does not consider this case.
enum class Surplus {
  exact_max,   ///< The greatest size of any pattern replaces equation 3.14.
  lead_merge,  ///< The first two processors of its cluster act as one in the main phase; data for
               ///< the first pass through the second, in a shift. Sizes satisfy equation 3.14.
  nominal,     ///< Left out, as in the thesis: a length to compare with, and no schedule.
};
std::vector<std::string> names_of(Surplus);

/// The distance of base patterns from which on they share no channel.
enum class OffsetRule {
  printed,  ///< Equation 3.16, which may be too small when some cluster is empty.
  exact,    ///< Equation 3.16 without empty clusters, else from the positions of all patterns.
};
std::vector<std::string> names_of(OffsetRule);

/// One dimension of a transfer between any block distributions, divided into base patterns by
/// shifts between neighbours, before the main phase (where processors scatter) or after it (where
/// they gather). All results follow from the distributions; costs depend on processors, not on
/// elements.
/// Source: Eberhart 1996, section 3.3, with the corrections noted at each function
class AxisPatterns {
 public:
  AxisPatterns(const AxisTransfer& axis, Surplus surplus);

  const AxisTransfer& axis() const { return axis_; }
  bool scatters() const { return scatters_; }
  int count() const { return static_cast<int>(patterns_.size()); }
  /// The processors that take part in the main phase. Range: 0 .. count() - 1
  const AxisPattern& pattern(int index) const { return patterns_[static_cast<std::size_t>(index)]; }
  /// Whether the first pattern has a surplus that is merged.
  bool merges_lead() const { return merges_lead_; }
  bool has_empty_cluster() const;
  /// Whether every pattern is one processor that keeps its own data.
  bool is_local() const;

  /// I(n) and I'(n): the index of a processor's base pattern, also beyond the section, where the
  /// numbering of patterns continues.
  /// Source: equation 3.13
  int pattern_of_source(int processor) const;
  int pattern_of_destination(int processor) const;

  /// Greatest and least numbers of processors of a pattern on each side, at least 1: equation 3.14,
  /// or the greatest of all patterns by `Surplus::exact_max`; the least of all patterns.
  int most_sources() const { return scatters_ ? 1 : most_; }
  int most_destinations() const { return scatters_ ? most_ : 1; }
  int fewest_sources() const { return scatters_ ? 1 : fewest_; }
  int fewest_destinations() const { return scatters_ ? fewest_ : 1; }

  /// The number of base patterns after which they share no channel, at most count(); 0: never.
  /// Source: equation 3.16; where clusters are empty, the thesis advises one more, which is not
  ///   always enough
  int offset(OffsetRule rule) const;

  /// The elements that a processor sends to its neighbour before (a source) or after (a
  /// destination) the main phase, if anything.
  /// Source: equations 3.11 and 3.12; the first processor's surplus is added
  std::optional<AxisMessage> initial_shift(int source) const;
  std::optional<AxisMessage> final_shift(int destination) const;
  bool has_initial_shift() const;
  bool has_final_shift() const;

  /// The data that a source sends in the main phase, and those that a destination has after it.
  IndexRange before_main(int source) const;
  IndexRange after_main(int destination) const;

 private:
  ProcessorRange cluster_of(int single) const;
  int exact_offset() const;

  AxisTransfer axis_;
  AxisTransfer scatter_;  ///< The same, or its reverse where processors gather.
  bool scatters_;
  bool merges_lead_ = false;
  std::vector<AxisPattern> patterns_;
  int most_ = 1;    ///< Processors of a cluster.
  int fewest_ = 1;  ///< Processors of a cluster.
};

/// Equation 3.14: the most processors that a single one communicates with, without the surplus of
/// the first. `single`, `cluster`: the side of fewer processors, and the other.
int greatest_cluster(const BlockSection& single, const BlockSection& cluster);
/// Equation 3.15 corrected: the fewest, except for the first and the last. A valid bound, though
/// not the exact one, which is the floor of (floor(k/s) s' / k').
int printed_least_cluster(const BlockSection& single, const BlockSection& cluster);
int least_cluster(const BlockSection& single, const BlockSection& cluster);

}  // namespace flitwave
