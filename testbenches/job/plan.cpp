// testbenches/job/plan.cpp: see plan.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "algorithms/deadlock/message_classes.hpp"
#include "algorithms/working_traffic.hpp"
#include "testbenches/job/evaluation_draws.hpp"
#include "testbenches/job/judged_schedule.hpp"
#include "testbenches/job/plan_faults.hpp"
#include "testbenches/job/plan_relays.hpp"
#include "testbenches/job/plan_routers.hpp"
#include "testbenches/job/results/stability.hpp"

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

/// What a transfer waits for at a barrier without messages, or before its node begins, is no other
/// transfer.
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

/// What is proved for some routing need not hold under another.
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

/// Barriers that the job asks for, and that nothing meets.
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

/// Messages as the packets that they are cut into.
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
  if (job.is_clocked()) check_messages(job, plan);
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

/// More than the busiest channel carries piles up, however deep the buffers are.
void check_offered(const Job& job, Plan::Check check, Plan& plan) {
  if (!job.traffic || !job.is_clocked()) return;
  if (plan.router.share) return;  // a medium or routers decide, no routing
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

/// Formulas take times as they are written.
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

/// Open-loop packets have no software at their ends.
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

/// The directions that messages of the job's algorithms name.
std::vector<Direction> directions_of(const Plan& plan) {
  std::set<Direction> directions;
  for (const Schedule* schedule : {plan.schedule ? &*plan.schedule : nullptr,
                                   plan.compared ? &plan.compared->schedule : nullptr})
    if (schedule)
      for (const Direction direction : directions_of(*schedule)) directions.insert(direction);
  return {directions.begin(), directions.end()};
}

/// Of what the routers accept.
std::string remedy_of_protocol(const Job& job, const Plan& plan) {
  NetworkFacts facts = network_facts(job, plan);
  facts.allow_deadlock = true;
  const char* or_allow = is_accepted(facts) ? ", or allow_deadlock: true" : "";
  facts.allow_deadlock = false;
  facts.message_classes = 2;
  return std::string(is_accepted(facts) ? "set requests.message_classes: 2, or reply_queue: 0"
                                        : "set requests.reply_queue: 0") +
         or_allow;
}

/// Nodes that send or receive: of a collective alone, whose schedule may keep both apart.
void check_half_duplex(const Job& job, Plan& plan) {
  if (job.node.ejection != Ejection::half_duplex) return;
  if (job.measurement)
    throw error_at(job, "node.ejection", "half-duplex nodes support collectives only",
                   "leave out ejection: half_duplex, or the load");
  if (job.channel.handshake == Handshake::request)
    throw error_at(
        job, "node.ejection",
        "nodes send and receive at the same time where messages are requested and acknowledged",
        "leave out ejection: half_duplex, or set channel.handshake to credit");
  plan.half_duplex = true;
  if (!job.is_clocked()) return;
  plan.warnings.emplace_back(
      "half-duplex nodes that send to each other can be deadlocked; the dependency check is of "
      "the network alone");
}

/// A processor that takes one message after the other may never come to sending.
void check_starvation(const Job& job, Plan& plan) {
  if (!job.requests || !job.operation || job.written.find_path("stop.limit")) return;
  if (job.node.overhead != Overhead::serialized ||
      job.node.receive_overhead.rounded(job.clock.period) == 0)
    return;
  plan.warnings.emplace_back(
      "node.receive_overhead: processors serve arrived messages before they send, so that requests "
      "may delay the collective without end; set stop.limit");
}

/// Requests that wait for replies at an interface, and replies that wait for requests on the way:
/// on shared virtual channels that is a cycle between any two nodes.
void check_protocol(const Job& job, Plan& plan) {
  if (!job.requests || job.requests->reply_queue == 0 || job.requests->message_classes > 1) return;
  plan.protocol_cycle = protocol_cycle(*plan.topology, *plan.routing);
  const std::string problem =
      "requests and replies share virtual channels, and an interface accepts no request while its "
      "replies are blocked: " +
      *plan.protocol_cycle;
  if (!job.top.allow_deadlock)
    throw error_at(job, "requests.reply_queue", problem, remedy_of_protocol(job, plan));
  plan.warnings.push_back("possible deadlock: " + problem);
}

/// Needs: the plan's dependencies, which are cyclic.
std::string cyclic_dependencies(const Plan& plan) {
  return "possible deadlock: channel dependencies are " + plan.dependencies->text(*plan.topology);
}

void check_deadlock(const Job& job, Plan& plan, Plan::Check check, const PlanProgress& progress) {
  // By way of every node, or with escapes, the check takes some ten times as long.
  const bool long_check =
      plan.routing->relies_on_escape() ||
      static_cast<int>(plan.routing->all_choices().size()) > plan.topology->nodes();
  const int most = long_check ? Plan::checked_nodes / 4 : Plan::checked_nodes;
  if (check == Plan::Check::when_small && plan.topology->nodes() > most) {
    plan.warnings.push_back(
        fmt::format("the network has {} nodes: its dependency check is left to `flitwave check`",
                    plan.topology->nodes()));
    return;
  }
  const FlowControl control = flow_control(plan);
  const CheckProgress walked = [&progress](std::int64_t done, std::int64_t total) {
    if (progress) progress("checking dependencies between channels", done, total);
  };
  plan.dependencies = plan.relayed ? check_relayed_dependencies(job, plan)
                                   : check_dependencies(*plan.topology, *plan.routing, control,
                                                        directions_of(plan), walked);
  if (plan.dependencies->verdict != DependencyVerdict::cyclic) return;
  const std::string problem = cyclic_dependencies(plan);
  if (job.top.allow_deadlock) {
    plan.warnings.push_back(problem);
    return;
  }
  if (control.consumption_classes == 1)
    throw error_at(job, "router.consumption_classes", problem,
                   "set router.consumption_classes: 2, or allow_deadlock: true");
  throw error_at(job, "routing", problem,
                 plan.router.avoidance.remedy + ", or set allow_deadlock: true");
}

/// Checks the other simulations of the job. Where routers read lists of destinations, dependencies
/// follow from the messages of an algorithm, and from the ties and faults of a draw.
void check_deadlock_of_others(const Job& job, Plan& plan, Plan::Check check,
                              const PlanProgress& progress) {
  if (!plan.dependencies || !plan.relayed) return;
  bool is_cyclic = plan.dependencies->verdict == DependencyVerdict::cyclic;
  const auto check_other = [&](int draw, ServedBy by) {
    if (is_cyclic) return;  // one warning is enough
    const Job other = simulated_job(job, draw, by);
    Plan planned = Plan::make(other, Plan::Check::skip);
    check_deadlock(other, planned, check, progress);
    is_cyclic = planned.dependencies->verdict == DependencyVerdict::cyclic;
    if (is_cyclic) plan.warnings.push_back(cyclic_dependencies(planned));
  };
  for (int draw = 0; draw < job.top.draws; ++draw)
    in_draw(job, draw, [&] {
      if (draw > 0) check_other(draw, ServedBy::algorithm);
      if (job.compare) check_other(draw, ServedBy::compare);
    });
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
  if (job.requests && job.requests->message_classes > 1)
    plan.routing =
        std::make_unique<MessageClasses>(std::move(plan.routing), job.requests->message_classes);
  place_routers(job, plan);
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
  check_vcs(job, plan);  // after what may need another topology
  check_packets(job, plan);
  check_relayed_observers(job, plan);
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
  job.evaluation.build(job, plan);  // rejects what its model does not know
  return plan;
}

}  // namespace flitwave
