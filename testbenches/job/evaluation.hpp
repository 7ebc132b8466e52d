// testbenches/job/evaluation.hpp: by which model a job is evaluated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "configs/registry.hpp"
#include "testbenches/job/results/metric_info.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave {

struct Job;
struct Plan;
struct SimulateOptions;

/// What is known of a kind of evaluation before it is used.
struct EvaluationTraits {
  /// Whether it simulates the job's network. Otherwise it evaluates the schedule of an operation:
  /// jobs have no load, wave, stop and watchdog then, no faults that occur later, and only
  /// observers that need no clock.
  bool clocked = false;
  /// Whether it counts what ideal barriers take.
  bool counts_barriers = false;
  /// What it reports and others do not.
  MetricInfos metrics{};
};

/// The evaluation of a job: results, each time that it is called.
using Evaluation = std::function<Results(const SimulateOptions&)>;

/// Kinds of evaluation: parameters, a job and its plan, which must outlive it -> an evaluation of
/// them. One of a job with several `draws` gives the metrics of all of them (evaluate_draws), and
/// with `compare` those beside another algorithm.
/// Throws: ConfigError, located, when the job has something that the model does not know.
using Evaluations = Registry<Evaluation(const Job&, const Plan&), EvaluationTraits>;

}  // namespace flitwave
