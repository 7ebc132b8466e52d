// testbenches/observers/untimed_results.hpp: a schedule's figures on the graph, as results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "testbenches/job/plan/plan.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave {

/// Adds steps, steps.least (the lower bound, where one is known), steps.contentions,
/// steps.class_contentions and steps.overlapping (pairs that need one class of virtual channels,
/// within a step, and in different steps of one message that may overlap), steps.contending
/// (transfers that share a channel with another of their step), steps.greatest_load (of a channel,
/// within a step), steps.mean_path and steps.traffic (channels crossed by all messages),
/// steps.depth (channels on the longest path, where routers decide on paths), and a table of the
/// steps.
void report_steps(const Untimed& untimed, const Schedule& schedule, const Topology& topology,
                  const RoutingFunction& routing, Results& results);

/// Adds bound.messages: the most messages on one channel if each is sent directly to its
/// destination, where each delivery is one message; and what report_array_area adds.
void report_straight_load(const Plan& plan, Results& results);

/// For an array assignment, adds array.rows and array.columns: of processors that own its source.
void report_array_area(const Demand& demand, Results& results);

/// Where routers decide on the paths of messages: a table `ways` of the receivers of each message
/// and the number of channels to them, one per step; empty where a receiver receives nothing.
void report_ways(const Untimed& untimed, const Schedule& schedule, const Topology& topology,
                 Results& results);

/// The results of a job that is not simulated: destinations of all deliveries (where nothing is
/// combined no schedule crosses fewer channels), transfers, the steps, the formula, and the effects
/// of faults. For a job with several `draws` the steps of all of them, as in DrawnMetrics, and
/// neither formula nor table. With `compare` also how far each metric is above that of the other
/// algorithm on the same demand, as NAME.excess.
///
/// `interrupted`: called between draws, may be empty; if it returns true the results cover the
/// draws before, and are partial.
/// Needs: a plan with a schedule
/// Throws: ConfigError, located, naming the draw, when an algorithm does not serve one.
Results untimed_results(const Job& job, const Plan& plan,
                        const std::function<bool()>& interrupted = {});

}  // namespace flitwave
