// testbenches/job/results/draws.hpp: averages of the metrics of many draws.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/job/results/results.hpp"

namespace flitwave {

/// Collects the metrics of the draws of a demand.
class DrawnMetrics {
 public:
  void add(const std::vector<Metric>& drawing);

  /// Adds the mean of each metric that all draws have, by its name, and its least and greatest
  /// value and standard deviation (of the whole population) as NAME.min, .max and .sd; for a single
  /// draw only its value. A metric of a draw that has such a name itself keeps it.
  void report(Results& results) const;

 private:
  struct Series {
    Metric first;
    std::vector<double> values;  // by draw
  };

  bool has(const std::string& name) const;

  std::vector<Series> series_;
  std::size_t drawings_ = 0;
};

}  // namespace flitwave
