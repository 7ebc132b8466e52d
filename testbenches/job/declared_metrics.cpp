// testbenches/job/declared_metrics.cpp: see declared_metrics.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/declared_metrics.hpp"

#include <algorithm>
#include <utility>

#include "testbenches/job/results/run_metrics.hpp"

namespace flitwave {

MetricInfos declared_metrics(const Catalog& catalog) {
  MetricInfos all = run_metrics();
  for (const std::string& kind : catalog.evaluations.names())
    for (const MetricInfo& info : catalog.evaluations.traits(kind).metrics) all.push_back(info);
  for (const std::string& kind : catalog.observers.names())
    for (MetricInfo info : catalog.observers.traits(kind).metrics) {
      const bool is_reported_anyway = std::any_of(
          all.begin(), all.end(), [&](const MetricInfo& other) { return other.name == info.name; });
      if (is_reported_anyway) continue;
      info.observer = kind;
      all.push_back(std::move(info));
    }
  return all;
}

}  // namespace flitwave
