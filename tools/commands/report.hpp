// tools/commands/report.hpp: results as text for a person.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/job/results/results.hpp"
#include "testbenches/run/expectations.hpp"

namespace flitwave {

/// The outcome of a run, in words: "complete", "deadlock", ...
std::string outcome_text(Outcome outcome);

/// The metrics with their units, a group per subject, e.g. all of latency.
std::string metrics_text(const std::vector<Metric>& metrics);

/// Expected and found values, a line each, and whether the expectation holds.
std::string judgements_text(const std::vector<Judgement>& judgements);

/// A number for reading: whole where it is whole, else with some digits.
std::string short_number(double value);

}  // namespace flitwave
