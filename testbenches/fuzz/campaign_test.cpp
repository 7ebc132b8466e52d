// testbenches/fuzz/campaign_test.cpp: failures are found, shrunk, saved and repeated.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz/campaign.hpp"

#include <algorithm>
#include <filesystem>

#include "testbenches/fuzz/shrink.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace campaign_test {

using namespace flitwave;
using namespace flitwave::fuzz;

namespace {

/// A fault that appears with two or more virtual channels and five or more cycles of sources.
Comparison faulty(const Case& input) {
  Comparison comparison;
  if (input.vcs >= 2 && input.measure >= 5 && input.handshake == "credit")
    comparison.difference = "one\nfault";
  return comparison;
}

}  // namespace

TEST_CASE("a failing case is shrunk to the settings that make it fail", "[fuzz]") {
  for (int number = 0; number < 80; ++number) {
    const Case drawn = draw_case(7, number);
    if (faulty(drawn).difference.empty()) continue;

    const Case simple = shrink(drawn, 10'000, [](const Case& input) {
      return input.vcs >= 2 && !faulty(input).difference.empty();
    });

    INFO(scenario_of(simple).tree().to_yaml());
    CHECK(simple.vcs == 2);
    CHECK(simple.measure == 5);
    CHECK(simple.nodes() == 2);
    CHECK(simple.longest() == 1);
    CHECK(simple.ports == 1);
    CHECK(simple.shots.size() <= 1);
    CHECK(simple.switching == "wormhole");
    CHECK(simple.pattern == "uniform");
    CHECK(*std::max_element(simple.delays.begin(), simple.delays.end()) == 0);
  }
}

TEST_CASE("every simpler case is a job that network and reference can run", "[fuzz]") {
  for (int number = 0; number < 160; number += 7)
    for (const Case& input : simpler(draw_case(3, number))) {
      const RunnableCase runnable(input);
      const Job job = Job::read(runnable.scenario(), standard_catalog());
      INFO(runnable.scenario().tree().to_yaml());
      CHECK_NOTHROW(reference_params(job, Plan::make(job)));
    }
}

TEST_CASE("a failing trace is shrunk to the relevant packets and saved beside its job", "[fuzz]") {
  const test::ScratchFolder folder;
  CampaignParams params;
  params.folder = folder.path("failures");
  params.tries = 2000;
  params.failures = 1;
  params.judge = [](const Case& input) {
    Comparison comparison;
    for (const Shot& shot : input.shots)
      if (shot.flits >= 3 && shot.from != shot.to) comparison.difference = "a long packet";
    return comparison;
  };

  const CampaignResult result = run_campaign(params, {});

  REQUIRE(result.failures.size() == 1);
  const Scenario saved = Scenario::load(result.failures.front().file);
  const Plan plan = Plan::make(Job::read(saved, standard_catalog()));
  REQUIRE(plan.trace);
  REQUIRE(plan.trace->packets().size() == 1);
  CHECK(plan.trace->packets().front().flits == 3);
  CHECK(compare(saved).difference.empty());
}

TEST_CASE("failing cases end the search and are saved as jobs with their differences", "[fuzz]") {
  const test::ScratchFolder folder;
  CampaignParams params;
  params.judge = faulty;
  params.jobs = 2;
  params.failures = 3;
  params.folder = folder.path("failures");

  const CampaignResult result = run_campaign(params, {});

  REQUIRE(result.failures.size() == 3);
  for (const Failure& failure : result.failures) {
    CHECK(failure.difference == "one\nfault");
    const Scenario saved = Scenario::load(failure.file);
    CHECK(saved.tree().find_path("channel.vcs")->text() == "2");
    CHECK(compare(saved).difference.empty());  // the judge made the fault
  }
}

TEST_CASE("a case that cannot be simulated counts as a failure", "[fuzz]") {
  CampaignParams params;
  params.count = 3;
  params.judge = [](const Case&) -> Comparison { throw ModelError("a fault"); };

  const CampaignResult result = run_campaign(params, {});

  REQUIRE(result.failures.size() == 3);
  CHECK(result.failures.front().difference == "not simulated: a fault");
}

TEST_CASE("a search is sufficient when every cell has five cases and half of all are blocked",
          "[fuzz]") {
  Comparison blocked;
  blocked.blocked = 0.2;
  Coverage coverage;
  for (int round = 0; round < 5; ++round) {
    CHECK(!coverage.enough());
    for (const Cell& cell : cells()) coverage.add(cell, round < 3 ? blocked : Comparison());
  }
  CHECK(coverage.enough());
  CHECK(coverage.least() == 5);
  CHECK(coverage.blocked() == Approx(0.6));

  for (const Cell& cell : cells())
    for (int more = 0; more < 2; ++more) coverage.add(cell, Comparison());
  CHECK(!coverage.enough());
}

}  // namespace campaign_test
