// testbenches/job/plan/evaluation_draws.hpp: a job is evaluated several times, with other random
// choices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "testbenches/job/plan/judged_schedule.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave {

/// The results of one draw, from 0.
using EvaluateDraw = std::function<Results(int draw)>;

/// The metrics of all draws of a job as DrawnMetrics has them, and their number, `draws`. Ends at a
/// draw that is not complete, with its outcome.
///
/// `interrupted`: queried between draws, may be empty; then the results are of those before, and
/// partial.
/// Throws: ConfigError of a draw, which names it.
Results evaluate_draws(const Job& job, const Plan& plan, const std::function<bool()>& interrupted,
                       const EvaluateDraw& evaluate);

/// The job of one simulation of several: that of a draw, from 0, which has the next seed each time,
/// served by the algorithm of a section.
Job simulated_job(const Job& job, int draw, ServedBy by);

/// Does what belongs to one draw, from 0.
/// Throws: its ConfigError, which names the draw where there are several.
void in_draw(const Job& job, int draw, const std::function<void()>& work);

/// Adds how far each metric is above that of another algorithm for the same demand, as NAME.excess,
/// and their quotient as NAME.ratio, except for the number of destinations.
void add_excess(const Results& compared, Results& results);

}  // namespace flitwave
