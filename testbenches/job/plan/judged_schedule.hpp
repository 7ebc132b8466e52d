// testbenches/job/plan/judged_schedule.hpp: builds the demand of a job and the schedule that serves
// it, and judges the schedule.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "algorithms/untimed/untimed.hpp"
#include "testbenches/job/job.hpp"

namespace flitwave {

struct Plan;

/// A schedule and its evaluation on the graph.
struct JudgedSchedule {
  Schedule schedule;
  Untimed untimed;
};

/// The demand of the job's operation; each `draw`, from 0, has different random choices.
/// Needs: a job with an operation.
/// Throws: ConfigError, located.
Demand draw_demand(const Job& job, const Topology& topology, int draw = 0);

/// A section of a job that has a collective.
enum class ServedBy { algorithm, compare };

/// Serves a demand by the collective of a section, which the job has.
/// Needs: the plan's topology, routing and routers
/// Throws: ConfigError, located, when it does not serve the demand.
JudgedSchedule serve(const Job& job, const Demand& demand, const Plan& plan,
                     ServedBy by = ServedBy::algorithm);

}  // namespace flitwave
