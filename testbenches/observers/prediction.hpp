// testbenches/observers/prediction.hpp: a collective's formula, and the causes of its error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "testbenches/job/predicted_machine.hpp"
#include "testbenches/job/results/results.hpp"
#include "testbenches/observers/critical_path.hpp"

namespace flitwave {

/// Adds the values of a schedule's formula: model.startup_us, model.per_byte_us, model.tau and, for
/// the length of its message, model.max_us. Needs: a schedule with a formula
void report_formula(const Schedule& schedule, const PredictedMachine& machine, Results& results);

/// The same, and if the collective has ended model.error_us and model.error: how much longer the
/// simulation took, the latter in per cent of it. Nothing without a formula.
void report_prediction(const Schedule& schedule, const PredictedMachine& machine, Results& results);

/// Why a simulation took longer than the formula: the parts of the critical path minus the
/// formula's terms for them. Unit: us
struct PredictionError {
  double overheads = 0;  ///< More, or fewer, sends and receives one after the other.
  double combining = 0;  ///< Receivers combining data.
  double rounding = 0;   ///< Overheads in whole cycles.
  double hops = 0;       ///< Path and router stages of the heads.
  double length = 0;     ///< Lengths of messages: headers, whole flits, whole parts.
  double blocked = 0;    ///< Waiting for channels that others held.
  double ports = 0;      ///< Waiting for a local channel that an earlier message held.

  double sum() const { return overheads + combining + rounding + hops + length + blocked + ports; }
  /// Shape: [7]
  std::vector<std::pair<std::string, double>> named() const;
};

/// The causes sum to the time of the path less that of the formula.
/// Needs: a schedule with a formula; its critical path
PredictionError explain(const Schedule& schedule, const PredictedMachine& machine,
                        const std::vector<CriticalLink>& path);

}  // namespace flitwave
