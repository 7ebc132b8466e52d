// testbenches/job/plan/plan_faults.cpp: see plan_faults.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan/plan_faults.hpp"

#include <fmt/format.h>

#include "algorithms/demand.hpp"
#include "testbenches/job/plan/judged_schedule.hpp"
#include "topologies/faults/random_faults.hpp"

namespace flitwave {

namespace {

/// The nodes that random faults exclude.
std::vector<NodeId> named_nodes(const Job& job, const Topology& topology) {
  if (!job.operation) return {};
  return draw_demand(job, topology).named;
}

void add_random_faults(const Job& job, Plan& plan) {
  const RandomFaultParams& requested = job.faults->random;
  if (requested.count() == 0) return;
  const FaultSet listed = plan.topology->faults();
  RandomFaults wanted{requested.nodes, requested.links, named_nodes(job, *plan.topology),
                      job.faults->condition == FaultCondition::error};
  try {
    Random random(job.top.seed, "faults");
    plan.topology->set_faults(draw_faults(*plan.topology, listed, wanted, random));
    if (requested.draws == 1) return;
    wanted.spared.clear();  // the share is a property of the network and not of the load
    Random others(job.top.seed, "fault draws");
    plan.valid_faults = static_cast<double>(count_valid_draws(*plan.topology, listed, wanted,
                                                              requested.draws, others)) /
                        requested.draws;
  } catch (const ConfigError& error) {
    throw error_at(job, error.key(), error.problem(), error.remedy());
  }
}

/// At least one node must be fault-free, whatever the condition.
void check_some_node_works(const Job& job, const Plan& plan) {
  if (working_nodes(*plan.topology).empty())
    throw error_at(job, "faults", "all nodes are faulty from the start",
                   "leave at least one node fault-free");
}

void check_condition(const Job& job, Plan& plan) {
  try {
    require_valid_faults(*plan.topology, plan.topology->faults());
  } catch (const ConfigError& error) {
    if (job.faults->condition == FaultCondition::error)
      throw error_at(job, error.key(), error.problem(), error.remedy());
    if (!plan.valid_faults) plan.warnings.push_back("faults: " + error.problem());
  }
}

void check_later(const Job& job) {
  for (const LaterFaults& later : job.faults->later)
    if (later.nodes.empty() && later.links.empty())
      throw error_at(job, "faults.later",
                     fmt::format("no node or link is listed that becomes faulty in cycle {}",
                                 later.onset.count),
                     "list nodes or links beside the onset, or leave it out");
}

void check_sources(const Job& job) {
  for (const char* load : {"trace", "requests"})
    if (const ConfigNode* section = job.written.find(load))
      throw section->error("this load does not support faults",
                           "leave out `faults`, or send by `traffic`, or by an operation, e.g. "
                           "`multicasts`");
  if (!job.traffic || job.traffic->rate.flits_per_node_cycle == 0) return;
  for (const LaterFaults& later : job.faults->later)
    if (!later.nodes.empty())
      throw error_at(job, "faults.later",
                     "`traffic` supports only nodes that are faulty from the start; one "
                     "that becomes faulty later would continue to send",
                     "list the nodes under faults.nodes, or send by an operation, e.g. "
                     "`multicasts`");
}

}  // namespace

void plan_faults(const Job& job, Plan& plan) {
  if (!job.faults) return;
  check_later(job);
  check_sources(job);
  plan.topology->set_faults(listed_faults(*job.faults, *plan.topology));
  check_some_node_works(job, plan);  // before named_nodes builds the operation
  add_random_faults(job, plan);
  check_some_node_works(job, plan);
  check_condition(job, plan);
}

}  // namespace flitwave
