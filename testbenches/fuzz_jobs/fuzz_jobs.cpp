// testbenches/fuzz_jobs/fuzz_jobs.cpp: the program behind tools/fuzz --jobs: searches for jobs that
// fail.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "testbenches/fuzz_jobs/job_campaign.hpp"
#include "testbenches/run/programs/command_line.hpp"
#include "testbenches/tests/instrumented.hpp"

using namespace flitwave;
using namespace flitwave::fuzz_jobs;

/// SystemC's library requires this function; the program has its own main function.
extern "C" int sc_main(int, char**) { return 0; }

namespace {

constexpr int found_fault = 1;
constexpr int too_little_covered = 4;
constexpr std::int64_t most_mebibytes = 2048;

struct Settings {
  JobCampaignParams campaign;
  double minutes = 0;
  std::vector<std::string> jobs;
  std::vector<std::string> with;
  bool table = false;
  bool covered = false;
};

int judge_jobs(const Settings& settings) {
  int code = 0;
  for (const std::string& file : settings.jobs) {
    const Verdict verdict =
        judge_in_child(Scenario::load(file), standard_catalog(), settings.campaign.limits);
    if (!verdict.refusal.empty()) throw ConfigError("", verdict.refusal);
    fmt::print("{}: {}\n", file,
               verdict.fault.empty()
                   ? fmt::format("right: {}, {} cycles", verdict.outcome, verdict.cycles)
                   : "FAILED: " + verdict.sort + ": " + verdict.fault);
    if (!verdict.fault.empty()) code = found_fault;
  }
  return code;
}

/// Shows progress on a terminal, in a line that is overwritten.
void show_progress(const JobCampaignResult& result) {
  if (isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r{} jobs, {} accepted, {} failures ", result.drawn, result.accepted,
             result.failures.size());
  std::fflush(stderr);
}

void print_result(const JobCampaignResult& result, const Settings& settings, double seconds) {
  fmt::print("{}{}", result.coverage.table(settings.table), result.summary());
  for (const JobFailure& failure : result.failures)
    fmt::print(
        "FAILED: job {} of seed {}: {}: {}\n{}", failure.number, settings.campaign.seed,
        failure.sort, failure.fault,
        failure.file.empty() ? "" : "  repeat it with: tools/fuzz --jobs " + failure.file + "\n");
  fmt::print("{} jobs, {} failures, seed {}, {:.0f} s\n", result.drawn, result.failures.size(),
             settings.campaign.seed, seconds);
}

int search(Settings settings) {
  JobCampaignParams& campaign = settings.campaign;
  const auto start = std::chrono::steady_clock::now();
  if (settings.minutes > 0)
    campaign.until =
        start + std::chrono::milliseconds(static_cast<std::int64_t>(settings.minutes * 60'000));
  const JobCampaignResult result = run_job_campaign(campaign, standard_catalog(), show_progress);
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r");
  print_result(result, settings,
               std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  if (!result.failures.empty()) return found_fault;
  std::string lack = 2 * result.accepted < result.drawn ? "half of the jobs must be accepted" : "";
  if (settings.covered) lack = result.lack_of_shares();
  if (settings.covered && lack.empty() && !result.coverage.enough())
    lack = fmt::format("each item and legal pair must run {} times", JobCoverage::wanted);
  if (!lack.empty()) {
    fmt::print("insufficient coverage: {}\n", lack);
    return too_little_covered;
  }
  return 0;
}

/// Reads "routing=duato", or a section alone: "wave".
Item item_of(const std::string& text) {
  const std::size_t sign = std::min(text.find('='), text.size());
  return {text.substr(0, sign), text.substr(std::min(sign + 1, text.size()))};
}

int perform(Settings& settings) {
  for (const std::string& text : settings.with) settings.campaign.with.push_back(item_of(text));
  if (!settings.jobs.empty()) return judge_jobs(settings);
  if (settings.minutes == 0 && settings.campaign.count == INT64_MAX) settings.minutes = 1;
  return search(settings);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  JobCampaignParams& campaign = settings.campaign;
  campaign.processes = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  campaign.folder = "results/fuzz_jobs";
  if (test::instrumented)
    campaign.limits.seconds *= 10;
  else
    campaign.limits.mebibytes = most_mebibytes;
  const Command program = {
      "tools/fuzz --jobs",
      "Generates random jobs of all kinds, runs each under all schedulings and checks the rules of "
      "runs.\n"
      "Exit codes: 0 all are correct, 1 some fail, 2 wrong job or argument, 4 too few jobs, 5 "
      "files "
      "or system.",
      {{"jobs", &settings.jobs, "judge these job files instead of random jobs"},
       Option("--minutes", &settings.minutes, "duration of the search").positive(),
       Option("--count", &campaign.count, "greatest number of jobs").positive(),
       {"--seed", &campaign.seed, "seed of the jobs"},
       {"--with", &settings.with, "generate jobs with this kind or section: routing=duato, wave"},
       Option("--failures", &campaign.failures, "number of failures after which the search ends")
           .positive(),
       {"--tries", &campaign.tries, "simpler jobs tried for one that fails"},
       Option("--processes", &campaign.processes, "number of processes").positive(),
       {"--pairs", &settings.table, "print rare and illegal pairs of kinds with their messages"},
       {"--covered", &settings.covered,
        "fail unless all kinds and legal pairs occurred, and enough jobs had traffic beside a "
        "collective, faults and waves"},
       {"--out", &campaign.folder, "folder for failing jobs"}},
      [&settings] { return perform(settings); },
      {}};
  return run_program(program, argc, argv);
}
