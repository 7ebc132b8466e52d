// algorithms/arrays/sections/axis_patterns.cpp: see axis_patterns.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/sections/axis_patterns.hpp"

#include <algorithm>

namespace flitwave {

namespace {

/// The transfer with the larger shares on the source side, i.e. one that scatters.
AxisTransfer as_scatter(const AxisTransfer& axis) {
  return axis.scatters() ? axis : AxisTransfer(axis.destination(), axis.source());
}

IndexRange whole_of(IndexRange a, IndexRange b) { return {a.first, b.last}; }

}  // namespace

std::vector<std::string> names_of(Surplus) { return {"exact_max", "lead_merge", "nominal"}; }
std::vector<std::string> names_of(OffsetRule) { return {"printed", "exact"}; }

int greatest_cluster(const BlockSection& single, const BlockSection& cluster) {
  const std::int64_t elements = ceil_div(single.block, single.section.stride);
  return static_cast<int>(ceil_div(elements * cluster.section.stride, cluster.block));
}

int printed_least_cluster(const BlockSection& single, const BlockSection& cluster) {
  const std::int64_t elements = single.block / single.section.stride;
  return static_cast<int>(((elements - 1) * cluster.section.stride + 1) / cluster.block);
}

int least_cluster(const BlockSection& single, const BlockSection& cluster) {
  const std::int64_t elements = single.block / single.section.stride;
  return static_cast<int>(elements * cluster.section.stride / cluster.block);
}

AxisPatterns::AxisPatterns(const AxisTransfer& axis, Surplus surplus)
    : axis_(axis), scatter_(as_scatter(axis_)), scatters_(axis_.scatters()) {
  const int greatest = greatest_cluster(scatter_.source(), scatter_.destination());
  int largest = 0;
  int least = axis_.sources() + axis_.destinations();
  for (int single = scatter_.first_source(); single <= scatter_.last_source(); ++single) {
    ProcessorRange cluster = cluster_of(single);
    if (patterns_.empty() && surplus == Surplus::lead_merge && cluster.size() > greatest) {
      merges_lead_ = true;
      ++cluster.first;
    }
    largest = std::max(largest, cluster.size());
    least = std::min(least, cluster.size());
    const ProcessorRange alone{single, single};
    patterns_.push_back(scatters_ ? AxisPattern{alone, cluster} : AxisPattern{cluster, alone});
  }
  most_ = std::max(1, surplus == Surplus::exact_max ? largest : greatest);
  fewest_ = std::max(1, least);
}

/// The processors of the other side whose first element it owns.
ProcessorRange AxisPatterns::cluster_of(int single) const {
  const IndexRange own = scatter_.at_source(single);
  const int first = scatter_.destination_of(own.first);
  return {first + (scatter_.destination_begin(first) < own.first ? 1 : 0),
          scatter_.destination_of(own.last)};
}

bool AxisPatterns::has_empty_cluster() const {
  return std::any_of(patterns_.begin(), patterns_.end(),
                     [](const AxisPattern& pattern) { return pattern.empty(); });
}

bool AxisPatterns::is_local() const {
  return std::all_of(patterns_.begin(), patterns_.end(), [](const AxisPattern& pattern) {
    return pattern.empty() ||
           (pattern.sources == pattern.destinations && pattern.sources.size() == 1);
  });
}

int AxisPatterns::pattern_of_source(int processor) const {
  if (scatters_) return processor - axis_.first_source();
  return axis_.destination_of(axis_.source_begin(processor)) - axis_.first_destination();
}

int AxisPatterns::pattern_of_destination(int processor) const {
  if (!scatters_) return processor - axis_.first_destination();
  return axis_.source_of(axis_.destination_begin(processor)) - axis_.first_source();
}

int AxisPatterns::offset(OffsetRule rule) const {
  if (rule == OffsetRule::exact && has_empty_cluster()) return exact_offset();
  const int from = axis_.first_source();
  const int to = axis_.first_destination();
  const int first = from > to   ? pattern_of_destination(from - 1) + 1
                    : from < to ? pattern_of_source(to - 1) + 1
                                : 0;
  const int from_end = axis_.last_source();
  const int to_end = axis_.last_destination();
  const int last =
      from_end < to_end ? pattern_of_destination(to_end) - pattern_of_destination(from_end + 1) + 1
      : from_end > to_end ? pattern_of_source(from_end) - pattern_of_source(to_end + 1) + 1
                          : 0;
  return std::min(std::max(first, last), count());
}

/// The patterns that share a channel with an earlier one, towards higher or lower numbers, are
/// those that begin before the earlier one ends.
int AxisPatterns::exact_offset() const {
  int offset = 0;
  for (int p = 0; p < count(); ++p) {
    const AxisPattern& early = pattern(p);
    if (early.empty()) continue;
    const bool up = early.sources.first < early.destinations.last;
    const bool down = early.destinations.first < early.sources.last;
    for (int r = p + offset; r < count(); ++r) {
      const AxisPattern& late = pattern(r);
      if (late.empty()) continue;
      const bool shared_up = up && late.sources.first < early.destinations.last;
      const bool shared_down = down && late.destinations.first < early.sources.last;
      if (!shared_up && !shared_down) break;
      offset = r - p + 1;
    }
  }
  return offset;
}

std::optional<AxisMessage> AxisPatterns::initial_shift(int source) const {
  const IndexRange own = axis_.at_source(source);
  if (own.empty()) return std::nullopt;
  if (!scatters_) {
    if (!merges_lead_ || source != axis_.first_source()) return std::nullopt;
    return AxisMessage{source, source + 1, own};
  }
  if (source == axis_.first_source()) return std::nullopt;
  const int to = axis_.destination_of(own.first);
  if (to != axis_.destination_of(own.first - 1)) return std::nullopt;
  return AxisMessage{source, source - 1, intersection(own, axis_.at_destination(to))};
}

std::optional<AxisMessage> AxisPatterns::final_shift(int destination) const {
  const IndexRange own = axis_.at_destination(destination);
  const int first = axis_.first_destination();
  if (own.empty()) return std::nullopt;
  if (scatters_) {
    if (!merges_lead_ || destination != first + 1) return std::nullopt;
    return AxisMessage{destination, first, axis_.at_destination(first)};
  }
  if (destination == axis_.last_destination()) return std::nullopt;
  const int from = axis_.source_of(own.last);
  if (from != axis_.source_of(own.last + 1)) return std::nullopt;
  const IndexRange rest{own.last + 1, axis_.at_source(from).last};
  return AxisMessage{destination, destination + 1, rest};
}

bool AxisPatterns::has_initial_shift() const {
  for (int source = axis_.first_source(); source <= axis_.last_source(); ++source)
    if (initial_shift(source)) return true;
  return false;
}

bool AxisPatterns::has_final_shift() const {
  for (int to = axis_.first_destination(); to <= axis_.last_destination(); ++to)
    if (final_shift(to)) return true;
  return false;
}

IndexRange AxisPatterns::before_main(int source) const {
  if (source < axis_.first_source() || source > axis_.last_source()) return {};
  if (scatters_) {
    const ProcessorRange cluster = cluster_of(source);
    if (cluster.empty()) return {};
    return whole_of(axis_.at_destination(cluster.first), axis_.at_destination(cluster.last));
  }
  const int first = axis_.first_source();
  if (!merges_lead_ || source > first + 1) return axis_.at_source(source);
  return source == first ? IndexRange{} : whole_of(axis_.at_source(first), axis_.at_source(source));
}

IndexRange AxisPatterns::after_main(int destination) const {
  if (destination < axis_.first_destination() || destination > axis_.last_destination()) return {};
  if (!scatters_) {
    const ProcessorRange cluster = cluster_of(destination);
    if (cluster.empty()) return {};
    return whole_of(axis_.at_source(cluster.first), axis_.at_source(cluster.last));
  }
  const int first = axis_.first_destination();
  if (!merges_lead_ || destination > first + 1) return axis_.at_destination(destination);
  return destination == first
             ? IndexRange{}
             : whole_of(axis_.at_destination(first), axis_.at_destination(destination));
}

}  // namespace flitwave
