// testbenches/job/declared_metrics.hpp: what metrics the kinds of a catalogue report.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/catalog.hpp"

namespace flitwave {

/// Those of runs, sorted by what reports them, then those of observers.
MetricInfos declared_metrics(const Catalog& catalog);

}  // namespace flitwave
