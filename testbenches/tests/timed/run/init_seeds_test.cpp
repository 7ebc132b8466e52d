// testbenches/tests/timed/run/init_seeds_test.cpp: a register that the reset does not reach is
// found by other initial values.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/init_seeds.hpp"

#include <string>
#include <vector>

#include "configs/error.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/opaque_router.hpp"

namespace init_seeds_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

struct Compared {
  Results results;
  std::vector<std::uint64_t> seeds;  // of the further runs
  std::vector<std::uint64_t> fingerprints;
};

Compared compare(const Scenario& scenario, int seeds) {
  const Catalog catalog = with_opaque_routers();
  const Job job = Job::read(scenario, catalog);
  const Plan plan = Plan::make(job);
  check_init_seeds(job, false);
  Compared compared;
  compared.results = simulate(job, plan, {});
  compare_init_seeds(
      job, seeds, compared.results.outcome,
      [&](const Job& other) {
        const Results results = simulate(other, plan, {});
        compared.seeds.push_back(other.top.init_seed);
        compared.fingerprints.push_back(results.fingerprint);
        return results;
      },
      compared.results);
  return compared;
}

std::string error_of(const Scenario& scenario, bool in_process = false) {
  try {
    check_init_seeds(Job::read(scenario, standard_catalog()), in_process);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a router whose registers are reset has equal fingerprints for all initial values",
          "[timed]") {
  const Compared compared = compare(uniform_traffic({{"router", "{kind: opaque}"}}), 4);
  CHECK(compared.results.outcome == Outcome::complete);
  CHECK(compared.seeds == std::vector<std::uint64_t>{2, 3, 4});
  REQUIRE(compared.results.lines.size() == 1);
  CHECK(compared.results.lines[0] == "init_seed 1 .. 4: 4 runs with equal fingerprints");
}

TEST_CASE("a register that keeps its initial value fails the run, and the seeds are named",
          "[timed]") {
  const Scenario job =
      uniform_traffic({{"router",
                        "{kind: wormhole, preset: single_cycle, at: [{nodes: [[1, 1]], "
                        "kind: opaque, unreset: true}]}"},
                       {"init_seed", "5"}});
  const Compared compared = compare(job, 8);

  CHECK(compared.seeds == std::vector<std::uint64_t>{6, 7, 8, 9, 10, 11, 12});
  CHECK(compared.results.outcome == Outcome::failed_expectation);
  CHECK(exit_code(compared.results.outcome) == 4);
  int different = 0;
  for (std::size_t i = 0; i < compared.seeds.size(); ++i) {
    const std::string line = "init_seed " + std::to_string(compared.seeds[i]) + ": fingerprint ";
    const bool differs = compared.fingerprints[i] != compared.results.fingerprint;
    different += differs ? 1 : 0;
    CAPTURE(compared.results.message, line);
    CHECK((compared.results.message.find(line) != std::string::npos) == differs);
  }
  CHECK(different > 0);
  CHECK(different < 7);  // the register has four values
  CHECK_THAT(compared.results.message,
             Catch::Contains(std::to_string(different) + " of 8 runs differ from that with "
                                                         "init_seed 5"));
}

TEST_CASE("init_seed changes nothing but the initial values of registers", "[timed]") {
  const Scenario job = uniform_traffic();
  CHECK(difference(simulate(job.with("init_seed", "77")), simulate(job)) == "");
}

TEST_CASE("a comparison of initial values needs simulations with one fingerprint", "[timed]") {
  CHECK_THAT(error_of(uniform_traffic({{"draws", "3"}})),
             Catch::Contains("draws: --init-seeds compares the fingerprints"));
  CHECK_THAT(error_of(uniform_traffic(), true), Catch::Contains("leave --in-process out"));
  CHECK_THAT(error_of(Scenario::parse(
                 "scenario: t\nevaluation: {kind: untimed}\ntopology: {kind: mesh, shape: [3, 3]}\n"
                 "operation: {kind: broadcast, source: [0, 0], message: 8 B}\n"
                 "algorithm: {kind: separate}\n")),
             Catch::Contains("nothing is simulated"));
  CHECK(error_of(uniform_traffic()) == "");
}

}  // namespace init_seeds_test
