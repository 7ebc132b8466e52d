// testbenches/job/plan/plan.cpp: see plan.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan/plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "algorithms/deadlock/message_classes.hpp"
#include "testbenches/job/plan/plan_deadlock.hpp"
#include "testbenches/job/plan/plan_faults.hpp"
#include "testbenches/job/plan/plan_fidelity.hpp"
#include "testbenches/job/plan/plan_load.hpp"
#include "testbenches/job/plan/plan_relays.hpp"
#include "testbenches/job/plan/plan_routers.hpp"
#include "testbenches/job/plan/plan_transactions.hpp"

namespace flitwave {

namespace {

void check_vcs(const Job& job, const Plan& plan) try {
  require_vcs(*plan.routing, job.channel.vcs);
} catch (const ConfigError& error) {
  throw error_at(job, error.key(), error.problem(), error.remedy());
}

/// Credits that are counted late need credits.
void check_credit_delay(const Job& job) {
  if (job.channel.handshake == Handshake::credit) return;
  for (const auto& [section, delay] :
       {std::pair("channel", job.channel.credit_delay), std::pair("node", job.node.credit_delay)})
    if (delay.count > 0)
      throw error_at(job, std::string(section) + ".credit_delay",
                     "a credit delay needs credit flow control; channel.handshake is not credit",
                     "set channel.handshake to credit, or credit_delay to 0 cycle");
}

void check_rates(const Job& job, Plan& plan) {
  if (!plan.override_models.empty() || !plan.router.timing) return;
  plan.closed_form.emplace(*plan.router.timing, job.channel, plan.router.switching);
  if (!job.is_clocked()) return;  // no flit waits for a slot
  if (plan.router.switching != Switching::wormhole) return;
  const Cycle round_trip = plan.closed_form->round_trip();
  if (job.channel.buffer.count < round_trip)
    plan.warnings.push_back(
        fmt::format("channel.buffer: a virtual channel's buffer of {} carries at most {}/{} flit "
                    "per cycle, for "
                    "a slot's round trip is {}; {} flit is the least depth for full rate",
                    counted(job.channel.buffer.count, "flit"), job.channel.buffer.count, round_trip,
                    counted(round_trip, "cycle"), round_trip));
}

/// Formulas use times as they are in the job.
void check_rounding(const Job& job, const char* name, Delay delay, Plan& plan) {
  if (delay.in_cycles || delay.picoseconds == 0) return;
  if (!job.is_clocked()) return;
  const auto exact = static_cast<double>(delay.picoseconds);
  const double rounded = static_cast<double>(delay.rounded(job.clock.period)) *
                         static_cast<double>(job.clock.period.picoseconds);
  if (std::abs(rounded - exact) > 0.01 * exact)
    plan.warnings.push_back(fmt::format(
        "node.{}: {} is {:.4g} cycles and is rounded to {}, which is off by {:.1f} %", name,
        to_string(delay), exact / static_cast<double>(job.clock.period.picoseconds),
        delay.rounded(job.clock.period), 100 * (rounded - exact) / exact));
}

/// Of the message that takes longest to combine; of one byte when none is combined.
/// Throws: ConfigError
Delay longest_combining(const Job& job, const Plan& plan) {
  std::int64_t bytes = 1;
  if (plan.schedule)
    for (const Transfer& transfer : plan.schedule->transfers())
      bytes = std::max(bytes, transfer.combined.count);
  try {
    return job.node.combine_overhead * Bytes{bytes};
  } catch (const ConfigError& error) {
    throw error_at(job, "node.combine_overhead", error.problem(), error.remedy());
  }
}

/// Simulated time is counted in picoseconds, and its sums must not overflow.
void check_times(const Job& job, const Plan& plan) {
  const Cycle most = longest_time / job.clock.period.picoseconds;
  const auto check = [&](const std::string& path, Cycle cycles) {
    if (cycles > most)
      throw error_at(
          job, path,
          fmt::format("{} cycles of {} are longer than the {} that can be simulated", cycles,
                      to_string(job.clock.period), to_string(Duration{longest_time})),
          "shorten it, or set a shorter clock.period");
  };
  if (job.written.find_path("stop.limit"))
    check("stop.limit", job.stop.limit.rounded(job.clock.period));
  check("node.send_overhead", job.node.send_overhead.rounded(job.clock.period));
  check("barrier_cost", job.top.barrier_cost.rounded(job.clock.period));
  check("node.start_skew", job.node.start_skew.rounded(job.clock.period));
  check("node.receive_overhead", job.node.receive_overhead.rounded(job.clock.period));
  check("node.combine_overhead", longest_combining(job, plan).rounded(job.clock.period));
  if (!job.measurement) return;
  const std::string section = job.traffic ? "traffic" : job.trace ? "trace" : "requests";
  check(section + ".warmup", job.measurement->warmup.count);
  check(section + ".measure", job.measurement->measure.count);
  check(section + ".drain", job.measurement->drain.count);
}

}  // namespace

Plan Plan::make(const Job& job, Check check, const PlanProgress& progress) {
  const auto begin = [&progress](const char* what) {
    if (progress) progress(what, 0, 0);
  };
  Plan plan;
  begin("making the topology");
  plan.topology = std::make_unique<Topology>(job.topology.build());
  if (plan.topology->nodes() < 2)
    throw error_at(job, "topology", "the network has one node only, and nothing can be sent",
                   "use at least two nodes");
  plan_faults(job, plan);
  begin("making the routing");
  // [plan]
  plan.routing = job.routing.build(*plan.topology);
  if (job.message_classes() > 1)
    plan.routing = std::make_unique<MessageClasses>(std::move(plan.routing), job.message_classes());
  place_routers(job, plan);
  plan_transactions(job, plan);
  check_router_support(job, plan);
  check_router_needs(job, network_facts(job, plan));
  // [plan]
  plan_relays(job, plan);
  check_credit_delay(job);
  check_escapes(job, plan);
  check_protocol(job, plan);
  check_half_duplex(job, plan);
  check_starvation(job, plan);
  begin("planning the load");
  plan_load(job, plan);
  check_vcs(job, plan);  // after checks that may require another topology
  check_packets(job, plan);
  check_relayed_observers(job, plan);
  check_fidelity(job, plan);
  check_times(job, plan);
  check_traffic(job, plan);
  check_rates(job, plan);
  begin("adding up the load of channels");
  check_offered(job, check, plan);
  check_rounding(job, "send_overhead", job.node.send_overhead, plan);
  check_rounding(job, "receive_overhead", job.node.receive_overhead, plan);
  if (check != Check::skip) {
    check_deadlock(job, plan, check, progress);
    if (job.is_clocked()) check_deadlock_of_others(job, plan, check, progress);
  }
  job.evaluation.build(job, plan);  // rejects settings that its model does not support
  return plan;
}

}  // namespace flitwave
