// testbenches/job/results/run_metrics.hpp: the metrics that runs report without an observer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/results/metric_info.hpp"

namespace flitwave {

/// Sorted by the part of the program that reports them.
MetricInfos run_metrics();

/// The metrics of schedules that are judged without a clock; also those of the observer `steps`.
MetricInfos steps_metrics();

}  // namespace flitwave
