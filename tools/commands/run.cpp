// tools/commands/run.cpp: flitwave run: simulates a job and writes its results.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "configs/version.hpp"
#include "testbenches/experiments/experiment.hpp"
#include "testbenches/run/expectations.hpp"
#include "testbenches/run/init_seeds.hpp"
#include "testbenches/run/result_files.hpp"
#include "testbenches/run/simulate.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/interrupts.hpp"
#include "tools/commands/job_file.hpp"
#include "tools/commands/progress_line.hpp"
#include "tools/commands/report.hpp"

namespace flitwave {

namespace {

struct RunSettings {
  JobFile file;
  std::string out;
  std::optional<std::string> wave;
  int jobs = 0;
  int init_seeds = 0;  // 0: not compared
  bool in_process = false;
  bool force = false;
  bool quiet = false;
};

/// The job with the settings of the command line.
Scenario scenario_of(const RunSettings& settings) {
  const Scenario scenario = load(settings.file);
  if (!settings.wave) return scenario;
  return with_setting(scenario, "wave.select",
                      "[" + Codec<std::string>::print(*settings.wave) + "]", "--wave");
}

/// "cycle 51000, 51001 of 100001 cycles measured, 12.6 kcycle/s, about 4 s left"
std::string progress_text(const Progress& progress, const char* what, double seconds) {
  std::string text =
      fmt::format("cycle {}, {} of {} {}, {:.3g} kcycle/s", progress.cycle, progress.done,
                  progress.expected, what, static_cast<double>(progress.cycle) / seconds / 1000);
  if (progress.done == 0 || progress.done >= progress.expected) return text;
  const double left = seconds * static_cast<double>(progress.expected - progress.done) /
                      static_cast<double>(progress.done);
  return text + ", about " + time_text(left) + " left";
}

Results simulate_watched(const RunSettings& settings, const Job& job, const Plan& plan,
                         const std::string& wave_path, const Interrupts& interrupts) {
  ProgressLine line(!settings.quiet);
  const char* what = job.operation ? "transfers delivered" : "cycles measured";
  SimulateOptions options;
  options.wave_path = wave_path;
  options.in_process = settings.in_process;
  options.interrupts = [&interrupts] { return interrupts.count(); };
  options.progress = [&](const Progress& progress) {
    line.show(progress_text(progress, what, line.seconds()));
  };
  return simulate(job, plan, options);
}

void print_results(const Job& job, const Results& results, const std::vector<Judgement>& judgements,
                   double seconds) {
  const double simulated =
      static_cast<double>(results.cycles) * static_cast<double>(job.clock.period.picoseconds);
  fmt::print("{}: {}; {} cycles ({}) in {}{}\n\n", job.name, outcome_text(results.outcome),
             results.cycles, time_text(simulated * 1e-12), time_text(seconds),
             job.top.fidelity == Fidelity::signal ? "" : ", at transaction fidelity");
  fmt::print("{}", metrics_text(results.metrics));
  if (!results.lines.empty()) fmt::print("\n");
  for (const std::string& line : results.lines) fmt::print("  {}\n", line);
  if (!judgements.empty()) fmt::print("\n{}", judgements_text(judgements));
  if (!results.notes.empty()) fmt::print("\n");
  for (const std::string& note : results.notes) fmt::print("  note: {}\n", note);
}

Plan planned(const Job& job, const RunSettings& settings) {
  PhaseLine line(!settings.quiet);
  return Plan::make(job, Plan::Check::when_small,
                    [&line](const char* what, std::int64_t done, std::int64_t total) {
                      line.show(what, done, total);
                    });
}

int run_scenario(const Scenario& scenario, const RunSettings& settings, const Catalog& catalog) {
  // [scenario]
  const Job job = Job::read(scenario, catalog);
  const Plan plan = planned(job, settings);
  // [scenario]
  if (settings.init_seeds > 0) check_init_seeds(job, settings.in_process);
  RunFolder folder(settings.out.empty() ? "results/" + job.name : settings.out);
  const Interrupts interrupts;
  const auto start = std::chrono::steady_clock::now();
  const std::string wave_path = job.wave ? folder.unfinished(job.wave->file) : "";
  Results results = simulate_watched(settings, job, plan, wave_path, interrupts);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  if (interrupts.count() > 1) {
    fmt::print(stderr, "flitwave: killed; nothing was written\n");
    return exit_code(Outcome::partial);
  }
  const Outcome simulated = results.outcome;
  const std::vector<Judgement> judgements = judge(job.expectations, results);
  if (settings.init_seeds > 0)
    compare_init_seeds(
        job, settings.init_seeds, simulated,
        [&](const Job& other) { return simulate_watched(settings, other, plan, "", interrupts); },
        results);
  const std::vector<std::string> files = publish_results(job, results, folder);
  const std::string listed = fmt::format("{}: {}\n", folder.path(), fmt::join(files, ", "));
  if (has_results(results) && !settings.quiet) {
    print_results(job, results, judgements, passed.count());
    fmt::print("\n{}", listed);
  }
  if (!has_results(results) && !files.empty()) fmt::print(stderr, "{}", listed);
  if (!results.message.empty()) {
    std::fflush(stdout);
    fmt::print(stderr, "{}\n", results.message);
  }
  return exit_code(results.outcome);
}

int run_sweep(const Scenario& experiment, const RunSettings& settings, const Catalog& catalog) {
  if (settings.init_seeds > 0)
    throw ConfigError("", "--init-seeds is for a job, not for an experiment",
                      "run one point: see its job in the results");
  if (settings.in_process)
    throw ConfigError("", "an experiment cannot run in one process",
                      "leave --in-process out, or run one point: see its job in the results");
  PhaseLine reading(!settings.quiet);
  reading.show("planning the points of the experiment");
  std::optional<Interrupts> interrupts;  // while there are results to keep
  ExperimentOptions options;
  options.out = settings.out;
  options.jobs = settings.jobs;
  options.force = settings.force;
  options.version = version();
  options.interrupted = [&reading, &interrupts] {
    reading.end();
    if (!interrupts) interrupts.emplace();
    return interrupts->count() > 0;
  };
  options.notice = [](const std::string& notice) { fmt::print(stderr, "{}\n", notice); };
  std::optional<ProgressLine> line(!settings.quiet);
  options.progress = [&line](const ExperimentProgress& progress) { line->show(progress.text()); };
  const ExperimentOutcome outcome = run_experiment(experiment, catalog, options);
  line.reset();
  const int code = outcome.exit_code();
  if (!settings.quiet || code != 0) fmt::print("{}", outcome.text());
  return code;
}

int run(const RunSettings& settings, const Catalog& catalog) {
  const Scenario scenario = scenario_of(settings);
  return is_experiment(scenario) ? run_sweep(scenario, settings, catalog)
                                 : run_scenario(scenario, settings, catalog);
}

}  // namespace

Command run_command(const Catalog& catalog) {
  const auto settings = std::make_shared<RunSettings>();
  std::vector<Option> options = any_job_options(settings->file);
  options.insert(
      options.end(),
      {{"--out", &settings->out,
        "folder of the results; by default results/NAME with the job's name"},
       {"--wave", &settings->wave, "record the channels of this pattern, e.g. 'channel_*_to_2_2'"},
       Option("--jobs", &settings->jobs,
              "points of an experiment at a time; by default all processors")
           .within(1, 4096),
       {"--force", &settings->force,
        "run all points of an experiment again, whatever the folder contains"},
       Option("--init-seeds", &settings->init_seeds,
              "run the job with so many values of init_seed, and demand equal fingerprints")
           .within(2, 1'000),
       {"--in-process", &settings->in_process,
        "simulate without a child process, for debuggers and profilers"},
       {"--quiet", &settings->quiet, "print errors only"}});
  return {"run",
          "simulate a job and write its results",
          std::move(options),
          [settings, &catalog] { return run(*settings, catalog); },
          {}};
}

}  // namespace flitwave
