// testbenches/run/expectations.hpp: the expectations of a job, and whether its results meet them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbenches/job/job.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave {

/// An expectation with the value found.
struct Judgement {
  Expectation expectation;
  std::optional<double> found;  ///< None when the run has no such metric.
  std::string unit;             ///< Unit of the value found.
  std::string remedy;           ///< If there is no such metric: the existing ones.

  bool holds() const;
  std::string expected_text() const;  ///< "4", "3.9 .. 4.1"
  std::string found_text() const;     ///< "5 cycle", "no such metric"
  /// "job.yaml:9:3: expect.steps: expected 4, found 5"
  std::string text() const;
};

/// Judges a run that ended regularly; an interrupted run is not judged. A complete run that misses
/// an expectation becomes a failed one, and its message names the expectation.
std::vector<Judgement> judge(const std::vector<Expectation>& expectations, Results& results);

/// Whether a run that ended with these results misses an expectation.
bool misses(const std::vector<Expectation>& expectations, Results results);

}  // namespace flitwave
