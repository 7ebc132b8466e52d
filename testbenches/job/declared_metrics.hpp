// testbenches/job/declared_metrics.hpp: the metrics that the kinds of a catalogue report.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/catalog.hpp"

namespace flitwave {

/// The metrics of runs, sorted by the part that reports them, then the metrics of observers.
MetricInfos declared_metrics(const Catalog& catalog);

}  // namespace flitwave
