// testbenches/fuzz/coverage.hpp: coverage of the cells by the cases that ran.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "testbenches/fuzz/case.hpp"
#include "testbenches/fuzz/compare.hpp"

namespace flitwave::fuzz {

/// Counts the cases of every cell and the cases in which packets were blocked.
class Coverage {
 public:
  void add(const Cell& cell, const Comparison& comparison);

  std::int64_t cases() const { return cases_; }
  /// The least number of cases of a cell.
  std::int64_t least() const;
  /// Share of the cases in which heads were blocked for over a tenth of their time.
  double blocked() const;
  /// Whether every cell has at least 5 cases, and at least half of them are blocked.
  bool enough() const { return least() >= 5 && blocked() >= 0.5; }

  /// A line per switching, handshake and topology: the cases with 1, 2, ... virtual channels.
  std::string table() const;
  /// The counts in a sentence.
  std::string summary() const;

 private:
  std::map<std::string, std::int64_t> counts_;  // by Cell::text
  std::int64_t cases_ = 0;
  std::int64_t blocked_ = 0;
  std::int64_t packets_ = 0;
  std::int64_t transits_ = 0;
};

}  // namespace flitwave::fuzz
