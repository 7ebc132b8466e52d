// algorithms/arrays/general_schedule.cpp: see general_schedule.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/general_schedule.hpp"

#include <algorithm>

#include "algorithms/arrays/general_regions.hpp"
#include "configs/error.hpp"

namespace flitwave {

namespace {

/// Regions of a section in one dimension.
int section_of(int offset, int patterns_per_region) {
  return std::max(1, static_cast<int>(ceil_div(offset, patterns_per_region)));
}

/// The greatest number of elements that a processor of one dimension owns, sends in a shift, or
/// sends in the main phase.
std::int64_t most_owned(const AxisPatterns& axis, bool by_source) {
  std::int64_t most = 0;
  const AxisTransfer& transfer = axis.axis();
  const int first = by_source ? transfer.first_source() : transfer.first_destination();
  const int last = by_source ? transfer.last_source() : transfer.last_destination();
  for (int i = first; i <= last; ++i)
    most = std::max(most, (by_source ? transfer.at_source(i) : transfer.at_destination(i)).size());
  return most;
}

std::int64_t most_shifted(const AxisPatterns& axis) {
  std::int64_t most = 0;
  const AxisTransfer& transfer = axis.axis();
  for (int i = transfer.first_source(); i <= transfer.last_source(); ++i)
    if (const auto shift = axis.initial_shift(i)) most = std::max(most, shift->indices.size());
  for (int i = transfer.first_destination(); i <= transfer.last_destination(); ++i)
    if (const auto shift = axis.final_shift(i)) most = std::max(most, shift->indices.size());
  return most;
}

/// A message of the main phase carries everything that the side with the smaller shares owns.
std::int64_t most_carried(const AxisPatterns& axis) { return most_owned(axis, !axis.scatters()); }

}  // namespace

std::vector<std::string> names_of(GeneralRegion) { return {"one_to_one", "gather_scatter"}; }

int detail::PatternGrid::steps() const { return std::max(section_rows, section_columns); }

int detail::PatternGrid::step(int pattern_row, int pattern_column) const {
  const int diagonal =
      (pattern_row / rows) % section_rows - (pattern_column / columns) % section_columns;
  return diagonal < 0 ? diagonal + steps() : diagonal;
}

detail::PatternGrid detail::pattern_grid(const ShiftedTransfer& transfer, int rows, int columns,
                                         OffsetRule rule) {
  return {rows, columns, section_of(transfer.rows().offset(rule), rows),
          section_of(transfer.columns().offset(rule), columns)};
}

detail::GeneralSchedule::GeneralSchedule(const ArrayAssignment& assignment,
                                         const GeneralOptions& options)
    : ArraySchedule(assignment), transfer_(assignment, options.surplus) {}

int detail::GeneralSchedule::slots(TransferPhase phase) const {
  const bool in_regions = phase >= TransferPhase::gather && phase <= TransferPhase::scatter;
  if (!in_regions) return transfer_.slots(phase);
  return transfer_.is_local() ? 0 : region_slots(phase);
}

void detail::GeneralSchedule::sends_of(MeshPlace node, std::vector<ArraySend>& sends) const {
  const auto begin = static_cast<std::ptrdiff_t>(sends.size());
  transfer_.append_initial(node, sends);
  if (!transfer_.is_local()) append_main(node, sends);
  transfer_.append_final(node, sends);
  std::stable_sort(sends.begin() + begin, sends.end());
}

std::unique_ptr<ArraySchedule> general_schedule(const ArrayAssignment& assignment,
                                                const GeneralOptions& options) {
  if (assignment.alignment != Alignment::identical)
    throw ConfigError("kind", "the general schedule needs arrays in the same alignment",
                      "use algorithm: block_transposition, or coloured_transfer");
  if (options.surplus == Surplus::nominal)
    throw ConfigError(
        "surplus", "no schedule can leave out the surplus of a first base pattern",
        "use lead_merge or exact_max; step_model.nominal is the length that it would have");
  return under_route_order(assignment, [&](const ArrayAssignment& by_rows) {
    return options.region == GeneralRegion::one_to_one
               ? detail::one_to_one_regions(by_rows, options)
               : detail::gather_scatter_regions(by_rows, options);
  });
}

std::vector<ArraySlots> GeneralLength::slots() const {
  std::vector<ArraySlots> all;
  for (const std::int64_t elements : shifted) all.push_back({1, elements});
  all.push_back({std::int64_t{steps} * region_slots, carried});
  return all;
}

GeneralLength nominal_length(const ArrayAssignment& assignment) {
  const bool by_rows = assignment.order == RouteOrder::row_first;
  const ShiftedTransfer transfer(by_rows ? assignment : assignment.exchanged(), Surplus::nominal);
  const AxisPatterns& rows = transfer.rows();
  const AxisPatterns& columns = transfer.columns();
  const detail::PatternGrid grid = detail::pattern_grid(transfer, columns.most_destinations(),
                                                        rows.most_sources(), OffsetRule::printed);
  GeneralLength length;
  length.steps = grid.steps();
  length.region_slots = rows.most_sources() * rows.most_destinations() * columns.most_sources() *
                        columns.most_destinations();
  length.carried = most_carried(rows) * most_carried(columns);
  for (const bool vertical : {true, false}) {
    const AxisPatterns& moved = vertical ? rows : columns;
    const AxisPatterns& kept = vertical ? columns : rows;
    const std::int64_t shifted = most_shifted(moved);
    if (shifted > 0) length.shifted.push_back(shifted * most_owned(kept, moved.scatters()));
  }
  return length;
}

}  // namespace flitwave
