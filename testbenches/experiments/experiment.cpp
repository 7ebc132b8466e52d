// testbenches/experiments/experiment.cpp: see experiment.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/experiment.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "testbenches/experiments/experiment_folder.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/plots/experiment_plot.hpp"
#include "testbenches/plots/gnuplot.hpp"
#include "testbenches/run/child_pool.hpp"
#include "testbenches/run/folder_lock.hpp"
#include "testbenches/run/run_files.hpp"
#include "testbenches/run/simulate.hpp"

namespace flitwave {

namespace {

/// A disk that is full for one point is full for all.
const Results& not_the_systems_fault(const Results& results) {
  if (results.outcome == Outcome::system_failure) throw SystemFailure(results.message);
  return results;
}

/// Simulates one point and stores its results: in this process, or in separate processes the runs
/// of a search, of several draws and of a comparison.
/// Throws: SystemFailure
void run_point(const Experiment& experiment, const Catalog& catalog, int number,
               const ExperimentFolder& folder) {
  const ExperimentPoint& point = experiment.points()[index(number)];
  if (experiment.saturation()) {
    Finding finding{number, point.settings, point.job,
                    not_the_systems_fault(find_saturation(*experiment.saturation(),
                                                          experiment.scenario(number), catalog))};
    finding.results.tables.clear();  // of a failed trial
    folder.store(finding);
    return;
  }
  const Job job = Job::read(experiment.scenario(number), catalog);
  const Plan plan = Plan::make(job, Plan::Check::skip);
  SimulateOptions options;
  options.in_process = job.top.draws == 1 && !job.compare;
  std::optional<RunFolder> waves;
  if (experiment.wave_point() == number) {
    waves.emplace(folder.path());
    options.wave_path = waves->unfinished(job.wave->file);
  }
  Finding finding{number, point.settings, point.job,
                  not_the_systems_fault(simulate(job, plan, options))};
  finding.results.tables.clear();
  if (waves && finding.finished())
    for (const std::string& name : waves->publish(""))
      finding.files.push_back({name, static_cast<std::int64_t>(
                                         std::filesystem::file_size(folder.path() + "/" + name))});
  folder.store(finding);
}

/// The points that are still running, and those that are done.
class Campaign {
 public:
  Campaign(const Experiment& experiment, const Catalog& catalog, const ExperimentOptions& options,
           ExperimentFolder& folder, std::map<int, Finding> finished)
      : experiment_(experiment),
        catalog_(catalog),
        options_(options),
        folder_(folder),
        findings_(std::move(finished)),
        found_(static_cast<int>(findings_.size())),
        report_alike_(experiment.points_report_alike()) {}

  /// False when interrupted.
  bool run() {
    const int pilot = pilot_point();
    if (findings_.count(pilot) == 0 && !run({pilot})) return false;
    if (findings_.at(pilot).results.outcome == Outcome::config_error)
      throw ConfigError("", findings_.at(pilot).results.message);
    std::vector<int> rest;
    for (const auto& entry : findings_) check_metrics(entry.second);
    for (const ExperimentPoint& point : experiment_.points())
      if (findings_.count(point.number) == 0) rest.push_back(point.number);
    return run(rest);
  }

  /// Where points report different metrics, each name must be a metric of one of them.
  void check_all_metrics() const {
    std::vector<const Finding*> finished;
    for (const auto& entry : findings_)
      if (is_representative(entry.second)) finished.push_back(&entry.second);
    if (!metrics_checked_ && !finished.empty()) experiment_.check_metrics(finished);
  }

  int found() const { return found_; }
  /// In the order of points, whatever finished first.
  std::vector<Finding> findings() const {
    std::vector<Finding> findings;
    for (const auto& entry : findings_) findings.push_back(entry.second);
    return findings;
  }

 private:
  /// Runs before the others: errors of metrics and waves appear in any one point.
  int pilot_point() const {
    if (experiment_.wave_point()) return *experiment_.wave_point();
    return findings_.empty() ? 0 : findings_.begin()->first;
  }

  /// Whether one point is sufficient to determine the metrics.
  static bool is_representative(const Finding& finding) {
    return finding.finished() && !finding.saturated();
  }

  /// Where all points report the same metrics, the first one determines them.
  void check_metrics(const Finding& finding) {
    if (metrics_checked_ || !report_alike_ || !is_representative(finding)) return;
    experiment_.check_metrics({&finding});
    metrics_checked_ = true;
  }

  bool run(const std::vector<int>& points) {
    int jobs = options_.jobs;
    if (jobs < 1) jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    ChildTasks tasks;
    tasks.work = [this](int point) { run_point(experiment_, catalog_, point, folder_); };
    tasks.ended = [this](int point, const std::string& fault) { ended(point, fault); };
    tasks.go_on = [this](int running) {
      report(running);
      return !options_.interrupted || !options_.interrupted();
    };
    return run_in_children(points, jobs, tasks);
  }

  void ended(int number, const std::string& fault) {
    ++ended_here_;
    const ExperimentPoint& point = experiment_.points()[index(number)];
    Finding finding{number, point.settings, point.job, {}};
    finding.results.outcome = Outcome::crashed;
    finding.results.message = fault;
    if (fault.empty())
      if (std::optional<Finding> stored = folder_.load(number)) finding = std::move(*stored);
    if (!finding.finished()) {
      ++failed_;
      folder_.keep_job(finding);
    }
    check_metrics(finding);
    findings_.emplace(number, std::move(finding));
  }

  void report(int running) const {
    if (!options_.progress) return;
    ExperimentProgress progress;
    progress.points = static_cast<int>(experiment_.points().size());
    progress.done = static_cast<int>(findings_.size());
    progress.running = running;
    progress.failed = failed_;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    if (ended_here_ > 0)
      progress.seconds_left = passed.count() * (progress.points - progress.done) / ended_here_;
    options_.progress(progress);
  }

  const Experiment& experiment_;
  const Catalog& catalog_;
  const ExperimentOptions& options_;
  ExperimentFolder& folder_;
  std::map<int, Finding> findings_;
  int found_;
  int ended_here_ = 0;
  int failed_ = 0;
  bool report_alike_;  // so that one point determines the metrics
  bool metrics_checked_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

const char* end_text(const ExperimentOutcome& outcome) {
  switch (outcome.exit_code()) {
    case 130:
      return "partial";
    case 6:
      return "failed_points";
    case 4:
      return "failed_expectation";
    default:
      return "complete";
  }
}

std::string summary(const ExperimentOutcome& outcome) {
  nlohmann::ordered_json json;
  json["experiment"] = outcome.name;
  json["outcome"] = end_text(outcome);
  json["points"] = {{"all", outcome.points}, {"finished", outcome.finished}};
  json["failed"] = nlohmann::ordered_json::array();
  for (const FailedPoint& point : outcome.failed)
    json["failed"].push_back({{"point", point.number},
                              {"settings", point.settings},
                              {"outcome", names_of(Outcome{})[index(point.outcome)]},
                              {"message", point.message},
                              {"job", point.job_file}});
  json["claims"] = nlohmann::ordered_json::array();
  for (const Verdict& verdict : outcome.verdicts)
    json["claims"].push_back({{"label", verdict.label},
                              {"about", verdict.about},
                              {"contradicts", verdict.contradicts},
                              {"origin", verdict.origin},
                              {"for", verdict.each},
                              {"claim", verdict.claim},
                              {"expected", verdict.expected},
                              {"found", verdict.found},
                              {"holds", verdict.holds}});
  json["notes"] = outcome.notes;
  return json.dump(1) + "\n";
}

void list_points(const std::vector<Finding>& findings, const Experiment& experiment,
                 const ExperimentFolder& folder, ExperimentOutcome& outcome) {
  PointNotes notes = experiment.warnings();
  for (const Finding& finding : findings) {
    for (const std::string& note : finding.results.notes)
      notes.add(finding.number, finding.settings, note);
    if (finding.finished()) {
      ++outcome.finished;
      continue;
    }
    outcome.failed.push_back({finding.number, settings_text(finding.settings),
                              finding.results.outcome, finding.results.message,
                              folder.keep_job(finding)});
  }
  outcome.notes = notes.lines(experiment.points().size());
}

void write_views(const Experiment& experiment, const Findings& findings,
                 const ExperimentFolder& folder, ExperimentOutcome& outcome) {
  folder.write(experiment_points_file, to_csv(points_table(findings)));
  outcome.files.emplace_back(experiment_points_file);
  if (outcome.interrupted) return;
  for (const TableParams& params : experiment.tables()) {
    outcome.tables.push_back(make_table(params, findings));
    folder.write(params.file, to_csv(outcome.tables.back().csv()));
    outcome.files.push_back(params.file);
  }
  for (const Claim& claim : experiment.claims()) outcome.verdicts.push_back(judge(claim, findings));
}

void draw(const Experiment& experiment, const Findings& findings, ExperimentOutcome& outcome) {
  if (outcome.interrupted || outcome.finished == 0) return;
  for (const LinePlotParams& params : experiment.plots()) {
    const Drawing drawing = experiment_plot(params, findings);
    if (drawing.script.empty()) {
      outcome.notes.push_back(params.file + " is not plotted: no point has " +
                              detail::either(params.y));
      continue;
    }
    for (std::string& file : write_picture(outcome.folder, params.stem(), drawing, params.format))
      outcome.files.push_back(std::move(file));
  }
}

/// The path of the wave; empty: there is none.
std::string wave_file(const Experiment& experiment, const Catalog& catalog) {
  if (!experiment.wave_point()) return "";
  return Job::read(experiment.scenario(*experiment.wave_point()), catalog).wave->file;
}

/// The finished points that need not run again.
std::map<int, Finding> undamaged(std::map<int, Finding> finished, const Experiment& experiment,
                                 const std::string& wave, const ExperimentFolder& folder,
                                 const ExperimentOptions& options) {
  for (auto point = finished.begin(); point != finished.end();) {
    const bool recorded = experiment.wave_point() == point->first;
    const std::string damage = folder.damage(point->second, recorded ? wave : "");
    if (!damage.empty() && options.notice)
      options.notice(fmt::format("point {} is run again: {}", point->first, damage));
    point = damage.empty() ? std::next(point) : finished.erase(point);
  }
  return finished;
}

/// The notice when another run holds the folder until the user interrupts this one.
ExperimentOutcome interrupted_before(const Experiment& experiment, const ExperimentFolder& folder) {
  ExperimentOutcome outcome;
  outcome.name = experiment.name();
  outcome.folder = folder.path();
  outcome.points = static_cast<int>(experiment.points().size());
  outcome.interrupted = true;
  return outcome;
}

}  // namespace

ExperimentOutcome run_experiment(const Scenario& job, const Catalog& catalog,
                                 const ExperimentOptions& options) {
  const Experiment experiment = Experiment::read(job, catalog);
  ExperimentFolder folder(options.out.empty() ? "results/" + experiment.name() : options.out);
  const FolderLock lock(folder.path(), [&options, notified = false]() mutable {
    if (!std::exchange(notified, true) && options.notice)
      options.notice("another run writes to this folder; waiting for its end (Ctrl-C stops)");
    return !options.interrupted || !options.interrupted();
  });
  if (!lock.held()) return interrupted_before(experiment, folder);
  const std::string wave = wave_file(experiment, catalog);
  std::map<int, Finding> finished =
      undamaged(folder.claim(experiment, options.force), experiment, wave, folder, options);
  if (!experiment.plots().empty()) require_gnuplot();
  folder.open(experiment, options.force, lock.made(), options.version);
  ExperimentOutcome outcome;
  outcome.name = experiment.name();
  outcome.folder = folder.path();
  outcome.points = static_cast<int>(experiment.points().size());
  Campaign campaign(experiment, catalog, options, folder, std::move(finished));
  outcome.found_finished = campaign.found();
  try {
    outcome.interrupted = !campaign.run();
  } catch (const ConfigError&) {
    if (outcome.found_finished == 0) folder.give_up();
    throw;
  } catch (const SystemFailure& error) {
    throw SystemFailure(fmt::format("{}; finished points are kept in {}; run it again to continue",
                                    error.what(), folder.path()));
  }
  if (!outcome.interrupted) campaign.check_all_metrics();  // its points remain, to be reused
  const Findings findings(campaign.findings());
  list_points(findings.points(), experiment, folder, outcome);
  outcome.files.emplace_back("job.yaml");
  write_views(experiment, findings, folder, outcome);
  folder.write("results.json", summary(outcome));
  draw(experiment, findings, outcome);
  outcome.files.emplace_back("results.json");
  const bool recorded = !wave.empty() && std::filesystem::exists(folder.path() + "/" + wave);
  if (recorded) outcome.files.push_back(wave);  // the run may have ended before `wave.from`
  std::sort(outcome.files.begin(), outcome.files.end());
  return outcome;
}

int ExperimentOutcome::exit_code() const {
  if (interrupted) return flitwave::exit_code(Outcome::partial);
  constexpr int points_failed = 6;
  if (!failed.empty()) return points_failed;
  for (const Verdict& verdict : verdicts)
    if (!verdict.holds) return flitwave::exit_code(Outcome::failed_expectation);
  return 0;
}

std::string ExperimentOutcome::text() const {
  std::string text = fmt::format("{}: {} of {} points finished", name, finished, points);
  if (found_finished > 0) text += fmt::format(", {} of them earlier", found_finished);
  text += interrupted ? "; interrupted, run it again to continue\n" : "\n";
  for (const ExperimentTable& table : tables) text += "\n" + table.text();
  if (!verdicts.empty()) text += "\nexpected:\n" + verdicts_text(verdicts);
  if (!failed.empty()) text += "\nfailed:\n";
  for (const FailedPoint& point : failed)
    text += fmt::format("  point {} ({}): {}: {}\n    alone: flitwave run {}\n", point.number,
                        point.settings, names_of(Outcome{})[index(point.outcome)], point.message,
                        point.job_file);
  if (!notes.empty()) text += "\n";
  for (const std::string& note : notes) text += "  note: " + note + "\n";
  return text + fmt::format("\n{}: {}\n", folder, fmt::join(files, ", "));
}

std::string ExperimentProgress::text() const {
  std::string text = fmt::format("{} of {} points, {} running", done, points, running);
  if (failed > 0) text += fmt::format(", {} failed", failed);
  if (seconds_left >= 90)
    text += fmt::format(", about {:.0f} min left", seconds_left / 60);
  else if (seconds_left >= 0)
    text += fmt::format(", about {:.0f} s left", seconds_left);
  return text;
}

}  // namespace flitwave
