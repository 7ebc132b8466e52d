// testbenches/tests/golden/golden_test.cpp: the scenarios of configs/ give the recorded results.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "testbenches/job/needed_parts.hpp"
#include "testbenches/run/expectations.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"

namespace golden_test {

using namespace flitwave;

namespace {

// Tests run in the source folder.
const char* const table_file = "testbenches/tests/golden/fingerprints.csv";

std::vector<std::filesystem::path> scenario_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("configs/scenarios"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The line of each scenario, by its name.
std::map<std::string, std::string> golden() {
  std::map<std::string, std::string> lines;
  std::ifstream file(table_file);
  std::string line;
  std::getline(file, line);
  REQUIRE(line == "scenario,cycles,transits,fingerprint");
  while (std::getline(file, line)) lines[line.substr(0, line.find(','))] = line;
  return lines;
}

}  // namespace

TEST_CASE("every scenario meets its expectations and moves each flit as recorded", "[golden]") {
  std::map<std::string, std::string> lines = golden();
  for (const auto& file : scenario_files()) {
    const Scenario scenario = Scenario::load(file.string());
    if (!has_needed_part(scenario.tree())) continue;
    const Catalog& catalog = standard_catalog();
    const Job job = Job::read(scenario, catalog);
    Results results = simulate(job, Plan::make(job), {});
    judge(job.expectations, results);

    INFO(file << ": " << results.message);
    CHECK(results.outcome == Outcome::complete);
    CHECK(job.name == file.stem());
    const std::string line = fmt::format("{},{},{:.0f},{}", job.name, results.cycles,
                                         results.value("transits"), results.fingerprint_text());
    INFO("record an intended change in " << table_file << ", in a separate commit");
    CHECK(line == lines[job.name]);
    lines.erase(job.name);
  }
  CHECK(lines.empty());
}

}  // namespace golden_test
