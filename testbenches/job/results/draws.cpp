// testbenches/job/results/draws.cpp: see draws.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/results/draws.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace flitwave {

void DrawnMetrics::add(const std::vector<Metric>& drawing) {
  for (const Metric& metric : drawing) {
    const auto known = std::find_if(series_.begin(), series_.end(), [&](const Series& series) {
      return series.first.name == metric.name;
    });
    if (known != series_.end())
      known->values.push_back(metric.value);
    else if (drawings_ == 0)
      series_.push_back({metric, {metric.value}});
  }
  ++drawings_;
}

bool DrawnMetrics::has(const std::string& name) const {
  return std::any_of(series_.begin(), series_.end(),
                     [&](const Series& series) { return series.first.name == name; });
}

void DrawnMetrics::report(Results& results) const {
  for (const Series& series : series_) {
    if (series.values.size() != drawings_) continue;
    const auto [least, greatest] = std::minmax_element(series.values.begin(), series.values.end());
    double sum = 0;
    for (double value : series.values) sum += value;
    const auto count = static_cast<double>(drawings_);
    const double mean = sum / count;
    results.add(series.first.name, mean, series.first.unit);
    if (drawings_ == 1) continue;
    double squares = 0;
    for (double value : series.values) squares += (value - mean) * (value - mean);
    const std::pair<const char*, double> forms[] = {
        {".min", *least}, {".max", *greatest}, {".sd", std::sqrt(squares / count)}};
    for (const auto& [ending, value] : forms)
      if (!has(series.first.name + ending))
        results.add(series.first.name + ending, value, series.first.unit);
  }
}

}  // namespace flitwave
