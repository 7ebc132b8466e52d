// testbenches/job/plan/plan_load.cpp: see plan_load.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan/plan_load.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algorithms/working_traffic.hpp"
#include "testbenches/job/plan/plan_routers.hpp"
#include "testbenches/job/results/stability.hpp"

namespace flitwave {

namespace {

void plan_trace(const Job& job, Plan& plan) {
  try {
    plan.trace.emplace(job.trace->file, *plan.topology, Flit::max_length);
  } catch (const ConfigError& error) {
    throw detail::located(error, job.written.at("trace"));
  }
}

void check_copies(const Job& job, const Plan& plan) {
  if (!plan.schedule->copies()) return;
  check_copying(job, plan);
  const bool on_way = plan.schedule->copies_on_way();
  if (on_way && job.node.overhead == Overhead::path_held)
    throw error_at(job, "node.overhead",
                   "path_held holds the path to one receiver; a worm has several",
                   "use overhead: serialized or overlapped");
  for (const auto& observer : job.observers)
    if (observer.traits().from_injection && plan.concerns(observer.traits()))
      throw error_at(
          job, "observe",
          observer.kind() + " follows a packet from its injection; copies are not injected",
          "leave " + observer.kind() + " out");
}

/// A transfer may wait at a barrier without messages, or for the start of its node; neither is
/// another transfer.
void check_critical_path(const Job& job, const Plan& plan) {
  const bool skewed = job.node.start_skew.rounded(job.clock.period) > 0;
  if (!skewed && !plan.schedule->has_barriers()) return;
  for (const auto& observer : job.observers)
    if (observer.traits().critical_path)
      throw error_at(
          job, "observe",
          observer.kind() + " follows a critical path of transfers; " +
              (skewed ? "random starts of nodes are" : "an ideal barrier is") + " not on it",
          skewed
              ? "leave " + observer.kind() + " out, or node.start_skew"
              : "leave " + observer.kind() + " out, or set pace: dataflow, or barrier: messages");
}

/// A property that is proved for one routing need not hold under another.
void check_steps(const Job& job, Plan& plan) {
  const std::size_t met = plan.untimed->contentions.size();
  const std::string& routing = plan.schedule->contention_free_under();
  if (routing.empty() || met == 0) return;
  plan.warnings.push_back(fmt::format(
      "algorithm: messages of one step share channels {} under this routing; those of {} share "
      "none under {}",
      met == 1 ? "once" : counted(static_cast<std::int64_t>(met), "time"), job.algorithm->kind(),
      routing));
}

void plan_pattern(const Job& job, Plan& plan) {
  plan.pattern = job.pattern->build(*plan.topology);
  try {
    plan.pattern = among_working(std::move(plan.pattern), *plan.topology);
  } catch (const ConfigError& error) {
    throw detail::located(error, job.written.at("traffic"));
  }
}

/// Barriers that the job requests, but that no node meets.
void check_barrier(const Job& job, Plan& plan) {
  const bool costs = job.top.barrier_cost.rounded(job.clock.period) > 0;
  const bool sends = job.top.barrier == BarrierKind::messages;
  const bool waits = plan.schedule->has_barriers() && plan.schedule->stages() > 1;
  if (!waits && plan.schedule->barrier_steps() == 0 && (costs || sends))
    plan.warnings.push_back(fmt::format(
        "{}: there are no barriers at dataflow pace, nor in a schedule of one step or phase",
        sends ? "barrier" : "barrier_cost"));
  else if (costs && (sends || !job.evaluation.traits().counts_barriers))
    plan.warnings.push_back(fmt::format(
        "barrier_cost: it is not counted {}",
        sends ? "beside barriers of messages" : "by evaluation: " + job.evaluation.kind()));
}

/// The head of a packet on a held path arrives before the rest has left.
void check_held_paths(const Job& job, const Plan& plan) {
  if (job.node.overhead != Overhead::path_held) return;
  for (int i = 0; i < plan.topology->nodes(); ++i)
    if (plan.model(NodeId(i)).switching == Switching::store_and_forward)
      throw error_at(job, "node.overhead",
                     "path_held sends the head of a packet ahead of the rest; the router of node " +
                         plan.topology->label(NodeId(i)) + " passes on whole packets only",
                     "use routers that pass heads on, such as wormhole, or overhead: overlapped");
}

/// Messages as the packets into which they are divided.
void check_messages(const Job& job, const Plan& plan) {
  for (const auto& [bytes, addresses] : sizes_sent(*plan.schedule)) {
    std::vector<std::int64_t> packets;
    try {
      packets = plan.format->packets(Bytes{bytes}, addresses);
    } catch (const ConfigError& error) {
      throw detail::located(error, job.written);
    }
    if (packets.size() > 1 && plan.schedule->copies_on_way())
      throw error_at(job, "packet_format.longest",
                     fmt::format("a worm that visits several nodes names them in one header; its "
                                 "message of {} would be split into {} packets",
                                 to_string(Bytes{bytes}), packets.size()),
                     "make it longer, or leave it out");
    if (job.node.overhead == Overhead::path_held && packets.front() < 2)
      throw error_at(
          job, "node.overhead",
          "path_held holds a path between a head and the rest of a packet; a message of " +
              to_string(Bytes{bytes}) + " is a single flit",
          "use longer messages, or overhead: overlapped");
  }
}

}  // namespace

void plan_load(const Job& job, Plan& plan) {
  try {
    plan.format.emplace(job.packet_format, job.channel.width);
  } catch (const ConfigError& error) {
    throw detail::located(error, job.written);
  }
  if (job.pattern) plan_pattern(job, plan);
  if (job.traffic)
    plan.injection =
        job.injection->build({job.traffic->rate.flits_per_node_cycle, job.traffic->packet.count});
  if (job.trace) plan_trace(job, plan);
  if (!job.operation) return;
  const Demand demand = draw_demand(job, *plan.topology);
  JudgedSchedule served = serve(job, demand, plan);
  plan.schedule = std::move(served.schedule);
  plan.untimed = std::move(served.untimed);
  check_copies(job, plan);
  check_critical_path(job, plan);
  if (job.compare) plan.compared.emplace(serve(job, demand, plan, ServedBy::compare));
  check_steps(job, plan);
  check_barrier(job, plan);
  if (!job.is_clocked()) return;
  check_held_paths(job, plan);
  check_messages(job, plan);
}

void check_traffic(const Job& job, Plan& plan) {
  if (!job.traffic && !job.trace) return;
  if (job.traffic && job.measurement->measure.count < shortest_trend)
    plan.warnings.push_back(
        fmt::format("traffic.measure: in fewer than {} cycles growth cannot be distinguished from "
                    "chance, so that saturation may not be detected",
                    shortest_trend));
  if (job.node.ejection == Ejection::held)
    throw error_at(job, "node.ejection",
                   "open-loop packets have no software that would release a held ejection channel",
                   "leave out ejection: held, or the open-loop load");
  const bool overheads = job.node.send_overhead.rounded(job.clock.period) > 0 ||
                         job.node.receive_overhead.rounded(job.clock.period) > 0;
  if (overheads && !job.operation)
    plan.warnings.push_back(
        "node: open-loop packets are charged neither send nor receive overhead");
}

void check_offered(const Job& job, Plan::Check check, Plan& plan) {
  if (!job.traffic || !job.is_clocked()) return;
  if (plan.router.share) return;  // a medium or the routers select paths, not the routing
  // A point of a sweep has the metrics of the same job run alone.
  const std::int64_t most_ways = std::int64_t{1} << (check == Plan::Check::always ? 22 : 18);
  if (has_more_ways(*plan.topology, *plan.routing, *plan.pattern, most_ways)) {
    plan.warnings.push_back(fmt::format(
        "traffic.rate: the load of the busiest channel is not computed, since packets have more "
        "than {} paths{}",
        most_ways, check == Plan::Check::always ? "" : "; `flitwave check` follows more"));
    return;
  }
  plan.offered_bound = offered_bound(*plan.topology, *plan.routing, *plan.pattern, job.node.ports);
  const double rate = job.traffic->rate.flits_per_node_cycle;
  if (!plan.offered_bound || rate <= plan.offered_bound->rate()) return;
  plan.warnings.push_back(fmt::format(
      "traffic.rate: {} is more than the {:.4g} at which {} carries a flit in every cycle",
      to_string(job.traffic->rate), plan.offered_bound->rate(), plan.offered_bound->channel));
}

void check_starvation(const Job& job, Plan& plan) {
  if (!job.requests || !job.operation || job.written.find_path("stop.limit")) return;
  if (job.node.overhead != Overhead::serialized ||
      job.node.receive_overhead.rounded(job.clock.period) == 0)
    return;
  plan.warnings.emplace_back(
      "node.receive_overhead: processors serve arrived messages before they send, so that requests "
      "may delay the collective without end; set stop.limit");
}

}  // namespace flitwave
