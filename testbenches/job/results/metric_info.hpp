// testbenches/job/results/metric_info.hpp: the metrics that runs report, known before a simulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace flitwave {

struct Place;

/// A metric that runs may report, as it is declared.
struct MetricInfo {
  /// Under which other names it is reported.
  enum class Forms {
    plain,    ///< None.
    by_part,  ///< latency.requests.mean for latency.mean, where a job has several parts.
    drawn,    ///< steps.min, .max and .sd over draws, steps.excess beside another algorithm.
  };

  std::string name;  ///< e.g. "latency.mean"
  std::string unit;  ///< e.g. "cycle"; empty for a number of things.
  std::string meaning;
  Forms forms = Forms::plain;
  std::string title{};     ///< Its title in plots; empty: the beginning of its meaning.
  std::string observer{};  ///< The kind of observer that reports it; empty: every run reports it.
};
using MetricInfos = std::vector<MetricInfo>;

/// NAME.mean, NAME.p50, NAME.p99 and NAME.max of cycles; see report(Sample). `title`: as of a
/// metric, e.g. "latency".
MetricInfos sample_metrics(const std::string& name, const std::string& what,
                           const std::string& title,
                           MetricInfo::Forms forms = MetricInfo::Forms::plain);
/// NAME.ci95 and NAME.batches; see report(BatchMeans).
MetricInfos interval_metrics(const std::string& name,
                             MetricInfo::Forms forms = MetricInfo::Forms::plain);

/// The metric that is declared under `name`, or of which `name` is a form; null if there is none.
const MetricInfo* find_metric(const MetricInfos& declared, const std::string& name);

/// The title in plots of the metric that is declared under `name`, or of which `name` is a form;
/// empty if there is none.
std::string title_of_metric(const MetricInfos& declared, const std::string& name);

/// As find_metric.
/// Throws: ConfigError at `place` for `key` when no run reports a metric `name`.
const MetricInfo& require_metric(const MetricInfos& declared, const std::string& name,
                                 const Place& place, const std::string& key);

}  // namespace flitwave
