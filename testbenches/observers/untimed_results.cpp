// testbenches/observers/untimed_results.cpp: see untimed_results.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/untimed_results.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "algorithms/arrays/array_demand.hpp"
#include "algorithms/untimed/overlapping_steps.hpp"
#include "algorithms/untimed/straight_load.hpp"
#include "testbenches/job/plan/evaluation_draws.hpp"
#include "testbenches/job/plan/judged_schedule.hpp"
#include "testbenches/observers/fault_report.hpp"
#include "testbenches/observers/prediction.hpp"

namespace flitwave {

namespace {

/// The metrics of one draw.
Results judgement_of(const Demand& demand, const Untimed& untimed, const Schedule& schedule,
                     const Plan& plan) {
  Results results;
  double destinations = 0;
  for (const Delivery& delivery : demand.deliveries)
    if (!delivery.is_barrier) destinations += static_cast<double>(delivery.destinations.size());
  double transfers = 0;
  for (int of_step : untimed.transfers_per_step) transfers += of_step;
  results.add("destinations", destinations, "");
  results.add("transfers", transfers, "");
  report_steps(untimed, schedule, *plan.topology, *plan.routing, results);
  for (const ScheduleDetails::Figure& figure : schedule.details().figures)
    results.add(figure.name, figure.value, figure.unit);
  return results;
}

/// One draw of several.
Results results_of_draw(const Job& job, const Plan& plan, int draw) {
  const Demand demand = draw_demand(job, *plan.topology, draw);
  const auto judged = [&](ServedBy by) { return serve(job, demand, plan, by); };
  const JudgedSchedule served = judged(ServedBy::algorithm);
  const Untimed& own = served.untimed;
  Results results = judgement_of(demand, own, served.schedule, plan);
  if (job.compare) {
    const JudgedSchedule other = judged(ServedBy::compare);
    add_excess(judgement_of(demand, other.untimed, other.schedule, plan), results);
  }
  if (job.faults)
    results.add("faults.unreachable",
                static_cast<double>(own.unreached.size() + own.given_up.size()), "");
  return results;
}

/// A table, and its last column.
struct TableOfTransfers {
  const char* name;
  const char* column;
};

/// Adds the table with a row for each transfer; `cell`: the text of its last column.
void report_each(const TableOfTransfers& kind, const Schedule& schedule, const Topology& topology,
                 const std::function<std::string(std::size_t)>& cell, Results& results) {
  constexpr std::size_t most_rows = 20'000;
  const std::size_t transfers = schedule.transfers().size();
  Table table{{"message", "from", "to", kind.column}, {}};
  for (std::size_t i = 0; i < std::min(most_rows, transfers); ++i) {
    const Transfer& transfer = schedule.transfer(static_cast<int>(i));
    table.rows.push_back({schedule.name_of(transfer), topology.label(transfer.from),
                          topology.label(transfer.to), cell(i)});
  }
  results.tables[kind.name] = std::move(table);
  if (transfers > most_rows)
    results.notes.push_back(
        fmt::format("the table of {} has the first {} only", kind.name, most_rows));
}

}  // namespace

void report_steps(const Untimed& untimed, const Schedule& schedule, const Topology& topology,
                  const RoutingFunction& routing, Results& results) {
  results.add("steps", untimed.steps, "");
  if (untimed.barrier_steps > 0) results.add("steps.barrier", untimed.barrier_steps, "");
  if (untimed.least_steps > 0) results.add("steps.least", untimed.least_steps, "");
  results.add("steps.contentions", static_cast<double>(untimed.contentions.size()), "");
  if (untimed.way_steps.empty()) {
    results.add("steps.class_contentions", static_cast<double>(untimed.class_contentions.size()),
                "");
    if (const auto overlapping = overlapping_steps(schedule, topology, routing))
      results.add("steps.overlapping", static_cast<double>(overlapping->size()), "");
  }
  std::set<int> contending;
  for (const Contention& contention : untimed.contentions)
    contending.insert({contention.first, contention.second});
  results.add("steps.contending", static_cast<double>(contending.size()), "");
  const auto greatest = std::max_element(untimed.step_load.begin(), untimed.step_load.end());
  results.add("steps.greatest_load", greatest == untimed.step_load.end() ? 0 : *greatest, "");
  results.add("steps.mean_path", untimed.mean_path, "channel");
  results.add("steps.traffic", static_cast<double>(untimed.traffic), "channel");
  const std::vector<int>& ways = untimed.way_steps;
  if (!ways.empty())
    results.add("steps.depth", *std::max_element(ways.begin(), ways.end()), "channel");
  Table table{{"step", "transfers", "greatest_channel_load"}, {}};
  for (std::size_t i = 0; i < untimed.transfers_per_step.size(); ++i)
    table.rows.push_back({std::to_string(i + 1), std::to_string(untimed.transfers_per_step[i]),
                          std::to_string(untimed.step_load[i])});
  results.tables["steps"] = std::move(table);
}

void report_straight_load(const Plan& plan, Results& results) {
  const auto load = straight_load(plan.schedule->demand(), *plan.topology, *plan.routing);
  if (load && !load->empty())
    results.add("bound.messages",
                static_cast<double>(*std::max_element(load->begin(), load->end())), "message");
  report_array_area(plan.schedule->demand(), results);
}

void report_array_area(const Demand& demand, Results& results) {
  if (!demand.array) return;
  results.add("array.rows", demand.array->assignment.rows.sources(), "");
  results.add("array.columns", demand.array->assignment.columns.sources(), "");
}

void report_ways(const Untimed& untimed, const Schedule& schedule, const Topology& topology,
                 Results& results) {
  const std::vector<int>& steps = untimed.way_steps;
  if (!steps.empty())
    report_each(
        {"ways", "steps"}, schedule, topology,
        [&](std::size_t i) { return steps[i] < 0 ? "" : std::to_string(steps[i]); }, results);
}

Results untimed_results(const Job& job, const Plan& plan,
                        const std::function<bool()>& interrupted) {
  if (job.top.draws > 1) {
    Results drawn = evaluate_draws(job, plan, interrupted,
                                   [&](int draw) { return results_of_draw(job, plan, draw); });
    if (job.faults) report_faults(plan, drawn);
    return drawn;
  }
  const Demand& demand = plan.schedule->demand();
  Results results = judgement_of(demand, *plan.untimed, *plan.schedule, plan);
  results.notes = plan.notes();
  if (plan.compared)
    add_excess(judgement_of(demand, plan.compared->untimed, plan.compared->schedule, plan),
               results);
  const auto step = [&plan](std::size_t i) {
    return std::to_string(plan.schedule->transfer(static_cast<int>(i)).step);
  };
  report_each({"transfers", "step"}, *plan.schedule, *plan.topology, step, results);
  report_ways(*plan.untimed, *plan.schedule, *plan.topology, results);
  report_straight_load(plan, results);
  if (job.faults) {
    FaultReport report(plan);
    report.given_up_untimed();
    report.report(results);
  }
  if (const std::size_t transfers = plan.untimed->never_sent.size(); transfers > 0)
    results.notes.push_back(never_sent_note(static_cast<std::int64_t>(transfers)));
  if (plan.schedule->formula()) report_formula(*plan.schedule, PredictedMachine::of(job), results);
  return results;
}

}  // namespace flitwave
