// testbenches/job/plan/evaluation_draws.hpp: evaluates a job several times, each time with other
// random choices.
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

/// The metrics of all draws of a job as DrawnMetrics reports them, and their number, `draws`. Ends
/// at a draw that is not complete, with the outcome of this draw.
///
/// `interrupted`: queried between draws, may be empty; once it returns true, the results are those
/// of the draws before, and partial.
/// Throws: the ConfigError of a draw, with the number of the draw.
Results evaluate_draws(const Job& job, const Plan& plan, const std::function<bool()>& interrupted,
                       const EvaluateDraw& evaluate);

/// The job of one simulation of several: of a draw, from 0, and of the section whose algorithm
/// serves it. Each draw has the seed after that of the draw before.
Job simulated_job(const Job& job, int draw, ServedBy by);

/// Runs `work`, which belongs to one draw, from 0.
/// Throws: the ConfigError of `work`, with the number of the draw where there are several.
void in_draw(const Job& job, int draw, const std::function<void()>& work);

/// Adds how far each metric is above that of another algorithm for the same demand, as NAME.excess,
/// and their quotient as NAME.ratio, except for the number of destinations.
void add_excess(const Results& compared, Results& results);

}  // namespace flitwave
