// testbenches/fuzz/fuzz.cpp: the program behind tools/fuzz: searches for differences between
// network and reference.
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

/// SystemC's library requires this function; the program has its own main function.
extern "C" int sc_main(int, char**) { return 0; }

namespace {

constexpr int differs = 1;
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
      throw ConfigError("--set", detail::in_quotes(change) + " is not a setting",
                        "write key=value");
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

/// Compares the simulations of jobs from files.
int compare_jobs(const Settings& settings) {
  int code = 0;
  for (const std::string& file : settings.jobs) {
    const Comparison comparison = compare(load(file, settings.changes));
    const bool equal = comparison.difference.empty();
    fmt::print("{}: {}\n", file,
               equal ? fmt::format("equal: {} packets, {} transits", comparison.packets,
                                   comparison.transits)
                     : "DIFFERENT: " + comparison.difference);
    if (!equal) code = differs;
  }
  return code;
}

/// Shows progress on a terminal, in a line that is overwritten.
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
  if (!result.failures.empty()) return differs;
  if (settings.minutes > 0 && !result.coverage.enough()) {
    fmt::print(
        "insufficient coverage: every cell needs 5 scenarios, and half of all must be blocked\n");
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
       Option("--minutes", &settings.minutes, "duration of the search").positive(),
       Option("--count", &campaign.count, "greatest number of scenarios").positive(),
       {"--seed", &campaign.seed, "seed of the scenarios"},
       Option("--failures", &campaign.failures, "number of failures after which the search ends")
           .positive(),
       {"--tries", &campaign.tries, "simpler scenarios tried for one that fails"},
       Option("--processes", &campaign.jobs, "number of processes").positive(),
       {"--out", &campaign.folder, "folder for failing jobs"}},
      [&settings] { return perform(settings); },
      {}};
  return run_program(program, argc, argv);
}
