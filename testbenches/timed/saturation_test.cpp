// testbenches/timed/saturation_test.cpp: the search for the greatest load that is carried.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/saturation.hpp"

#include <set>

#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/experiment.hpp"
#include "flitwave/testbenches/timed/jobs.hpp"
#include "flitwave/testbenches/timed/scratch_folder.hpp"
#include "flitwave/testbenches/unit/configs/refused.hpp"

namespace saturation_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Job some_job() {
  return Job::read(uniform_traffic({{"traffic.measure", "100000 cycle"}}), standard_catalog());
}

/// What a run at this latency and share would have found.
Results run_with(double latency, double worst_share = 1) {
  Results results;
  results.cycles = 1000;
  results.add("latency.mean", latency, "cycle");
  results.add("throughput.accepted", 0.1, "flit/node/cycle");
  results.add("throughput.worst_share", worst_share, "");
  return results;
}

/// A network whose latency is 20 / (1 - rate / limit).
LoadTrial queue_of(double limit) {
  return [limit](double rate, std::uint64_t) {
    return rate < limit ? run_with(20 / (1 - rate / limit)) : Results{};
  };
}

SaturationParams params(double least, double greatest) {
  SaturationParams made;
  made.rate = {Rate{least}, Rate{greatest}};
  made.zero_load = Rate{1e-6};
  return made;
}

}  // namespace

TEST_CASE("saturation is where the latency is three times that at zero load", "[timed]") {
  const double limit = GENERATE(0.152, 0.31, 0.91);

  const Results found = find_saturation(params(0, 1), some_job(), queue_of(limit));

  // 20 / (1 - rate / limit) = 60 at two thirds of the limit.
  REQUIRE(found.outcome == Outcome::complete);
  REQUIRE(found.value("saturation") <= limit * 2 / 3);
  REQUIRE(found.value("saturation") > limit * 2 / 3 - 0.0051);
  REQUIRE(found.value("saturation.zero_load") == Approx(20));
  REQUIRE(found.value("saturation.latency") < 60);
}

TEST_CASE("saturation is where a source is accepted less than 98 % of what it offers", "[timed]") {
  const LoadTrial starved = [](double rate, std::uint64_t) {
    return run_with(20, rate <= 0.25 ? 1 : 0.25 / rate);
  };

  const double found = find_saturation(params(0, 1), some_job(), starved).value("saturation");

  // 0.25 / 0.98 = 0.2551, and a little for what is on its way.
  REQUIRE(found >= 0.25);
  REQUIRE(found <= 0.26);
}

TEST_CASE("a measurement too short to judge shares by says how long it should be", "[timed]") {
  const auto notes = [](const std::string& measure) {
    const Job job =
        Job::read(uniform_traffic({{"traffic.measure", measure + " cycle"}}), standard_catalog());
    return find_saturation(params(0, 1), job, queue_of(0.3)).notes;
  };

  // Packets of 4 flits at two thirds of 0.3 and 20 cycles, and a little, at zero load: 3 * 20 +
  // 4 / 0.2 = 80 cycles, and a little, are 1 % of 8001.
  const std::vector<std::string> short_run = notes("4000");
  REQUIRE(short_run.size() == 1);
  INFO(short_run.front());
  REQUIRE(contains(short_run.front(), "with 96.0 % of its load, 2.0 % less"));
  REQUIRE(contains(short_run.front(), "at least 8001 cycles"));
  REQUIRE(notes("8001").empty());
}

TEST_CASE("a search starts where it is told and goes below when it must", "[timed]") {
  REQUIRE(find_saturation(params(0.4, 0.9), some_job(), queue_of(0.3)).value("saturation") ==
          Approx(0.2).margin(0.0051));
  REQUIRE(find_saturation(params(0.1, 0.5), some_job(), queue_of(0.3)).value("saturation") ==
          Approx(0.2).margin(0.0051));
  const Results beyond = find_saturation(params(0.1, 0.15), some_job(), queue_of(0.3));
  REQUIRE(beyond.value("saturation") == 0.15);
  REQUIRE(contains(beyond.notes.front(), "not saturated at 0.15"));
}

TEST_CASE("every trial has a seed of its own, and most seeds decide", "[timed]") {
  std::set<std::uint64_t> seeds;
  int trials = 0;
  // One of three trials at a rate is bad, whatever the rate up to 0.5.
  const LoadTrial moody = [&](double rate, std::uint64_t seed) {
    seeds.insert(seed);
    ++trials;
    const bool bad = trials % 3 == 0;
    return run_with(rate > 0.5 || (bad && rate > 0.01) ? 1000 : 20);
  };
  SaturationParams three = params(0, 1);
  three.seeds = 3;

  const Results found = find_saturation(three, some_job(), moody);

  REQUIRE(found.value("saturation") == Approx(0.5).margin(0.0051));
  REQUIRE(static_cast<int>(seeds.size()) == trials);
  REQUIRE(found.value("saturation.trials") == trials);
}

TEST_CASE("a trial that fails ends the search with its message", "[timed]") {
  const LoadTrial broken = [](double rate, std::uint64_t) {
    Results results = run_with(20);
    if (rate > 0.3) results.outcome = Outcome::deadlock;
    results.message = "all stuck";
    return results;
  };

  const Results found = find_saturation(params(0, 1), some_job(), broken);

  REQUIRE(found.outcome == Outcome::deadlock);
  REQUIRE(contains(found.message, "at 1 flit/node/cycle: all stuck"));
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
saturation: {resolution: 0.02 flit/node/cycle, seeds: 1, zero_load: 0.02 flit/node/cycle}
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

TEST_CASE("an experiment finds the saturation of each of its points, and finds it again",
          "[timed]") {
  const ScratchFolder folder;

  const ExperimentOutcome first = run_into(folder, search());
  const ExperimentOutcome again = run_into(folder, search());

  REQUIRE(first.exit_code() == 0);
  const auto& cells = first.tables.front().parts.front().cells;
  // A 4x4 mesh carries at most one flit per node and cycle; more virtual channels carry more.
  REQUIRE(*cells[0][0] > 0.3);
  REQUIRE(*cells[1][0] > *cells[0][0]);
  REQUIRE(*cells[1][0] < 1);
  REQUIRE(again.found_finished == 2);
  REQUIRE(again.tables.front().parts.front().cells == cells);
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

TEST_CASE("what a search cannot do is refused before anything runs", "[timed]") {
  const auto refusal = [](const Scenario& experiment) {
    return std::string(refused([&] { Experiment::read(experiment, standard_catalog()); }).what());
  };

  REQUIRE(contains(refusal(search().with("saturation.rate", "[0.5 flit/node/cycle]")),
                   "saturation.rate"));
  REQUIRE(contains(
      refusal(search().with("saturation.rate", "[0.5 flit/node/cycle, 0.2 flit/node/cycle]")),
      "up to a greater one"));
  REQUIRE(contains(refusal(search("sweep: {traffic.rate: [0.1 flit/node/cycle]}\n")),
                   "cannot be swept"));
  REQUIRE(contains(refusal(search().with("drop", "[traffic]")), "no section `traffic`"));
  REQUIRE(contains(refusal(search().with("set", "{observe: [{kind: channel_load}]}")),
                   "needs latencies"));
  REQUIRE(contains(refusal(search().without("sweep").without("saturation")), "sweep"));
  REQUIRE(contains(refusal(search().with("wave", "{file: x.vcd}").with("wave_of", "{}")),
                   "a search runs many times"));
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
  fine.zero_load = Rate{0.005};

  const Results found = find_saturation(fine, transposed, standard_catalog());

  REQUIRE(found.value("saturation") == Approx(1.0 / 7).epsilon(0.03));
}

}  // namespace saturation_test
