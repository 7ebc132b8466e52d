// tools/commands/check.cpp: flitwave check: checks and figures of a job without simulating it.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "algorithms/untimed/overlapping_steps.hpp"
#include "algorithms/untimed/straight_load.hpp"
#include "configs/quantity.hpp"
#include "testbenches/experiments/experiment.hpp"
#include "testbenches/run/testbench/testbench.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/job_file.hpp"
#include "tools/commands/progress_line.hpp"
#include "tools/commands/report.hpp"
#include "topologies/measures/measures.hpp"

namespace flitwave {

namespace {

template <class Things>
std::string counted_all(const Things& things, const char* thing) {
  return counted(static_cast<std::int64_t>(things.size()), thing);
}

void print_network(const Job& job, const Measures& measures) {
  fmt::print("network: {}, {} nodes, {} channels\n", job.topology.kind(), measures.nodes,
             measures.channels);
  fmt::print("  diameter {}, mean distance {}, connectivity {}, bisection {}\n", measures.diameter,
             short_number(measures.mean_distance), measures.connectivity,
             to_string(measures.bisection));
}

void print_routing(const Job& job, const Plan& plan) {
  const int classes = plan.routing->vc_classes();
  fmt::print("routing: {}, {} of virtual channels\n", job.routing.kind(),
             classes == 1 ? "one class" : fmt::format("{} classes", classes));
  const std::string routing = plan.dependencies->text(*plan.topology);
  if (plan.protocol_cycle)
    fmt::print("  cyclic between requests and replies: {}\n  {} for either alone\n",
               *plan.protocol_cycle, routing);
  else
    fmt::print("  {}\n", routing);
  fmt::print("  {} dependencies between channels\n", plan.dependencies->dependencies);
}

void print_offered_bound(const OfferedBound& bound) {
  fmt::print("load: {} is the busiest, with {} flit/cycle for each flit/cycle that a node offers\n",
             bound.channel, short_number(bound.load));
  fmt::print("  greatest rate that it carries: {} flit/node/cycle\n", short_number(bound.rate()));
}

/// The load of the messages on channels if each is sent directly, where each delivery is one
/// message. Only a simulated network has flits.
void print_straight_load(const Job& job, const Plan& plan) {
  const Demand& demand = plan.schedule->demand();
  const auto load = straight_load(demand, *plan.topology, *plan.routing);
  if (!load || load->empty()) return;
  const std::int64_t most = *std::max_element(load->begin(), load->end());
  if (most == 0) return;
  constexpr std::size_t shown = 3;
  std::vector<std::string> names;
  std::size_t all = 0;
  for (std::size_t i = 0; i < load->size(); ++i) {
    if ((*load)[i] != most) continue;
    if (++all <= shown) names.push_back(plan.topology->label(ChannelId(static_cast<int>(i))));
  }
  fmt::print("  lower bound: {} of one-to-one messages, the most on a channel: {}{}\n",
             counted(most, "step"), fmt::join(names, ", "),
             all > shown ? fmt::format(" and {} more", all - shown) : "");
  if (!plan.format || !job.is_clocked()) return;
  const auto flits =
      straight_load(demand, *plan.topology, *plan.routing, [&plan](const Delivery& delivery) {
        const std::vector<std::int64_t> packets = plan.format->packets(delivery.size);
        return std::accumulate(packets.begin(), packets.end(), std::int64_t{0});
      });
  if (flits && !flits->empty())
    fmt::print("  lower bound: {} of their flits, the most on a channel\n",
               counted(*std::max_element(flits->begin(), flits->end()), "cycle"));
}

/// For each step, whether all its transfers are signals of a barrier.
std::vector<bool> steps_of_signals(const Schedule& schedule) {
  std::vector<bool> signals(index(schedule.steps()), schedule.barrier_steps() > 0);
  for (const Transfer& transfer : schedule.transfers())
    if (!schedule.is_signal(transfer)) signals[index(transfer.step) - 1] = false;
  return signals;
}

/// Contention within steps.
void print_contentions(const Plan& plan) {
  const Untimed& untimed = *plan.untimed;
  if (untimed.contentions.empty()) {
    fmt::print("  no contention within a step{}\n",
               untimed.barrier_steps > 0 ? ", except those of barriers" : "");
    return;
  }
  constexpr std::size_t shown = 5;
  fmt::print("  {} two transfers of a step need one channel\n",
             untimed.contentions.size() == 1 ? "once" : counted_all(untimed.contentions, "time"));
  for (std::size_t i = 0; i < std::min(shown, untimed.contentions.size()); ++i) {
    const Contention& contention = untimed.contentions[i];
    const auto way = [&](int number) {
      const Transfer& transfer = plan.schedule->transfers()[index(number)];
      return plan.topology->label(transfer.from) + " to " + plan.topology->label(transfer.to);
    };
    fmt::print("    step {}, channel {}: {}, and {}\n", contention.step,
               plan.topology->label(contention.channel), way(contention.first),
               way(contention.second));
  }
  if (plan.routing->vc_classes() == 1 || !untimed.way_steps.empty()) return;
  const std::size_t met = untimed.class_contentions.size();
  fmt::print("  in a class of virtual channels: {}\n",
             met == 0 ? "never" : counted_all(untimed.class_contentions, "time"));
}

void print_schedule(const Job& job, const Plan& plan) {
  const Untimed& untimed = *plan.untimed;
  fmt::print("schedule: {} by {}, {} in {}, {} channel{} each on average\n", job.operation->kind(),
             job.algorithm->kind(), counted_all(plan.schedule->transfers(), "transfer"),
             counted(untimed.steps, "step"), short_number(untimed.mean_path),
             untimed.mean_path == 1 ? "" : "s");
  if (!plan.schedule->remark().empty()) fmt::print("  {}\n", plan.schedule->remark());
  for (const std::string& line : plan.schedule->details().lines) fmt::print("    {}\n", line);
  if (untimed.barrier_steps > 0)
    fmt::print("  of these {} of barriers of messages\n", counted(untimed.barrier_steps, "step"));
  print_straight_load(job, plan);
  const std::vector<bool> signals = steps_of_signals(*plan.schedule);
  for (std::size_t i = 0; i < untimed.transfers_per_step.size(); ++i)
    fmt::print("  step {}: {}, at most {} on a channel{}\n", i + 1,
               counted(untimed.transfers_per_step[i], "transfer"), untimed.step_load[i],
               signals[i] ? ", of a barrier" : "");
  print_contentions(plan);
  if (!untimed.way_steps.empty()) return;
  const auto overlapping = overlapping_steps(*plan.schedule, *plan.topology, *plan.routing);
  if (overlapping && !overlapping->empty())
    fmt::print(
        "  at {} a transfer shares a class of virtual channels with one of another step of its "
        "message that may overlap in time\n",
        counted_all(*overlapping, "place"));
}

/// A typical packet length of the job: that of its traffic or requests, or its first packet; of
/// devices that of a load.
std::int64_t typical_flits(const Job& job, const Plan& plan) {
  if (job.traffic) return job.traffic->packet.count;
  if (job.requests) return job.requests->request.count;
  if (plan.trace) return plan.trace->packets().front().flits;
  if (!plan.schedule) return plan.format->packets(job.transactions->command).front();
  const Transfer& first = plan.schedule->transfers().front();
  return plan.format->packets(first.size, first.addresses).front();
}

void print_closed_form(const Job& job, const Plan& plan, const Measures& measures) {
  if (!plan.closed_form) {
    fmt::print("closed form: none, because the routers differ or have none\n");
    return;
  }
  const ClosedForm& form = *plan.closed_form;
  fmt::print("closed form:\n");
  if (plan.router.switching != Switching::circuit)
    fmt::print("  round trip of a buffer slot: {}\n", counted(form.round_trip(), "cycle"));
  fmt::print("  peak rate: {} flit/cycle of a virtual channel, {} of a channel\n",
             short_number(form.vc_rate()), short_number(form.channel_rate()));
  if (plan.schedule && plan.schedule->transfers().empty()) return;
  const int hops = std::max(1, static_cast<int>(std::lround(measures.mean_distance)));
  const std::int64_t flits = typical_flits(job, plan);
  fmt::print(
      "  zero load: {} for a packet of {} over {}, the mean distance; {} over the diameter\n",
      counted(form.packet_latency(hops, flits), "cycle"), counted(flits, "flit"),
      counted(hops, "channel"), form.packet_latency(std::max(1, measures.diameter), flits));
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) fmt::print("warning: {}\n", warning);
}

int check_experiment(const Scenario& scenario, const Catalog& catalog) {
  PhaseLine line(true);
  line.show("planning the points of the experiment");
  const Experiment experiment = Experiment::read(scenario, catalog);
  line.end();
  fmt::print("{}: {}, each can run\n", experiment.name(),
             counted_all(experiment.points(), "point"));
  const ConfigNode resolved = experiment.resolved();
  for (const char* section : {"sweep", "saturation"})
    if (const ConfigNode* node = resolved.find(section))
      for (const auto& [path, values] : node->entries())
        fmt::print("  {}: {}\n", path, Codec<ConfigNode>::print(values));
  print_warnings(experiment.warnings().lines(experiment.points().size()));
  return 0;
}

int check(const JobFile& file, const Catalog& catalog) {
  const Scenario scenario = load(file);
  if (is_experiment(scenario)) return check_experiment(scenario, catalog);
  const Job job = Job::read(scenario, catalog);
  PhaseLine line(true);
  const PlanProgress progress = [&line](const char* what, std::int64_t done, std::int64_t total) {
    line.show(what, done, total);
  };
  const Plan plan = Plan::make(job, Plan::Check::always, progress);
  const bool timed = job.is_clocked();
  line.show("building the modules");
  // Beyond this size, building them takes longer than everything else; `run` builds them anyway.
  if (timed && plan.topology->nodes() <= Plan::checked_nodes) check_modules(job, plan);
  line.show("measuring the topology");
  const Measures measures = measure(*plan.topology);
  line.end();
  print_network(job, measures);
  print_routing(job, plan);
  if (plan.offered_bound) print_offered_bound(*plan.offered_bound);
  if (plan.schedule) print_schedule(job, plan);
  if (timed) print_closed_form(job, plan, measures);
  print_warnings(plan.warnings);
  return 0;
}

}  // namespace

Command check_command(const Catalog& catalog) {
  const auto file = std::make_shared<JobFile>();
  return {"check",
          "check a job and print its figures without simulating it",
          any_job_options(*file),
          [file, &catalog] { return check(*file, catalog); },
          {}};
}

}  // namespace flitwave
