// testbenches/job/results/draws.hpp: the metrics of many drawings as averages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/job/results/results.hpp"

namespace flitwave {

/// Collects the metrics of the drawings of a demand.
class DrawnMetrics {
 public:
  void add(const std::vector<Metric>& drawing);

  /// Adds the mean of each metric that all drawings have, by its name, and its least and greatest
  /// value and standard deviation (of the whole population) as NAME.min, .max and .sd; of a single
  /// drawing only its value. A metric of a drawing that has such a name itself keeps it.
  void report(Results& results) const;

 private:
  struct Series {
    Metric first;
    std::vector<double> values;  // by drawing
  };

  bool has(const std::string& name) const;

  std::vector<Series> series_;
  std::size_t drawings_ = 0;
};

}  // namespace flitwave
