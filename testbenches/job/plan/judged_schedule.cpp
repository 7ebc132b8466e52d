// testbenches/job/plan/judged_schedule.cpp: see judged_schedule.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan/judged_schedule.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "algorithms/pace.hpp"
#include "testbenches/job/plan/plan_routers.hpp"
#include "topologies/measures/measures.hpp"

namespace flitwave {

namespace {

/// The sums of lengths must not overflow.
void check_sizes(const Job& job, const Demand& demand) {
  std::int64_t sum = 0;
  for (const Delivery& delivery : demand.deliveries)
    if (__builtin_add_overflow(sum, delivery.size.count, &sum))
      throw error_at(job, "operation.message",
                     fmt::format("{} messages of {} are together longer than a message can be, {}",
                                 demand.deliveries.size(), to_string(delivery.size),
                                 to_string(Bytes{INT64_MAX})),
                     "use shorter messages");
}

void check_served(const Job& job, const Untimed& untimed, int ports, const std::string& section) {
  if (untimed.satisfies_demand()) return;
  const std::string fault = "the schedule does not serve the operation: " + untimed.faults.front();
  if (untimed.most_at_once > ports)
    throw error_at(job, "node.ports", fault,
                   fmt::format("use node.ports: {}, or another algorithm (`flitwave list "
                               "algorithm`)",
                               untimed.most_at_once));
  throw error_at(job, section, fault, "use another algorithm (`flitwave list algorithm`)");
}

/// No transfer of a schedule that is not simulated may cross a faulty channel.
void check_blocked(const Job& job, const JudgedSchedule& judged, const Topology& topology,
                   const std::string& section) {
  if (job.is_clocked() || judged.untimed.blocked.empty()) return;
  const auto& [number, channel] = judged.untimed.blocked.front();
  const Transfer& transfer = judged.schedule.transfer(number);
  throw error_at(job, section,
                 fmt::format("the message from node {} to node {} is sent over channel {}, which "
                             "is faulty",
                             topology.label(transfer.from), topology.label(transfer.to),
                             topology.label(channel)),
                 "use an algorithm that routes around faults, e.g. `{kind: greedy_multicast}`");
}

/// Throws: ConfigError, located.
void set_pace(const Job& job, Schedule& schedule) {
  switch (job.top.pace) {
    case PaceSetting::automatic:
      return;
    case PaceSetting::dataflow:
      return schedule.set_pace(Pace::dataflow);
    case PaceSetting::stepped:
      return schedule.set_pace(Pace::stepped);
    case PaceSetting::phased:
      break;
  }
  const auto& transfers = schedule.transfers();
  if (std::any_of(transfers.begin(), transfers.end(),
                  [](const Transfer& t) { return t.phase == 0; }))
    throw error_at(job, "pace", "the algorithm has no phases",
                   "use pace: dataflow or stepped, or algorithm: {kind: partitioned}");
  if (std::any_of(transfers.begin(), transfers.end(),
                  [&](const Transfer& t) { return schedule.release_of(t) > 0; }))
    throw error_at(job, "pace", "multicasts that are released at random times share no phases",
                   "use pace: dataflow, or an operation without release times");
  schedule.set_pace(Pace::phased);
}

/// The schedule at the pace that the job requests.
/// Throws: ConfigError, located.
Schedule paced(const Job& job, Schedule schedule) {
  set_pace(job, schedule);
  // Formulas hold for nodes that start at the same time and send as soon as possible.
  if (schedule.has_barriers() || job.node.start_skew.rounded(job.clock.period) > 0)
    schedule.set_formula({});
  if (!schedule.has_barriers()) return schedule;
  const bool stepped = schedule.pace() == Pace::stepped;
  if (stepped && schedule.demand().released())
    throw error_at(job, "pace", "deliveries that are released independently share no steps",
                   "use pace: dataflow, or an operation without release times");
  if (job.top.barrier == BarrierKind::ideal) return schedule;
  if (!stepped)
    throw error_at(job, "barrier", "a barrier of messages separates steps; the pace is phased",
                   "use barrier: ideal, or pace: stepped");
  try {
    return with_message_barriers(schedule);
  } catch (const ConfigError& error) {
    throw error_at(job, error.key(), error.problem(), error.remedy());
  }
}

/// Checks that packets name only directions that the routing supports and the network has.
/// `section`: of the algorithm that names them.
void check_directions(const Job& job, const Schedule& schedule, const RoutingFunction& routing,
                      const std::string& section) {
  for (const Direction direction : directions_of(schedule)) try {
      routing.check_direction(direction);
    } catch (const ConfigError& error) {
      if (error.key() != "direction")
        throw error_at(job, "routing." + error.key(), error.problem(), error.remedy());
      throw error_at(job, section,
                     fmt::format("its messages name the direction {}; {}",
                                 Codec<Direction>::print(direction), error.problem()),
                     "use another algorithm, or a torus with channels both ways");
    }
}

}  // namespace

Demand draw_demand(const Job& job, const Topology& topology, int draw) {
  Random random(job.top.seed, "operation", static_cast<std::uint64_t>(draw));
  Demand demand = job.operation->build(topology, random);
  demand.seed = random.bits();
  check_sizes(job, demand);
  return demand;
}

JudgedSchedule serve(const Job& job, const Demand& demand, const Plan& plan, ServedBy by) {
  const Topology& topology = *plan.topology;
  const bool compared = by == ServedBy::compare;
  const int ports = job.node.ports.of(std::max(1, greatest_degree(topology)));
  const CollectiveContext context{topology, *plan.routing, ports};
  Schedule schedule = paced(job, (compared ? job.compare : job.algorithm)->build(demand, context));
  const std::string section = compared ? "compare" : "algorithm";
  check_directions(job, schedule, *plan.routing, section);
  NetworkFacts facts = network_facts(job, plan);
  facts.schedule = &schedule;
  check_router_needs(job, facts);
  RelayedWays ways;
  if (plan.relayed)
    ways = [&plan](NodeId from, const std::vector<NodeId>& to) {
      return plan.relayed->way(from, to);
    };
  Untimed untimed = evaluate(schedule, topology, *plan.routing, ports, ways);
  check_served(job, untimed, ports, section);
  JudgedSchedule judged{std::move(schedule), std::move(untimed)};
  check_blocked(job, judged, topology, section);
  return judged;
}

}  // namespace flitwave
