// testbenches/run/expectations.hpp: what a job expects of its results, and whether that holds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbenches/job/job.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave {

/// An expectation beside what was found.
struct Judgement {
  Expectation expectation;
  std::optional<double> found;  ///< None when the run has no such metric.
  std::string unit;             ///< Of what was found.
  std::string remedy;           ///< When there is no such metric: those there are.

  bool holds() const;
  std::string expected_text() const;  ///< "4", "3.9 .. 4.1"
  std::string found_text() const;     ///< "5 cycle", "no such metric"
  /// "job.yaml:9:3: expect.steps: expected 4, found 5"
  std::string text() const;
};

/// Judges a run that came to its end; one that was broken off is held against nothing. A complete
/// run that misses an expectation becomes a failed one, and its message says which.
std::vector<Judgement> judge(const std::vector<Expectation>& expectations, Results& results);

}  // namespace flitwave
