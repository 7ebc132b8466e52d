// testbenches/job/plan/plan_relays.cpp: see plan_relays.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan/plan_relays.hpp"

#include "algorithms/cube_multicast/cube_schedule.hpp"
#include "algorithms/cube_multicast/relay/relay_dependencies.hpp"
#include "routers/relay/relay_model.hpp"

namespace flitwave {

namespace {

/// The messages of the job with their destination lists.
RelayLoad load_of(const Job& job, const Schedule* schedule) {
  RelayLoad load;
  load.unicasts = job.traffic || job.trace || job.requests || job.transactions;
  if (!schedule) return load;
  const int transfers = static_cast<int>(schedule->transfers().size());
  for (int i = 0; i < transfers;) {
    load.messages.push_back({address_of(schedule->transfer(i).from), {}});
    for (const int end = i + schedule->receivers_of(i); i < end; ++i)
      load.messages.back().destinations.push_back(address_of(schedule->transfer(i).to));
  }
  return load;
}

}  // namespace

void plan_relays(const Job& job, Plan& plan) {
  const RelayModel* const relay = relay_model(plan.router);
  if (!relay) return;
  const Cube cube(plan.topology->grid()->dimensions());
  plan.relayed.emplace(*plan.topology, job.router.kind(), relay->rules(cube, job.top.seed));
}

void check_relayed_observers(const Job& job, const Plan& plan) {
  if (!plan.relayed) return;
  const auto reject = [&job](const std::string& kind, const std::string& problem) {
    throw error_at(job, "observe", kind + problem, "leave " + kind + " out");
  };
  for (const auto& observer : job.observers) {
    if (!plan.concerns(observer.traits())) continue;
    if (observer.traits().from_injection)
      reject(observer.kind(),
             " follows a packet from its injection; an injected message of these routers "
             "carries packets for several destinations");
    if (observer.traits().stalls)
      reject(observer.kind(), " observes waiting heads, which these routers do not report");
  }
}

DependencyReport check_relayed_dependencies(const Job& job, const Plan& plan) {
  RelayLoad load = load_of(job, plan.schedule ? &*plan.schedule : nullptr);
  // Faults that occur later may change the routes of messages.
  const std::vector<Cycle> onsets = plan.topology->faults().onsets();
  if (!onsets.empty() && onsets.back() > 0) load.unicasts = true;
  return check_relays(*plan.relayed, relay_model(plan.router)->hop_classes, load);
}

}  // namespace flitwave
