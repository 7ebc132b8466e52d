// testbenches/experiments/experiment.hpp: a sweep of scenarios, run side by side, and its findings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "configs/scenario.hpp"
#include "testbenches/experiments/findings/claims.hpp"
#include "testbenches/experiments/findings/experiment_tables.hpp"
#include "testbenches/experiments/findings/findings.hpp"
#include "testbenches/experiments/findings/point_notes.hpp"
#include "testbenches/experiments/findings/sweep.hpp"
#include "testbenches/job/catalog.hpp"
#include "testbenches/job/job.hpp"
#include "testbenches/job/job_sections.hpp"
#include "testbenches/plots/line_plot.hpp"
#include "testbenches/run/saturation.hpp"

namespace flitwave {

/// One point: its position in the sweep, its settings, and its whole job.
struct ExperimentPoint {
  int number = 0;
  Settings settings;
  std::string job;  ///< Every default filled in, as YAML.
};

/// In the folder of its results: all metrics of all points.
inline constexpr const char* experiment_points_file = "points.csv";

/// An experiment that was read. Every point's job has been read and planned.
class Experiment {
 public:
  /// Throws: ConfigError, located, for the first error of the experiment or one of
  ///   its points.
  static Experiment read(const Scenario& written, const Catalog& catalog);

  const std::string& name() const { return name_; }
  const std::vector<ExperimentPoint>& points() const { return points_; }
  const std::vector<TableParams>& tables() const { return tables_; }
  const std::vector<LinePlotParams>& plots() const { return plots_; }
  const std::vector<Claim>& claims() const { return claims_; }
  /// The search that runs at every point instead of one run.
  const std::optional<SaturationParams>& saturation() const { return saturation_; }
  /// The point whose wave is recorded, if any.
  std::optional<int> wave_point() const { return wave_point_; }
  /// Warnings of the points' plans.
  const PointNotes& warnings() const { return warnings_; }

  /// The job of a point as it is simulated.
  Scenario scenario(int point) const;
  /// The experiment with its base included and every default filled in; reads back to an equal one.
  ConfigNode resolved() const;
  /// The part of `resolved()` that determines the points, not tables and plots.
  ConfigNode identity() const;
  /// The same of an experiment as written to a folder.
  static ConfigNode identity(ConfigNode tree);

  /// Whether all points report the same metrics: no setting is swept on which these depend.
  bool points_report_alike() const;
  /// Throws: ConfigError, located, when a table, plot or claim names a metric that none of these
  ///   finished points has. A saturated point, which lacks latencies, does not count.
  void check_metrics(const std::vector<const Finding*>& findings) const;

 private:
  void read_base(const ConfigNode& written);
  void read_saturation(const ConfigNode& written);
  void read_points(const Catalog& catalog);
  void read_views(const ConfigNode& written);
  void choose_wave_point();
  Findings unfinished() const;  // the points, before any has run
  void check_settings() const;
  /// Throws: ConfigError, located, when a table, plot or claim names a metric that no run reports.
  void check_names(const Catalog& catalog) const;
  void check_traces(const Findings& findings) const;
  using Visit =
      std::function<void(const std::string& metric, const Place& place, const std::string& key)>;
  /// All metrics that tables, plots and claims name.
  void visit_metrics(const Visit& visit) const;
  void check_titles(const Findings& findings) const;
  void check_lines(const Findings& findings) const;
  void check_means(const Findings& findings) const;

  std::string name_;
  ConfigNode written_;
  std::uint64_t seed_ = 1;
  Scenario base_{ConfigNode()};  ///< Without dropped settings, with settings of `set`.
  ConfigNode sweep_;             ///< Null when a saturation is searched at one point only.
  std::optional<SaturationParams> saturation_;
  std::vector<ConfigNode::Entry> filled_;  ///< Sections of the base that no point changes.
  std::vector<ExperimentPoint> points_;
  std::vector<TableParams> tables_;
  std::vector<ConfigNode> written_tables_;  ///< As tables_.
  std::vector<LinePlotParams> plots_;
  std::vector<ConfigNode> written_plots_;  ///< As plots_.
  std::vector<Claim> claims_;
  Paths over_;  ///< `over` of all tables, plots and claims.
  ConfigNode wave_;
  std::optional<int> wave_point_;
  PointNotes warnings_;
};

/// The progress of an experiment.
struct ExperimentProgress {
  int points = 0;
  int done = 0;  ///< Including those of an earlier run and failed ones.
  int running = 0;
  int failed = 0;
  double seconds_left = -1;  ///< Negative while unknown.

  /// "112 of 224 points, 2 running, about 14 s left"
  std::string text() const;
};

/// How an experiment is run.
struct ExperimentOptions {
  std::string out;      ///< Folder of the results; empty: results/<name>.
  int jobs = 0;         ///< Points at a time; 0: as many as there are processors.
  bool force = false;   ///< Run all points again, whatever is in the folder.
  std::string version;  ///< Version of the program, for the head of job.yaml.
  std::function<void(const ExperimentProgress&)> progress;  ///< May be empty.
  std::function<bool()> interrupted;                        ///< Called now and then; may be empty.
  /// Called with notices for the user, e.g. that another run holds the folder; may be empty.
  std::function<void(const std::string&)> notice;
};

/// A point that failed.
struct FailedPoint {
  int number = 0;
  std::string settings;
  Outcome outcome = Outcome::crashed;
  std::string message;
  std::string job_file;  ///< A job that runs this point alone.
};

/// The outcome of an experiment.
struct ExperimentOutcome {
  std::string name;
  std::string folder;
  int points = 0;
  int finished = 0;
  int found_finished = 0;  ///< Finished points of an earlier run.
  bool interrupted = false;
  std::vector<FailedPoint> failed;
  std::vector<ExperimentTable> tables;
  std::vector<Verdict> verdicts;
  std::vector<std::string> notes;
  std::vector<std::string> files;  ///< In the folder, without those of the points.

  /// 130 when interrupted, else 6 with failed points, else 4 with missed claims, else 0.
  int exit_code() const;
  /// Text for a terminal.
  std::string text() const;
};

/// Runs every point in a process of its own, several at a time, and writes into `options.out`:
/// job.yaml; points/NNNN.json for each point, as soon as it ends; then points.csv, the tables,
/// results.json and the plots.
///
/// Points that the folder already contains are not run again. One point runs before all others, to
/// check that the requested metrics and the wave exist; if it is saturated, the first unsaturated
/// point determines the metrics.
/// Throws: ConfigError when the job is wrong or the folder contains something else; SystemFailure.
ExperimentOutcome run_experiment(const Scenario& job, const Catalog& catalog,
                                 const ExperimentOptions& options = {});

/// The experiment with one more setting: of the experiment itself if `path` starts with one of its
/// keys, else of every point.
/// Throws: ConfigError when the value is no YAML; `origin` is its position.
Scenario with_override(const Scenario& experiment, const std::string& path,
                       const std::string& value, const std::string& origin = "override");

/// The keys of an experiment, for the manual.
std::vector<SectionInfo> experiment_sections();

}  // namespace flitwave
