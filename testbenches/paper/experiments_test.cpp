// testbenches/paper/experiments_test.cpp: the experiments of configs/ run, and their claims hold.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "flitwave/testbenches/catalog.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/experiment.hpp"
#include "flitwave/testbenches/timed/scratch_folder.hpp"

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Runs an experiment of configs/experiments (tests run in the source folder) and requires every
/// point to end well and every claim to hold.
void require_claims(const std::string& file, const std::string& roots = "") {
  const ScratchFolder folder;
  Scenario experiment = Scenario::load("configs/experiments/" + file);
  if (!roots.empty()) experiment = with_override(experiment, "sweep.operation.root", roots);
  ExperimentOptions options;
  options.out = folder.path("out");

  const ExperimentOutcome outcome = run_experiment(experiment, standard_catalog(), options);

  INFO(outcome.text());
  REQUIRE(outcome.points > 10);
  REQUIRE(outcome.finished == outcome.points);
  REQUIRE(outcome.verdicts.size() > 2);
  REQUIRE(outcome.exit_code() == 0);
}

}  // namespace

TEST_CASE("the quickstart's claims hold", "[paper]") { require_claims("quickstart.yaml"); }

TEST_CASE("load raises latency, and virtual channels lower it", "[paper]") {
  require_claims("latency_against_load.yaml");
}

TEST_CASE("packets wait for virtual channels, or for the switch", "[paper]") {
  require_claims("latency_anatomy.yaml");
}

TEST_CASE("the claims of figure 3.14 hold for some sources", "[paper]") {
  require_claims("tsai_1997/fig_3_14.yaml", "{sample_nodes: 3}");
}

TEST_CASE("the claims of figure 3.14 hold for all sources", "[paper][long]") {
  require_claims("tsai_1997/fig_3_14.yaml");
}

TEST_CASE("the claims of figure 3.15 hold", "[paper][long]") {
  require_claims("tsai_1997/fig_3_15.yaml");
}
