// testbenches/fuzz/fuzz.cpp: the program behind tools/fuzz: looks for networks that differ.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "testbenches/fuzz/campaign.hpp"
#include "testbenches/run/programs/command_line.hpp"

using namespace flitwave;
using namespace flitwave::fuzz;

/// SystemC's library wants one; the program has a main of its own.
extern "C" int sc_main(int, char**) { return 0; }

namespace {

constexpr int found_difference = 1;
constexpr int too_little_covered = 4;

struct Settings {
  CampaignParams campaign;
  double minutes = 0;
  std::vector<std::string> jobs;
  std::vector<std::string> changes;  // key=value
  bool alone = false;
};

Scenario load(const std::string& file, const std::vector<std::string>& changes) {
  Scenario scenario = Scenario::load(file);
  for (const std::string& change : changes) {
    const std::size_t sign = change.find('=');
    if (sign == std::string::npos)
      throw ConfigError("--set", detail::in_quotes(change) + " sets nothing", "write key=value");
    scenario = scenario.with(change.substr(0, sign), change.substr(sign + 1), "--set");
  }
  return scenario;
}

/// Runs jobs by the reference only, for measurements of its speed.
int run_alone(const Settings& settings) {
  for (const std::string& file : settings.jobs) {
    const Job job = Job::read(load(file, settings.changes), standard_catalog());
    const Plan plan = Plan::make(job, Plan::Check::skip);
    const reference::Params params = reference_params(job, plan);
    const std::clock_t start = std::clock();
    const reference::Results results = reference::run(params);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const std::string latency = results.total.count() == 0
                                    ? "no packet measured"
                                    : fmt::format("mean latency {:.4f}", results.total.mean());
    fmt::print(
        "{}: fingerprint {:016x}, {}, {} flits crossed a switch, {} cycles in {:.3f} s of CPU "
        "time\n",
        file, results.fingerprint, latency, results.transits - results.flits, results.cycles,
        seconds);
  }
  return 0;
}

/// Compares jobs from files.
int compare_jobs(const Settings& settings) {
  int code = 0;
  for (const std::string& file : settings.jobs) {
    const Comparison comparison = compare(load(file, settings.changes));
    const bool equal = comparison.difference.empty();
    fmt::print("{}: {}\n", file,
               equal ? fmt::format("equal: {} packets, {} transits", comparison.packets,
                                   comparison.transits)
                     : "DIFFERENT: " + comparison.difference);
    if (!equal) code = found_difference;
  }
  return code;
}

/// On a terminal, a line that is overwritten.
void show_progress(const CampaignResult& result) {
  if (isatty(STDERR_FILENO) == 0 || result.coverage.cases() % 10 != 0) return;
  fmt::print(stderr, "\r{} scenarios, {} failures ", result.coverage.cases(),
             result.failures.size());
  std::fflush(stderr);
}

int search(Settings settings) {
  CampaignParams& campaign = settings.campaign;
  const auto start = std::chrono::steady_clock::now();
  if (settings.minutes > 0)
    campaign.until =
        start + std::chrono::milliseconds(static_cast<std::int64_t>(settings.minutes * 60'000));
  const CampaignResult result = run_campaign(campaign, show_progress);
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r");
  fmt::print("{}{}\n", result.coverage.table(), result.coverage.summary());
  for (const Failure& failure : result.failures)
    fmt::print("FAILED: scenario {} of seed {}: {}\n{}", failure.number, campaign.seed,
               failure.difference,
               failure.file.empty() ? "" : "  repeat it with: tools/fuzz " + failure.file + "\n");
  fmt::print("{} scenarios, {} failures, seed {}, {:.0f} s\n", result.coverage.cases(),
             result.failures.size(), campaign.seed,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  if (!result.failures.empty()) return found_difference;
  if (settings.minutes > 0 && !result.coverage.enough()) {
    fmt::print("too little: every cell needs 5 scenarios, and half of all must be blocked\n");
    return too_little_covered;
  }
  return 0;
}

int perform(Settings& settings) {
  if (!settings.jobs.empty()) return settings.alone ? run_alone(settings) : compare_jobs(settings);
  if (settings.minutes == 0 && settings.campaign.count == INT64_MAX) settings.minutes = 1;
  return search(settings);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CampaignParams& campaign = settings.campaign;
  campaign.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  campaign.folder = "results/fuzz";
  const Command program = {
      "tools/fuzz",
      "Simulates random networks on SystemC and by the reference, and compares every packet.\n"
      "Exit codes: 0 all are equal, 1 some differ, 2 wrong job or argument, 4 too few scenarios, 5 "
      "files or system.",
      {{"jobs", &settings.jobs, "compare these job files instead of random networks"},
       {"--set", &settings.changes, "change a setting of these jobs: key=value"},
       {"--alone", &settings.alone, "run these jobs by the reference only"},
       Option("--minutes", &settings.minutes, "how long to look").positive(),
       Option("--count", &campaign.count, "how many scenarios at most").positive(),
       {"--seed", &campaign.seed, "other scenarios"},
       Option("--failures", &campaign.failures, "after how many to end").positive(),
       {"--tries", &campaign.tries, "simpler scenarios to try for one that fails"},
       Option("--processes", &campaign.jobs, "how many to use").positive(),
       {"--out", &campaign.folder, "folder for the jobs that fail"}},
      [&settings] { return perform(settings); },
      {}};
  return run_program(program, argc, argv);
}
