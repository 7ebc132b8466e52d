// testbenches/run/init_seeds.cpp: see init_seeds.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/init_seeds.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

namespace flitwave {

namespace {

std::string run_text(const Results& results) {
  const std::string name = names_of(results.outcome)[index(static_cast<int>(results.outcome))];
  if (results.outcome == Outcome::complete) return "fingerprint " + results.fingerprint_text();
  return fmt::format("{}, fingerprint {}: {}", name, results.fingerprint_text(), results.message);
}

}  // namespace

void check_init_seeds(const Job& job, bool in_process) {
  if (in_process)
    throw ConfigError("", "--init-seeds simulates several times, and a process can simulate once",
                      "leave --in-process out");
  if (!job.is_clocked())
    throw error_at(job, "evaluation", "--init-seeds compares simulations, and nothing is simulated",
                   "use evaluation: timed, or leave --init-seeds out");
  if (job.top.draws != 1)
    throw error_at(job, "draws", "--init-seeds compares the fingerprints of one simulation each",
                   "use draws: 1");
}

void compare_init_seeds(const Job& job, int seeds, Outcome simulated,
                        const std::function<Results(const Job&)>& run, Results& results) {
  if (simulated == Outcome::partial) return;
  std::vector<std::string> different;
  for (int i = 1; i < seeds; ++i) {
    Job other = job;
    other.top.init_seed += static_cast<std::uint64_t>(i);
    other.wave.reset();
    const Results found = run(other);
    if (found.outcome == Outcome::partial) {
      results.outcome = Outcome::partial;
      results.message = fmt::format("interrupted after {} of {} values of init_seed", i, seeds);
      return;
    }
    if (found.outcome == simulated && found.fingerprint == results.fingerprint) continue;
    different.push_back(fmt::format("init_seed {}: {}", other.top.init_seed, run_text(found)));
  }
  const std::uint64_t last = job.top.init_seed + static_cast<std::uint64_t>(seeds) - 1;
  if (different.empty()) {
    results.lines.push_back(fmt::format("init_seed {} .. {}: {} runs with equal fingerprints",
                                        job.top.init_seed, last, seeds));
    return;
  }
  std::string text = fmt::format(
      "{} of {} runs differ from that with init_seed {}, fingerprint {}; a register keeps its "
      "initial value through the reset:",
      different.size(), seeds, job.top.init_seed, results.fingerprint_text());
  for (const std::string& line : different) text += "\n  " + line;
  if (!results.message.empty()) text = results.message + "\n" + text;
  results.message = text;
  if (results.outcome == Outcome::complete) results.outcome = Outcome::failed_expectation;
}

}  // namespace flitwave
