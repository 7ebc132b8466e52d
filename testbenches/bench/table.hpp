// testbenches/bench/table.hpp: tables of measurements with requirements.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "configs/scenario.hpp"

namespace flitwave::bench {

double median(std::vector<double> values);

/// Collects requirements that are not met.
class Judge {
 public:
  /// Returns: the last cell of a row.
  std::string results(const std::string& row, const std::string& difference);
  std::string bar(const std::string& row, bool reached);
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  std::vector<std::string> faults_;
};

/// A row of a table: its measurement and its output.
struct Line {
  std::string name;
  std::function<void(const std::string& name, int rounds, Judge&)> print;
};
struct BenchTable {
  std::string head;
  std::vector<Line> lines;
};

/// Two runs in turn, `rounds` times.
struct Pair {
  double first = 0;  // Unit: ms
  double second = 0;
  double ratio = 0;  // of the second to the first
};
template <class First, class Second>
Pair in_turn(int rounds, First first, Second second) {
  std::vector<double> firsts;
  std::vector<double> seconds;
  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    firsts.push_back(1e3 * first().run);
    seconds.push_back(1e3 * second().run);
    ratios.push_back(seconds.back() / std::max(firsts.back(), 1e-3));
  }
  return {median(firsts), median(seconds), median(ratios)};
}

/// A mesh under uniform load: 4-flit packets, buffers of 4 flits, two cycles per router.
/// `rate` in flits per node and cycle; `cycles` of the measurement.
Scenario load(int extent, int vcs, double rate, int cycles);

}  // namespace flitwave::bench
