// algorithms/arrays/regular_schedule.cpp: see regular_schedule.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/regular_schedule.hpp"

#include <utility>

#include <fmt/format.h>

#include "algorithms/arrays/region_communication.hpp"
#include "algorithms/arrays/sections/transfer_class.hpp"
#include "configs/error.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

namespace {

class RegularSchedule final : public ArraySchedule {
 public:
  RegularSchedule(const RegionGrid& grid, std::unique_ptr<RegionCommunication> regions,
                  std::string remark)
      : ArraySchedule(grid.assignment()),
        grid_(grid),
        sections_(grid_.sections()),
        regions_(std::move(regions)),
        remark_(std::move(remark)) {}

  int slots(TransferPhase phase) const override {
    if (grid_.is_still()) return 0;
    if (phase == TransferPhase::gather) return regions_->gather_slots();
    if (phase == TransferPhase::main) return sections_.slots() * regions_->slots();
    return phase == TransferPhase::scatter ? regions_->scatter_slots() : 0;
  }

  void sends_of(MeshPlace node, std::vector<ArraySend>& sends) const override {
    if (grid_.is_still()) return;
    if (grid_.has_source(node)) {
      const PatternPlace at = grid_.at_source(node);
      regions_->gather(at, sends);
      regions_->send(at, sections_.slot(at.region_row, at.region_column) * regions_->slots(),
                     sends);
    }
    if (grid_.has_destination(node)) regions_->scatter(grid_.at_destination(node), sends);
  }

  std::vector<std::string> remarks() const override {
    return remark_.empty() ? std::vector<std::string>{} : std::vector<std::string>{remark_};
  }

 private:
  RegionGrid grid_;
  DiagonalSections sections_;
  std::unique_ptr<RegionCommunication> regions_;
  std::string remark_;
};

std::unique_ptr<RegionCommunication> region_of_choice(const RegionGrid& grid,
                                                      const RegionChoice& choice) {
  switch (choice.routine) {
    case RegionRoutine::one_to_one:
      return one_to_one_region(grid);
    case RegionRoutine::gather_scatter:
      return combining_region(grid, {});
    case RegionRoutine::hybrid:
      break;
  }
  return combining_region(grid, combining_grid(grid.pattern(), choice.degree));
}

/// For numbers that are no powers of two: the cheaper of the extremes.
RegionChoice cheaper_extreme(const BasePattern& pattern, int regions, MessageCost cost) {
  const double direct =
      one_to_one_cost(pattern.sources(), pattern.destinations()).total(regions, cost);
  const double combined =
      gather_scatter_cost(pattern.sources(), pattern.destinations()).total(regions, cost);
  const RegionRoutine routine =
      direct <= combined ? RegionRoutine::one_to_one : RegionRoutine::gather_scatter;
  return {routine,
          {},
          fmt::format("base patterns of {} to {} nodes cannot be halved: {} instead of hybrid, at "
                      "costs of {} for one_to_one and {} for gather_scatter",
                      pattern.sources(), pattern.destinations(), names_of(routine)[index(routine)],
                      direct, combined)};
}

}  // namespace

std::vector<std::string> names_of(RegionRoutine) {
  return {"one_to_one", "gather_scatter", "hybrid"};
}

RegionChoice choose_region(const ArrayAssignment& assignment, const RegularOptions& options) {
  if (options.routine != RegionRoutine::hybrid) return {options.routine, {}, ""};
  if (assignment.order == RouteOrder::column_first)
    return choose_region(assignment.exchanged(), options);
  const RegionGrid grid(assignment, false);
  const BasePattern& pattern = grid.pattern();
  const int regions = grid.sections().slots();
  const MessageCost per_unit{
      options.cost.startup,
      options.cost.per_element * static_cast<double>(elements_per_message(assignment))};
  if (!is_power_of_two(pattern.sources()) || !is_power_of_two(pattern.destinations()))
    return cheaper_extreme(pattern, regions, per_unit);
  const CombiningDegree degree =
      choose_degree(pattern.sources(), pattern.destinations(), regions, per_unit);
  return {RegionRoutine::hybrid, degree,
          fmt::format("base patterns of {} to {} nodes: {} gathers and {} scatters",
                      pattern.sources(), pattern.destinations(), degree.gathers, degree.scatters)};
}

std::unique_ptr<ArraySchedule> regular_schedule(const ArrayAssignment& assignment,
                                                const RegularOptions& options) {
  require_class(assignment, TransferClass::regular, "the diagonal schedule on regions");
  if (options.gcd_grouping && options.routine != RegionRoutine::one_to_one)
    throw ConfigError("gcd_grouping",
                      "only one_to_one regions can be grouped by the common divisor",
                      "remove gcd_grouping, or use the region routine one_to_one");
  return under_route_order(assignment, [&](const ArrayAssignment& of) {
    const RegionGrid grid(of, options.gcd_grouping);
    RegionChoice choice = choose_region(of, options);
    return std::make_unique<RegularSchedule>(grid, region_of_choice(grid, choice),
                                             std::move(choice.remark));
  });
}

}  // namespace flitwave
