// testbenches/fuzz_jobs/job_judge.cpp: see job_judge.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/job_judge.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "configs/error.hpp"
#include "testbenches/run/child_pool.hpp"
#include "testbenches/run/run_variants.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace flitwave::fuzz_jobs {

namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// One run of a job.
struct Run {
  /// `folder`: for the wave.
  Run(const Scenario& scenario, const Catalog& catalog, const std::string& folder,
      Plan::Check check)
      : job(Job::read(scenario, catalog)), plan(Plan::make(job, check)) {
    SimulateOptions options;
    if (job.wave) options.wave_path = folder + "/wave.vcd";
    results = simulate(job, plan, options);
    // The plan's warnings are first; those of skipped checks are missing.
    std::vector<std::string>& notes = results.notes;
    const std::size_t planned = std::min(plan.warnings.size(), notes.size());
    notes.erase(notes.begin(), notes.begin() + static_cast<std::ptrdiff_t>(planned));
    if (job.wave) wave = content_of(options.wave_path);
  }

  Job job;
  Plan plan;
  Results results;
  std::string wave;  ///< The text of the wave file.
};

bool is_fault(Outcome outcome) {
  return outcome == Outcome::model_error || outcome == Outcome::crashed ||
         outcome == Outcome::system_failure || outcome == Outcome::partial ||
         outcome == Outcome::design_error;
}

/// Whether `check` also rejects a job while it builds the modules.
bool rejected_as_modules(const Run& run) {
  return !run_in_child([&run] { check_modules(run.job, run.plan); }).empty();
}

std::string read_back_fault(const Job& job, const Catalog& catalog) {
  const ConfigNode resolved = job.resolved();
  const Scenario printed = Scenario::parse(resolved.to_yaml(), job.written.place().file);
  const ConfigNode again = Job::read(printed, catalog).resolved();
  return again == resolved ? "" : "the printed job is not read back as the same job";
}

std::string outcome_text(const Results& results) {
  return names_of(Outcome{})[static_cast<std::size_t>(results.outcome)];
}

/// Both schedulings must give the same file, although by different recorders.
std::string wave_difference(const std::string& found, const std::string& expected) {
  if (found == expected) return "";
  if (found.empty() || expected.empty()) return "one of the runs writes no wave";
  if (expected.front() != '$') return "the files, which are no VCD, differ";
  const std::string values = difference(parse_vcd(found, "found"), parse_vcd(expected, "expected"));
  return values.empty() ? "the files differ, but not in values" : values;
}

/// The first difference of the other runs from the first.
std::pair<std::string, std::string> compare_variants(const Scenario& scenario, const Run& first,
                                                     const Catalog& catalog,
                                                     const std::string& folder) {
  std::vector<RunVariant> variants = {{"per_module", "forward"}, {"batched", "reversed"}};
  const ConfigNode* written = scenario.tree().find_path("clock.scheduling");
  if (written && written->text() == "audit") variants.push_back({"audit", "forward"});
  for (const RunVariant& variant : variants) {
    const Scenario varied = with_variant(scenario, variant);
    const Run run(varied, catalog, folder, Plan::Check::skip);  // it was checked before
    const std::string name = variant.scheduling + ", " + variant.order + ": ";
    const std::string text = difference(run.results, first.results);
    if (!text.empty()) return {"difference", name + text};
    const std::string wave = wave_difference(run.wave, first.wave);
    if (!wave.empty()) return {"wave", name + wave};
  }
  return {};
}

}  // namespace

void Verdict::set_fault(std::string its_sort, std::string its_fault) {
  if (its_fault.empty() || !fault.empty()) return;
  sort = std::move(its_sort);
  fault = std::move(its_fault);
}

namespace {

/// Judges the runs of a job after its plan and first run.
void judge_runs(const Scenario& scenario, const Run& first, const Catalog& catalog,
                const std::string& folder, Verdict& verdict) {
  if (is_fault(first.results.outcome)) {
    const bool late = first.results.message.find("CPU time") != std::string::npos;
    verdict.set_fault(late ? "time" : verdict.outcome,
                      verdict.outcome + ": " + first.results.message);
    return;
  }
  const auto rule = broken_rule(first.job, first.plan, first.results);
  verdict.set_fault(rule.first, rule.second);
  const auto variant = compare_variants(scenario, first, catalog, folder);
  verdict.set_fault(variant.first, variant.second);
  verdict.set_fault("printed", read_back_fault(first.job, catalog));
}

}  // namespace

Verdict judge(const Scenario& scenario, const Catalog& catalog, const std::string& folder) {
  Verdict verdict;
  try {
    const Run first(with_variant(scenario, {}), catalog, folder, Plan::Check::always);
    verdict.cycles = first.results.cycles;
    verdict.outcome = outcome_text(first.results);
    if (first.results.outcome != Outcome::config_error)
      judge_runs(scenario, first, catalog, folder, verdict);
    else if (rejected_as_modules(first))
      verdict.refusal = first.results.message;
    else
      verdict.set_fault("check",
                        "check accepts the job, and run rejects it: " + first.results.message);
  } catch (const ConfigError& error) {
    if (verdict.outcome.empty())
      verdict.refusal = error.what();
    else
      verdict.set_fault("check", std::string("one of the runs is rejected: ") + error.what());
  }
  return verdict;
}

}  // namespace flitwave::fuzz_jobs
