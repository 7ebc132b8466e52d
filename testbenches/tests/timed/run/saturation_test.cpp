// testbenches/tests/timed/run/saturation_test.cpp: the search for the greatest load that is
// carried.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/saturation.hpp"

#include <set>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/unit/configs/config_error_of.hpp"

namespace saturation_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Job some_job() { return Job::read(uniform_traffic({}), standard_catalog()); }

/// The results of a run with this verdict.
Results run_with(bool saturated) {
  Results results;
  results.cycles = 1000;
  results.add("saturated", saturated ? 1 : 0, "");
  if (!saturated) results.add("latency.mean", 20, "cycle");
  results.add("throughput.accepted", 0.1, "flit/node/cycle");
  return results;
}

/// A network that carries loads up to `limit`.
LoadTrial network_of(double limit) {
  return [limit](double rate, std::uint64_t) { return run_with(rate > limit); };
}

SaturationParams params(double least, double greatest) {
  SaturationParams made;
  made.rate = {Rate{least}, Rate{greatest}};
  return made;
}

}  // namespace

TEST_CASE("saturation is the greatest rate at which a run is not saturated", "[timed]") {
  const double limit = GENERATE(0.152, 0.31, 0.91);

  const Results found = find_saturation(params(0, 1), some_job(), network_of(limit));

  REQUIRE(found.outcome == Outcome::complete);
  REQUIRE(found.value("saturation") <= limit);
  REQUIRE(found.value("saturation") > limit - 0.0051);
  REQUIRE(found.value("saturation.latency") == 20);
  REQUIRE(found.value("saturation.accepted") == 0.1);
}

TEST_CASE("a search starts within its range and continues below it if necessary", "[timed]") {
  REQUIRE(find_saturation(params(0.4, 0.9), some_job(), network_of(0.2)).value("saturation") ==
          Approx(0.2).margin(0.0051));
  REQUIRE(find_saturation(params(0.1, 0.5), some_job(), network_of(0.2)).value("saturation") ==
          Approx(0.2).margin(0.0051));
  const Results beyond = find_saturation(params(0.1, 0.15), some_job(), network_of(0.2));
  REQUIRE(beyond.value("saturation") == 0.15);
  REQUIRE(contains(beyond.notes.front(), "not saturated at 0.15"));
}

TEST_CASE("every trial has its own seed, and the majority of seeds decides", "[timed]") {
  std::set<std::uint64_t> seeds;
  int trials = 0;
  // One of three trials at a rate is saturated, at any rate up to 0.5.
  const LoadTrial unreliable = [&](double rate, std::uint64_t seed) {
    seeds.insert(seed);
    ++trials;
    const bool bad = trials % 3 == 0;
    return run_with(rate > 0.5 || bad);
  };
  SaturationParams three = params(0, 1);
  three.seeds = 3;

  const Results found = find_saturation(three, some_job(), unreliable);

  REQUIRE(found.value("saturation") == Approx(0.5).margin(0.0051));
  REQUIRE(static_cast<int>(seeds.size()) == trials);
  REQUIRE(found.value("saturation.trials") == trials);
}

TEST_CASE("a trial that fails ends the search with its message", "[timed]") {
  const LoadTrial failing = [](double rate, std::uint64_t) {
    Results results = run_with(false);
    if (rate > 0.3) results.outcome = Outcome::deadlock;
    results.message = "deadlock";
    return results;
  };

  const Results found = find_saturation(params(0, 1), some_job(), failing);

  REQUIRE(found.outcome == Outcome::deadlock);
  REQUIRE(contains(found.message, "at 1 flit/node/cycle: deadlock"));
}

namespace {

Scenario search(const std::string& more = "sweep: {channel.vcs: [1, 2]}\n") {
  return Scenario::parse(R"(
experiment: search
scenario:
  topology: {kind: mesh, shape: [4, 4]}
  router: {kind: wormhole, preset: single_cycle}
  channel: {buffer: 4 flit}
  traffic: {packet: 4 flit, warmup: 300 cycle, measure: 3000 cycle}
  observe: [{kind: latency}]
saturation: {resolution: 0.02 flit/node/cycle, seeds: 1}
table: {rows: channel.vcs, value: saturation}
)" + more,
                         "experiment.yaml");
}

ExperimentOutcome run_into(const ScratchFolder& folder, const Scenario& experiment) {
  ExperimentOptions options;
  options.out = folder.path("out");
  options.jobs = 2;
  return run_experiment(experiment, standard_catalog(), options);
}

}  // namespace

TEST_CASE("an experiment finds the saturation of each point and reads it again from its results",
          "[timed]") {
  const ScratchFolder folder;

  const ExperimentOutcome first = run_into(folder, search());
  const ExperimentOutcome again = run_into(folder, search());

  REQUIRE(first.exit_code() == 0);
  const auto& cells = first.tables.front().parts.front().cells;
  // A 4x4 mesh carries at most one flit per node and cycle; more virtual channels carry more.
  REQUIRE(*cells[0][0].value > 0.3);
  REQUIRE(*cells[1][0].value > *cells[0][0].value);
  REQUIRE(*cells[1][0].value < 1);
  REQUIRE(again.found_finished == 2);
  REQUIRE(again.tables.front().csv().rows == first.tables.front().csv().rows);
}

TEST_CASE("a search needs no sweep", "[timed]") {
  const ScratchFolder folder;

  const ExperimentOutcome outcome = run_into(folder, search(""));

  REQUIRE(outcome.points == 1);
  REQUIRE(outcome.exit_code() == 0);
  const Experiment experiment = Experiment::read(search(""), standard_catalog());
  const std::string resolved = experiment.resolved().to_yaml();
  REQUIRE(Experiment::read(Scenario::parse(resolved), standard_catalog()).resolved().to_yaml() ==
          resolved);
}

TEST_CASE("an impossible search is rejected before anything runs", "[timed]") {
  const auto error_of = [](const Scenario& experiment) {
    return std::string(
        config_error_of([&] { Experiment::read(experiment, standard_catalog()); }).what());
  };

  REQUIRE(contains(error_of(search().with("saturation.rate", "[0.5 flit/node/cycle]")),
                   "saturation.rate"));
  REQUIRE(contains(
      error_of(search().with("saturation.rate", "[0.5 flit/node/cycle, 0.2 flit/node/cycle]")),
      "expected two ascending rates"));
  REQUIRE(contains(error_of(search("sweep: {traffic.rate: [0.1 flit/node/cycle]}\n")),
                   "cannot be swept"));
  REQUIRE(contains(error_of(search().with("drop", "[traffic]")), "no section `traffic`"));
  REQUIRE(contains(error_of(search().with("set", "{observe: [{kind: channel_load}]}")),
                   "needs latencies"));
  REQUIRE(contains(error_of(search().without("sweep").without("saturation")), "sweep"));
  REQUIRE(contains(error_of(search().with("wave", "{file: x.vcd}").with("wave_of", "{}")),
                   "a search consists of many runs"));
}

TEST_CASE("a transposed mesh saturates within 3 % of its channel-load bound", "[timed][long]") {
  const Scenario transposed = uniform_traffic(
      {{"topology.shape", "[8, 8]"},
       {"channel", "{vcs: 4, buffer: 8 flit}"},
       {"traffic",
        "{pattern: transpose, packet: 1 flit, rate: 0.1 flit/node/cycle, warmup: 2000 "
        "cycle, measure: 40000 cycle}"},
       {"observe", "[{kind: latency}]"}});
  SaturationParams fine = params(0.1, 0.2);
  fine.resolution = Rate{0.001};

  const Results found = find_saturation(fine, transposed, standard_catalog());

  REQUIRE(found.value("saturation") == Approx(1.0 / 7).epsilon(0.03));
}

}  // namespace saturation_test
