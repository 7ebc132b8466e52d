// testbenches/evaluation.hpp: by which model a job is evaluated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flitwave/configs/registry.hpp"
#include "flitwave/testbenches/metric_info.hpp"
#include "flitwave/testbenches/results.hpp"

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
  /// What it reports and others do not.
  MetricInfos metrics{};
};

/// Kinds of evaluation: parameters, a job and its plan -> results. One with several `draws` gives
/// the metrics of all of them (evaluate_draws), and with `compare` those beside another algorithm.
/// Throws: ConfigError, located, when the job has something that the model does not know.
using Evaluations =
    Registry<Results(const Job&, const Plan&, const SimulateOptions&), EvaluationTraits>;

}  // namespace flitwave
