// testbenches/experiments/findings/findings.hpp: the results of an experiment's points, and means
// over some of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbenches/experiments/findings/sweep.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave {

/// One point of an experiment and its results, without their tables.
struct Finding {
  /// A file beside the point's own, such as a wave.
  struct File {
    std::string name;
    std::int64_t size = 0;  ///< When the point had run. Unit: B
  };

  int number = 0;
  Settings settings;
  std::string job;  ///< The point's job with every default, as YAML.
  Results results;
  std::vector<File> files{};

  bool finished() const { return results.outcome == Outcome::complete; }
  /// Whether it finished while the offered load exceeded the network's capacity.
  bool saturated() const;
  /// Whether it finished in a deadlock that the job counts.
  bool deadlocked() const;
  bool has(const std::string& metric) const { return finished() && results.has(metric); }

  std::string to_json() const;
  /// Throws: SystemFailure when the text was not written by `to_json`.
  static Finding from_json(const std::string& text);
};

/// How the values of several points are combined.
enum class Average { mean, max, min };
std::vector<std::string> names_of(Average);

/// A metric of several points as one number, or the reason why there is none.
struct Averaged {
  std::optional<double> value;  ///< None unless every point has the metric.
  /// Half the 95 % confidence interval of a mean over two seeds or more.
  std::optional<double> half_width;
  std::size_t points = 0;
  std::size_t saturated = 0;   ///< Saturated points without the metric.
  std::size_t deadlocked = 0;  ///< Points without it that ended in a counted deadlock.
  std::size_t missing = 0;     ///< All others without it, e.g. unfinished.

  /// "saturated (7 of 12)", "missing (2 of 12)", or both, "saturated" of a point alone; empty with
  /// a value, or without points.
  std::string lack() const;
};

/// A number with a unit, as a setting of a job.
struct Magnitude {
  double value = 0;
  std::string unit;
};

/// The number of a setting, in bytes, flits, cycles, microseconds or flits per node and cycle; none
/// for words and lists.
std::optional<Magnitude> magnitude_of(const ConfigNode& setting);

/// Whether two settings are equal: "2 KiB" and "2048 B" are.
bool same_setting(const ConfigNode& a, const ConfigNode& b);

/// The setting that varies random choices, over which means may always be taken.
inline constexpr const char* seed_setting = "seed";

/// The findings of an experiment, queried by settings.
class Findings {
 public:
  /// In the order of points.
  explicit Findings(std::vector<Finding> points);

  const std::vector<Finding>& points() const { return points_; }
  /// The settings of the sweep by their leaves, e.g. "algorithm.kind".
  const std::vector<std::string>& swept() const { return swept_; }

  /// The value at `path` in the job of a point; null when there is none.
  const ConfigNode& setting(std::size_t point, const std::string& path) const;

  /// A metric of these points as one number. A mean over only some of the points would mix
  /// different sets of points in one table or curve, so there is no number if any point lacks the
  /// metric.
  Averaged average(const std::vector<std::size_t>& points, const std::string& metric,
                   Average average) const;
  /// The points that have these settings.
  std::vector<std::size_t> select(const Settings& settings) const;
  /// The settings of the sweep in which these points differ.
  std::vector<std::string> varying(const std::vector<std::size_t>& points) const;

  /// A metric's unit, empty when no point has the metric.
  std::string unit(const std::string& metric) const;
  /// The names of all metrics, in the order of reporting.
  std::vector<std::string> metrics() const;

 private:
  std::vector<ConfigNode> look_up(const std::string& path) const;
  std::optional<double> half_width_over_seeds(const std::vector<std::size_t>& points,
                                              const std::vector<double>& values) const;

  std::vector<Finding> points_;
  std::vector<std::string> swept_;
  mutable std::map<std::string, std::vector<ConfigNode>> looked_up_;  // Shape: [path][points]
};

}  // namespace flitwave
