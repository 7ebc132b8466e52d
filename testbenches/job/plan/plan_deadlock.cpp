// testbenches/job/plan/plan_deadlock.cpp: see plan_deadlock.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan/plan_deadlock.hpp"

#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "algorithms/deadlock/message_classes.hpp"
#include "testbenches/job/plan/evaluation_draws.hpp"
#include "testbenches/job/plan/plan_relays.hpp"
#include "testbenches/job/plan/plan_routers.hpp"

namespace flitwave {

namespace {

/// The directions that messages of the job's algorithms name.
std::vector<Direction> directions_of(const Plan& plan) {
  std::set<Direction> directions;
  for (const Schedule* schedule : {plan.schedule ? &*plan.schedule : nullptr,
                                   plan.compared ? &plan.compared->schedule : nullptr})
    if (schedule)
      for (const Direction direction : directions_of(*schedule)) directions.insert(direction);
  return {directions.begin(), directions.end()};
}

/// The remedies that the routers accept.
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

/// Needs: the plan's dependencies, which are cyclic.
std::string cyclic_dependencies(const Plan& plan) {
  return "possible deadlock: channel dependencies are " + plan.dependencies->text(*plan.topology);
}

}  // namespace

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

void check_deadlock(const Job& job, Plan& plan, Plan::Check check, const PlanProgress& progress) {
  // With all nodes as intermediate nodes, or with escapes, the check takes some ten times as long.
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

}  // namespace flitwave
