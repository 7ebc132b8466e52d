// testbenches/job/evaluation.hpp: the model by which a job is evaluated.
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

/// Properties of a kind of evaluation that are known before it is used.
struct EvaluationTraits {
  /// Whether it simulates the job's network. Otherwise it evaluates the schedule of an operation;
  /// such a job has no load, wave, stop and watchdog, no faults after cycle 0, and only observers
  /// that need no clock.
  bool clocked = false;
  /// Whether it counts the time that ideal barriers take.
  bool counts_barriers = false;
  /// Metrics that no other kind reports.
  MetricInfos metrics{};
};

/// The evaluation of a job: results, each time that it is called.
using Evaluation = std::function<Results(const SimulateOptions&)>;

/// Kinds of evaluation: parameters, a job and its plan, which must outlive it -> an evaluation of
/// them. One of a job with several `draws` gives the metrics of all of them (evaluate_draws), and
/// with `compare` those beside another algorithm.
/// Throws: ConfigError, located, when the job has a setting that the model does not support.
using Evaluations = Registry<Evaluation(const Job&, const Plan&), EvaluationTraits>;

}  // namespace flitwave
