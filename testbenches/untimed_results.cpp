// testbenches/untimed_results.cpp: see untimed_results.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/untimed_results.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "flitwave/testbenches/draws.hpp"
#include "flitwave/testbenches/fault_report.hpp"
#include "flitwave/testbenches/judged_schedule.hpp"
#include "flitwave/testbenches/prediction.hpp"

namespace flitwave {

namespace {

/// One drawing.
Results judgement_of(const Demand& demand, const Untimed& untimed) {
  Results results;
  double destinations = 0;
  for (const Delivery& delivery : demand.deliveries)
    destinations += static_cast<double>(delivery.destinations.size());
  double transfers = 0;
  for (int of_step : untimed.transfers_per_step) transfers += of_step;
  results.add("destinations", destinations, "");
  results.add("transfers", transfers, "");
  report_steps(untimed, results);
  return results;
}

/// The metrics of a drawing, and how far they are above those of another algorithm, if there is
/// one.
std::vector<Metric> metrics_of(const Demand& demand, const Untimed& untimed,
                               const Untimed* compared) {
  Results results = judgement_of(demand, untimed);
  if (!compared) return results.metrics;
  const Results other = judgement_of(demand, *compared);
  const std::vector<Metric> own = results.metrics;
  for (const Metric& metric : own)
    if (metric.name != "destinations" && other.has(metric.name))
      results.add(metric.name + ".excess", metric.value - other.value(metric.name), metric.unit);
  return results.metrics;
}

std::vector<Metric> metrics_of_draw(const Job& job, const Plan& plan, int draw) {
  try {
    const Demand demand = draw_demand(job, *plan.topology, draw);
    const auto judged = [&](ServedBy by) { return serve(job, demand, plan, by).untimed; };
    const Untimed own = judged(ServedBy::algorithm);
    const std::optional<Untimed> other =
        job.compare ? std::optional(judged(ServedBy::compare)) : std::nullopt;
    std::vector<Metric> metrics = metrics_of(demand, own, other ? &*other : nullptr);
    if (job.faults)
      metrics.push_back({"faults.unreachable",
                         static_cast<double>(own.unreached.size() + own.given_up.size()), ""});
    return metrics;
  } catch (const ConfigError& error) {
    throw ConfigError(
        error.place(), error.key(),
        fmt::format("{} (at draw {} of {})", error.problem(), draw + 1, job.top.draws),
        error.remedy());
  }
}

Results results_of_draws(const Job& job, const Plan& plan,
                         const std::function<bool()>& interrupted) {
  Results results;
  results.notes = plan.warnings;
  DrawnMetrics drawn;
  int draw = 0;
  for (; draw < job.top.draws; ++draw) {
    if (draw > 0 && interrupted && interrupted()) {
      results.outcome = Outcome::partial;
      results.message = fmt::format("interrupted after {} of {} draws", draw, job.top.draws);
      break;
    }
    drawn.add(metrics_of_draw(job, plan, draw));
  }
  results.add("draws", draw, "");
  drawn.report(results);
  if (job.faults) report_faults(plan, results);
  return results;
}

/// A table, and its last column.
struct TableOfTransfers {
  const char* name;
  const char* column;
};

/// Adds the table with a row for each transfer; `cell`: what its last column has.
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

void report_steps(const Untimed& untimed, Results& results) {
  results.add("steps", untimed.steps, "");
  if (untimed.least_steps > 0) results.add("steps.least", untimed.least_steps, "");
  results.add("steps.contentions", static_cast<double>(untimed.contentions.size()), "");
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
  if (job.top.draws > 1) return results_of_draws(job, plan, interrupted);
  const Demand& demand = plan.schedule->demand();
  Results results = judgement_of(demand, *plan.untimed);
  results.notes = plan.warnings;
  results.metrics = metrics_of(demand, *plan.untimed, plan.compared ? &*plan.compared : nullptr);
  const auto step = [&plan](std::size_t i) {
    return std::to_string(plan.schedule->transfer(static_cast<int>(i)).step);
  };
  report_each({"transfers", "step"}, *plan.schedule, *plan.topology, step, results);
  report_ways(*plan.untimed, *plan.schedule, *plan.topology, results);
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
