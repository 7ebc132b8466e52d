// testbenches/tests/unit/algorithms/arrays/axis_patterns_test.cpp: base patterns of one dimension,
// checked element by element.
// SPDX-License-Identifier: Apache-2.0
// Links no SystemC.
#include "algorithms/arrays/sections/axis_patterns.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_draws.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_text.hpp"

namespace axis_patterns_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// Owners of all elements, one by one, on the side with larger shares and on the other side.
struct Owners {
  std::vector<int> single;
  std::vector<int> cluster;
};
std::vector<int> owners(const BlockSection& side, std::int64_t elements) {
  std::vector<int> all;
  for (std::int64_t e = 0; e < elements; ++e)
    all.push_back(static_cast<int>((side.section.lower + side.section.stride * e) / side.block));
  return all;
}
Owners owners(const AxisTransfer& axis) {
  const std::vector<int> sources = owners(axis.source(), axis.elements());
  const std::vector<int> destinations = owners(axis.destination(), axis.elements());
  return axis.scatters() ? Owners{sources, destinations} : Owners{destinations, sources};
}

/// The processors of each cluster: those whose first element is on the cluster's single processor.
std::map<int, std::set<int>> brute_clusters(const Owners& of) {
  std::map<int, std::set<int>> clusters;
  std::set<int> known;
  for (std::size_t e = 0; e < of.single.size(); ++e) {
    clusters[of.single[e]];
    if (known.insert(of.cluster[e]).second) clusters[of.single[e]].insert(of.cluster[e]);
  }
  return clusters;
}

/// The elements that move from a single processor to its predecessor. Equation 3.11 stated for
/// elements: those whose destination is also the destination of the predecessor's last element.
/// When messages are gathered, the same elements move in the opposite direction after the main
/// phase.
std::map<int, IndexRange> brute_shifts(const Owners& of) {
  std::map<int, IndexRange> shifts;
  for (std::size_t e = 1; e < of.single.size(); ++e) {
    if (of.single[e] == of.single[e - 1] || of.cluster[e] != of.cluster[e - 1]) continue;
    std::size_t last = e;
    while (last + 1 < of.single.size() && of.single[last + 1] == of.single[e] &&
           of.cluster[last + 1] == of.cluster[e])
      ++last;
    shifts[of.single[e]] = {static_cast<std::int64_t>(e), static_cast<std::int64_t>(last)};
  }
  return shifts;
}

std::set<int> as_set(const ProcessorRange& range) {
  std::set<int> all;
  for (int i = range.first; i <= range.last; ++i) all.insert(i);
  return all;
}

const ProcessorRange& cluster(const AxisPatterns& patterns, int index) {
  const AxisPattern& pattern = patterns.pattern(index);
  return patterns.scatters() ? pattern.destinations : pattern.sources;
}

void check_clusters(const AxisPatterns& patterns, const Owners& of) {
  const auto clusters = brute_clusters(of);
  REQUIRE(patterns.count() == static_cast<int>(clusters.size()));
  int index = 0;
  for (const auto& [single, members] : clusters) {
    REQUIRE(as_set(cluster(patterns, index)) == members);
    for (const int member : members)
      REQUIRE((patterns.scatters() ? patterns.pattern_of_destination(member)
                                   : patterns.pattern_of_source(member)) == index);
    REQUIRE((patterns.scatters() ? patterns.pattern_of_source(single)
                                 : patterns.pattern_of_destination(single)) == index);
    ++index;
  }
}

void check_shifts(const AxisPatterns& patterns, const Owners& of) {
  const auto shifts = brute_shifts(of);
  REQUIRE((patterns.scatters() ? patterns.has_initial_shift() : patterns.has_final_shift()) ==
          !shifts.empty());
  REQUIRE_FALSE((patterns.scatters() ? patterns.has_final_shift() : patterns.has_initial_shift()));
  for (int node = of.single.front() - 1; node <= of.single.back() + 1; ++node) {
    const auto shift =
        patterns.scatters() ? patterns.initial_shift(node) : patterns.final_shift(node - 1);
    const auto expected = shifts.find(node);
    REQUIRE(shift.has_value() == (expected != shifts.end()));
    if (!shift) continue;
    REQUIRE(shift->indices == expected->second);
    REQUIRE(shift->to == (patterns.scatters() ? node - 1 : node));
  }
}

/// The least distance at which patterns share no channel, found from all channels of all messages.
int brute_offset(const AxisPatterns& patterns) {
  std::map<std::pair<int, bool>, std::set<int>> users;  // Patterns, by channel and direction.
  for (int p = 0; p < patterns.count(); ++p)
    for (const int from : as_set(patterns.pattern(p).sources))
      for (const int to : as_set(patterns.pattern(p).destinations))
        for (int at = std::min(from, to); at < std::max(from, to); ++at)
          users[{at, from < to}].insert(p);
  int offset = 0;
  for (const auto& [channel, of] : users) offset = std::max(offset, *of.rbegin() - *of.begin() + 1);
  return offset;
}

AxisTransfer next_axis(CaseDraw& draw, int i) {
  return i % 4 == 0 ? draw.any_axis(60, 4) : draw.any_axis(30, 12);
}

void check_axes(int cases, unsigned seed) {
  CaseDraw draw(seed);
  int shifted = 0;
  for (int i = 0; i < cases; ++i) {
    const AxisPatterns patterns(next_axis(draw, i), Surplus::exact_max);
    INFO("case " << i << ": " << text_of(patterns.axis()));
    const Owners of = owners(patterns.axis());
    check_clusters(patterns, of);
    check_shifts(patterns, of);
    shifted += static_cast<int>(brute_shifts(of).size());
  }
  REQUIRE(shifted > cases / 2);
}

/// Statistics of the sizes of all patterns of a dimension, against the equations.
struct SizeCounts {
  int surplus_first = 0;  ///< First patterns that are one larger than equation 3.14 gives.
  int at_greatest = 0;
  int at_least = 0;
  int above_printed = 0;  ///< Least sizes for which equation 3.15 as printed is too small.
  int negative = 0;       ///< Least sizes for which equation 3.15 as printed is below 0.
  int empty_inner = 0;
};

void count_sizes(const AxisTransfer& axis, SizeCounts& counts) {
  const AxisPatterns patterns(axis, Surplus::nominal);
  const BlockSection& single = axis.scatters() ? axis.source() : axis.destination();
  const BlockSection& other = axis.scatters() ? axis.destination() : axis.source();
  const int greatest = greatest_cluster(single, other);
  const int least = least_cluster(single, other);
  REQUIRE(printed_least_cluster(single, other) <= least);
  counts.above_printed += printed_least_cluster(single, other) < least;
  const std::int64_t share = single.block / single.section.stride;
  counts.negative += (share - other.section.stride) * other.section.stride + 1 < 0;
  for (int i = 0; i < patterns.count(); ++i) {
    const int size = cluster(patterns, i).size();
    REQUIRE(size <= greatest + (i == 0 ? 1 : 0));
    counts.surplus_first += size > greatest;
    counts.at_greatest += size == greatest;
    if (i == 0 || i == patterns.count() - 1) continue;
    REQUIRE(size >= least);
    counts.at_least += size == least;
    if (size > 0) continue;
    ++counts.empty_inner;
    REQUIRE(share < ceil_div(other.block, other.section.stride));
  }
}

void check_sizes(int cases, unsigned seed) {
  CaseDraw draw(seed);
  SizeCounts counts;
  for (int i = 0; i < cases; ++i) {
    const AxisTransfer axis = next_axis(draw, i);
    INFO("case " << i << ": " << text_of(axis));
    count_sizes(axis, counts);
  }
  REQUIRE(counts.surplus_first > cases / 100);
  REQUIRE(counts.at_greatest > cases / 2);
  REQUIRE(counts.at_least > cases / 10);
  REQUIRE(counts.above_printed > cases / 10);
  REQUIRE(counts.negative > cases / 10);
  REQUIRE(counts.empty_inner > cases / 100);
}

/// How often the offset of equation 3.16 is the offset that patterns need.
struct OffsetCounts {
  int full = 0;             ///< Transfers without an empty cluster.
  int too_small = 0;        ///< Transfers with one, for which the offset is too small.
  int still_too_small = 0;  ///< Transfers for which one more is too small as well.
};

void check_offsets(int cases, unsigned seed, OffsetCounts& counts) {
  CaseDraw draw(seed);
  for (int i = 0; i < cases; ++i) {
    const AxisPatterns patterns(next_axis(draw, i), Surplus::exact_max);
    INFO("case " << i << ": " << text_of(patterns.axis()));
    const int printed = patterns.offset(OffsetRule::printed);
    const int needed = brute_offset(patterns);
    REQUIRE(printed <= patterns.count());
    if (!patterns.has_empty_cluster()) {
      ++counts.full;
      REQUIRE(std::max(1, printed) == std::max(1, needed));
      REQUIRE(patterns.offset(OffsetRule::exact) == printed);
    } else {
      counts.too_small += std::max(1, printed) < needed;
      counts.still_too_small += std::max(1, printed + 1) < needed;
      REQUIRE(patterns.offset(OffsetRule::exact) == needed);
    }
    REQUIRE(patterns.is_local() == (needed == 0));
  }
}

}  // namespace

TEST_CASE("base patterns and shifts equal those found element by element", "[arrays]") {
  check_axes(4000, 21);
}

TEST_CASE("base patterns and shifts equal those found element by element, for many dimensions",
          "[arrays][long]") {
  check_axes(200000, 22);
}

TEST_CASE("only a first base pattern may be one larger than equation 3.14 gives", "[arrays]") {
  check_sizes(4000, 23);
}

TEST_CASE(
    "only a first base pattern may be one larger than equation 3.14 gives, for many dimensions",
    "[arrays][long]") {
  check_sizes(200000, 24);
}

TEST_CASE("the offset of equation 3.16 is exact unless a cluster is empty", "[arrays]") {
  OffsetCounts counts;
  check_offsets(6000, 25, counts);
  REQUIRE(counts.full > 4000);
  REQUIRE(counts.too_small > 20);
}

TEST_CASE("with an empty cluster, the offset of equation 3.16 plus one is not always enough",
          "[arrays][long]") {
  OffsetCounts counts;
  check_offsets(60000, 26, counts);
  REQUIRE(counts.full > 50000);
  REQUIRE(counts.too_small > 200);
  REQUIRE(counts.still_too_small > 0);
}

TEST_CASE("a merged first pattern is not larger than the others", "[arrays]") {
  CaseDraw draw(27);
  int merged = 0;
  for (int i = 0; i < 4000; ++i) {
    const AxisTransfer axis = next_axis(draw, i);
    const AxisPatterns patterns(axis, Surplus::lead_merge);
    const BlockSection& single = axis.scatters() ? axis.source() : axis.destination();
    const BlockSection& other = axis.scatters() ? axis.destination() : axis.source();
    INFO("case " << i << ": " << text_of(axis));
    for (int p = 0; p < patterns.count(); ++p)
      REQUIRE(cluster(patterns, p).size() <= greatest_cluster(single, other));
    REQUIRE((patterns.scatters() ? patterns.most_destinations() : patterns.most_sources()) ==
            greatest_cluster(single, other));
    REQUIRE(brute_offset(patterns) <= std::max(1, patterns.offset(OffsetRule::exact)));
    merged += patterns.merges_lead();
  }
  REQUIRE(merged > 40);
}

namespace {

/// Numbers of messages: before shifts by the formula, after them by the side with smaller shares.
void check_counts(const AxisTransfer& axis) {
  std::set<int> boundaries;
  int coinciding = 0;
  for (int n = axis.first_source() + 1; n <= axis.last_source(); ++n)
    boundaries.insert(static_cast<int>(axis.source_begin(n)));
  for (int n = axis.first_destination() + 1; n <= axis.last_destination(); ++n)
    coinciding += boundaries.count(static_cast<int>(axis.destination_begin(n))) > 0;
  REQUIRE(static_cast<int>(axis.messages().size()) ==
          axis.sources() + axis.destinations() - 1 - coinciding);

  const AxisPatterns patterns(axis, Surplus::exact_max);
  int after = 0;
  for (int p = 0; p < patterns.count(); ++p)
    after += patterns.pattern(p).sources.size() * patterns.pattern(p).destinations.size();
  REQUIRE(after == (axis.scatters() ? axis.destinations() : axis.sources()));
}

}  // namespace

TEST_CASE("the number of messages follows from processors and boundaries", "[arrays]") {
  CaseDraw draw(28);
  for (int i = 0; i < 20000; ++i) check_counts(next_axis(draw, i));
}

}  // namespace axis_patterns_test
