// testbenches/job/plan/judged_schedule.hpp: a demand is drawn, served by a schedule, and that is
// judged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "algorithms/untimed/untimed.hpp"
#include "testbenches/job/job.hpp"

namespace flitwave {

struct Plan;

/// A schedule, and what it is on the graph.
struct JudgedSchedule {
  Schedule schedule;
  Untimed untimed;
};

/// What the job's operation asks for; each `draw`, from 0, has random choices of its own.
/// Needs: a job with an operation.
/// Throws: ConfigError, located.
Demand draw_demand(const Job& job, const Topology& topology, int draw = 0);

/// A section of a job that has a collective.
enum class ServedBy { algorithm, compare };

/// Serves a demand by the collective of a section, which the job has.
/// Needs: the plan's topology, routing and routers
/// Throws: ConfigError, located, when it does not serve it.
JudgedSchedule serve(const Job& job, const Demand& demand, const Plan& plan,
                     ServedBy by = ServedBy::algorithm);

}  // namespace flitwave
