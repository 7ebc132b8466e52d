// tools/commands/report.hpp: results as a person reads them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/job/results/results.hpp"
#include "testbenches/run/expectations.hpp"

namespace flitwave {

/// How a run ended, in words: "complete", "deadlock", ...
std::string outcome_text(Outcome outcome);

/// The metrics with their units, a group per subject, e.g. all of latency.
std::string metrics_text(const std::vector<Metric>& metrics);

/// Expected against found, a line each, and whether it holds.
std::string judgements_text(const std::vector<Judgement>& judgements);

/// A number for reading: whole where it is whole, else with some digits.
std::string short_number(double value);

}  // namespace flitwave
