// testbenches/tests/timed/experiments/experiment_test.cpp: experiments from the job file to the
// result files.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/experiment.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "testbenches/experiments/experiment_full.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace experiment_test {

using namespace flitwave;

using flitwave::test::ScratchFolder;

namespace {

/// Eight points on a 4x4 mesh: two algorithms, two lengths, two roots.
Scenario broadcasts(const std::string& more = "") {
  return Scenario::parse(R"(
experiment: broadcasts
scenario:
  topology: {kind: mesh, shape: [4, 4]}
  router: {kind: wormhole, preset: single_cycle}
  node: {ports: 3, send_overhead: 10 cycle, receive_overhead: 10 cycle}
  operation: {kind: broadcast, root: 0, message: 8 B}
  algorithm: {kind: edn}
  observe: [{kind: steps}]
sweep:
  algorithm.kind: [edn, recursive_doubling]
  operation.message: [8 B, 64 B]
  operation.root: {sample_nodes: 2}
table: {rows: operation.message, columns: algorithm.kind, value: collective.max, over: operation.root}
)" + more,
                         "experiment.yaml");
}

const Catalog& kinds() {
  static const Catalog catalog = standard_catalog();
  return catalog;
}

ExperimentOptions into(const ScratchFolder& folder, int jobs = 2) {
  ExperimentOptions options;
  options.out = folder.path("out");
  options.jobs = jobs;
  return options;
}

std::string error_of(const Scenario& job, const ExperimentOptions& options) {
  try {
    run_experiment(job, kinds(), options);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// An observer that kills its own process.
class Killer final : public Observer {
 public:
  std::vector<ChannelSite::Kind> channels() const override { return {}; }
  void report(const RunSummary&, Results&) const override { raise(SIGKILL); }
};
struct KillerParams {};

Catalog with_killer() {
  Catalog catalog = standard_catalog();
  catalog.observers.add("killer", {"ends its process", ""}, Schema<KillerParams>{},
                        [](const KillerParams&, const ObserverSite&) {
                          return std::unique_ptr<Observer>(std::make_unique<Killer>());
                        });
  return catalog;
}

}  // namespace

TEST_CASE("a point of an experiment gives the results of its job run alone", "[timed]") {
  const ScratchFolder folder;
  const ExperimentOutcome outcome = run_experiment(broadcasts(), kinds(), into(folder));
  const Experiment experiment = Experiment::read(broadcasts(), kinds());

  REQUIRE(outcome.exit_code() == 0);
  REQUIRE(outcome.finished == 8);
  const std::string csv = folder.read("out/points.csv");
  for (const ExperimentPoint& point : experiment.points()) {
    const Results alone = simulate(experiment.scenario(point.number), kinds());
    REQUIRE(says(csv, alone.fingerprint_text()));
    REQUIRE(says(folder.read("out/points/000" + std::to_string(point.number) + ".json"),
                 alone.fingerprint_text()));
  }
}

TEST_CASE("rows are in the order of points, whichever finishes first", "[timed]") {
  const ScratchFolder one;
  const ScratchFolder many;
  run_experiment(broadcasts(), kinds(), into(one, 1));
  run_experiment(broadcasts(), kinds(), into(many, 5));

  const std::string csv = one.read("out/points.csv");
  REQUIRE(csv.compare(0, 51, "point,algorithm.kind,operation.message,operation.ro") == 0);
  REQUIRE(std::count(csv.begin(), csv.end(), '\n') == 9);
  REQUIRE(csv == many.read("out/points.csv"));
  REQUIRE(one.read("out/table.csv") == many.read("out/table.csv"));
  REQUIRE(one.read("out/results.json") == many.read("out/results.json"));
}

TEST_CASE("a table cell is the mean over the points that share it", "[timed]") {
  const ScratchFolder folder;
  const ExperimentOutcome outcome = run_experiment(broadcasts(), kinds(), into(folder));
  const Experiment experiment = Experiment::read(broadcasts(), kinds());

  double sum = 0;
  for (int point : {0, 1}) sum += simulate(experiment.scenario(point)).value("collective.max");
  const ExperimentTable& table = outcome.tables.at(0);
  REQUIRE(table.columns == std::vector<std::string>{"edn", "recursive_doubling"});
  REQUIRE(table.parts.at(0).rows == std::vector<std::string>{"8 B", "64 B"});
  REQUIRE(*table.parts[0].cells[0][0].value == Approx(sum / 2));
  REQUIRE(says(outcome.text(), "collective.max (cycle), mean of 2 points over operation.root\n"));
}

TEST_CASE("an interrupted experiment keeps its points and continues with the others", "[timed]") {
  const ScratchFolder whole;
  run_experiment(broadcasts(), kinds(), into(whole));
  const ScratchFolder folder;
  ExperimentOptions options = into(folder);
  int done = 0;
  options.progress = [&](const ExperimentProgress& progress) { done = progress.done; };
  options.interrupted = [&] { return done >= 3; };

  const ExperimentOutcome first = run_experiment(broadcasts(), kinds(), options);
  REQUIRE(first.exit_code() == 130);
  REQUIRE(first.finished >= 3);
  REQUIRE(first.finished < 8);
  REQUIRE(says(folder.read("out/results.json"), "\"outcome\": \"partial\""));

  const ExperimentOutcome second = run_experiment(broadcasts(), kinds(), into(folder));
  // Other points may have ended before the interruption.
  REQUIRE(second.found_finished >= first.finished);
  REQUIRE(second.exit_code() == 0);
  REQUIRE(folder.read("out/points.csv") == whole.read("out/points.csv"));
  REQUIRE(folder.read("out/results.json") == whole.read("out/results.json"));
}

TEST_CASE("a killed experiment loses no finished point", "[timed]") {
  const ScratchFolder folder;
  const Scenario job =
      broadcasts("seed: 3\n")
          .with("sweep.operation.message", "[8 B, 16 B, 32 B, 64 B, 128 B, 256 B, 1 KiB]");
  const pid_t child = fork();
  if (child == 0) {
    run_experiment(job, kinds(), into(folder));
    _exit(0);
  }
  while (!folder.has("out/points/0003.json"))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);

  const ExperimentOutcome outcome = run_experiment(job, kinds(), into(folder));
  REQUIRE(WIFSIGNALED(status));
  REQUIRE(outcome.found_finished >= 3);
  REQUIRE(outcome.finished == 28);
}

TEST_CASE("a crashed point is reported, the others finish, and only the crashed one runs again",
          "[timed]") {
  const ScratchFolder folder;
  const Scenario job = broadcasts()
                           .with("sweep",
                                 "{observe: [[{kind: steps}], [{kind: killer}], "
                                 "[{kind: latency}]]}")
                           .without("table");
  const ExperimentOutcome outcome = run_experiment(job, with_killer(), into(folder));

  REQUIRE(outcome.exit_code() == 6);
  REQUIRE(outcome.finished == 2);
  REQUIRE(outcome.failed.size() == 1);
  REQUIRE(outcome.failed[0].number == 1);
  REQUIRE(outcome.failed[0].outcome == Outcome::crashed);
  REQUIRE(says(outcome.failed[0].message, "signal 9"));
  REQUIRE(says(outcome.failed[0].settings, "killer"));
  REQUIRE(says(Scenario::load(outcome.failed[0].job_file).tree().to_yaml(), "kind: killer"));
  REQUIRE(says(folder.read("out/points.csv"), ",crashed\n"));
  REQUIRE(says(folder.read("out/results.json"), "failed_points"));

  const ExperimentOutcome again = run_experiment(job, with_killer(), into(folder));
  REQUIRE(again.found_finished == 2);
  REQUIRE(again.exit_code() == 6);
}

TEST_CASE("a point that does not run to completion counts as failed", "[timed]") {
  const ScratchFolder folder;
  const Scenario job =
      broadcasts("expect: [{value: collective.max, of: {stop.limit: 10 cycle}, less_than: 9}]\n")
          .with("sweep", "{stop.limit: [10000 cycle, 10 cycle]}")
          .without("table");
  const ExperimentOutcome outcome = run_experiment(job, kinds(), into(folder));

  REQUIRE(outcome.exit_code() == 6);
  REQUIRE(outcome.failed.size() == 1);
  REQUIRE(outcome.failed[0].outcome == Outcome::limit);
  REQUIRE_FALSE(outcome.verdicts.at(0).judged);
  REQUIRE_FALSE(outcome.verdicts[0].holds);
}

TEST_CASE("a folder that holds another experiment is rejected without --force", "[timed]") {
  const ScratchFolder folder;
  run_experiment(broadcasts(), kinds(), into(folder));
  const Scenario other = broadcasts("set: {clock.period: 2 ns}\n");

  REQUIRE(says(error_of(other, into(folder)), "--force"));
  ExperimentOptions force = into(folder);
  force.force = true;
  const ExperimentOutcome outcome = run_experiment(other, kinds(), force);
  REQUIRE(outcome.found_finished == 0);
  REQUIRE(outcome.finished == 8);
  REQUIRE(says(error_of(broadcasts(), into(folder)), "holds the results of another job"));
}

TEST_CASE("changing a table or a claim runs no point again", "[timed]") {
  const ScratchFolder folder;
  run_experiment(broadcasts().with("over", "algorithm.kind"), kinds(), into(folder));
  REQUIRE(run_experiment(broadcasts().with("over", "algorithm.kind"), kinds(), into(folder))
              .found_finished == 8);

  const ExperimentOutcome outcome =
      run_experiment(broadcasts()
                         .with("table.value", "steps")
                         .with("expect", "[{value: steps, average: max, less_than: 9}]"),
                     kinds(), into(folder));
  REQUIRE(outcome.found_finished == 8);
  REQUIRE(says(folder.read("out/table.csv"), "\n8 B,3,4\n"));
  REQUIRE(outcome.verdicts.at(0).holds);
}

TEST_CASE("an error in any point is found before anything runs, and nothing is written",
          "[timed]") {
  const ScratchFolder folder;
  const Scenario job = broadcasts().with(
      "sweep",
      "{operation.message: [8 B], algorithm.kind: [edn], topology.shape: [[4, 4], [2, 2, 2, 2]]}");

  const std::string said = error_of(job, into(folder));
  REQUIRE(says(said, "topology.shape: [2, 2, 2, 2]"));
  REQUIRE(says(said, "at the point"));
  REQUIRE_FALSE(folder.has("out"));
}

TEST_CASE("a metric that no point reports is an error, and no file is left behind", "[timed]") {
  const ScratchFolder folder;

  REQUIRE(says(error_of(broadcasts().with("table.value", "collective.maks"), into(folder)),
               "did you mean `collective.max`?"));
  REQUIRE_FALSE(folder.has("out"));
  REQUIRE(says(
      error_of(broadcasts("expect: [{value: step, average: max, less_than: 1}]\n"), into(folder)),
      "experiment.yaml:15"));
}

TEST_CASE("a metric of some points is shown, and an error in a metric loses no finished point",
          "[timed]") {
  const ScratchFolder folder;
  const Scenario job = Scenario::parse(R"(
experiment: draws
scenario:
  topology: {kind: mesh, shape: [4, 4]}
  router: {kind: wormhole, arbitration: random}
  operation: {kind: multicast, source: 0, count: 3, message: 8 B}
  algorithm: separate
sweep: {draws: [1, 3]}
table: {rows: draws, value: collective.max.min}
)",
                                       "experiment.yaml");

  const ExperimentOutcome outcome = run_experiment(job, kinds(), into(folder));

  REQUIRE(outcome.finished == 2);
  const auto& cells = outcome.tables.at(0).parts.at(0).cells;
  REQUIRE_FALSE(cells.at(0).at(0).value);
  REQUIRE(cells.at(1).at(0).value > 8.0);
  REQUIRE(says(error_of(job.with("table.value", "collective.max.ratio"), into(folder)),
               "no metric `collective.max.ratio`"));
  REQUIRE(run_experiment(job, kinds(), into(folder)).found_finished == 2);
}

TEST_CASE("a metric whose observer is in no point is an error before points run", "[timed]") {
  const ScratchFolder folder;

  REQUIRE(says(error_of(broadcasts().with("table.value", "contention.blocked"), into(folder)),
               "no point has the observer contention, which reports contention.blocked"));
  REQUIRE_FALSE(folder.has("out"));
}

TEST_CASE("errors in an experiment name the key at fault", "[timed]") {
  const ScratchFolder folder;
  const auto error_with = [&](const std::string& more) {
    return error_of(broadcasts(more), into(folder));
  };
  REQUIRE(says(error_with("base: x.yaml\n"), "this one has both"));
  REQUIRE(says(error_with("sweeep: {}\n"), "did you mean `sweep`?"));
  REQUIRE(says(error_with("drop: [wave]\n"), "the base has no `wave`"));
  REQUIRE(says(error_with("set: {operation.message: 9 B}\n"), "is swept"));
  REQUIRE(says(error_with("wave: {file: a.vcd}\nwave_of: {algorithm.kind: separate}\n"),
               "no point has these settings"));
  REQUIRE(says(error_with("wave_of: {algorithm.kind: edn}\n"), "section `wave`"));
  REQUIRE(
      says(error_with("expect: [{value: steps, of: {algorithm.kind: separate}, less_than: 1}]\n"),
           "no point has algorithm.kind: separate"));
  REQUIRE(says(error_with("plot: {kind: latency_against_size, of: {algorithm.kind: separate}}\n"),
               "plot.of: no point has algorithm.kind: separate"));
  REQUIRE(says(error_with("plot: {kind: latency_against_size, of: separate}\n"),
               "plot.of: expected a map from settings to values"));
  REQUIRE(says(error_with("expect: [{value: steps}]\n"), "one of less_than"));
  REQUIRE(says(error_of(broadcasts().with("table.rows", "operation.mesage"), into(folder)),
               "did you mean `operation.message`?"));
  REQUIRE(says(error_of(broadcasts().with("scenario.expect", "{steps: 3}"), into(folder)),
               "drop: [expect]"));
  REQUIRE(says(error_with("wave: {file: a.vcd, select: [nothing_*]}\n"), "wave.select"));
  REQUIRE(says(error_with("set: {fidelity: transaction}\nwave: {file: a.vcd}\n"),
               "there are no wires at transaction fidelity"));
  REQUIRE_FALSE(folder.has("out"));
}

TEST_CASE("the wave of one point is recorded as the experiment's wave", "[timed]") {
  const ScratchFolder folder;
  const Scenario job = broadcasts(
      "wave_of: {algorithm.kind: recursive_doubling, operation.message: 64 B}\n"
      "wave: {file: point.vcd, select: [channel_0_0_to_1_0]}\n");
  const ExperimentOutcome outcome = run_experiment(job, kinds(), into(folder));

  REQUIRE(Experiment::read(job, kinds()).wave_point() == 6);
  REQUIRE(says(folder.read("out/point.vcd"), "channel_0_0_to_1_0"));
  REQUIRE(std::count(outcome.files.begin(), outcome.files.end(), "point.vcd") == 1);
}

TEST_CASE("a resolved experiment reads back as itself", "[timed]") {
  const Experiment experiment = Experiment::read(
      broadcasts(
          "set: {clock.period: 3 ns}\nseed: 7\nplot: {kind: latency_against_size, average: max}\n"
          "wave: {file: a.vcd}\nexpect: [{value: steps, average: max, less_than: 9}]\nover: "
          "operation\n"),
      kinds());
  const std::string resolved = experiment.resolved().to_yaml();

  const Experiment again = Experiment::read(Scenario::parse(resolved), kinds());
  REQUIRE(again.resolved().to_yaml() == resolved);
  REQUIRE(again.points().size() == experiment.points().size());
  for (std::size_t i = 0; i < again.points().size(); ++i)
    REQUIRE(again.points()[i].job == experiment.points()[i].job);
  REQUIRE(says(experiment.points()[5].job, "seed: 7"));
  REQUIRE(says(experiment.points()[5].job, "period: 3 ns"));
}

TEST_CASE("an experiment whose seed is swept reads back as itself", "[timed]") {
  for (const std::string seed : {"", "seed: 5\n"}) {
    const Experiment experiment = Experiment::read(Scenario::parse(seed + R"(
experiment: seeds
scenario:
  topology: {kind: mesh, shape: [4, 4]}
  operation: {kind: broadcast, root: 0, message: 8 B}
  algorithm: separate
sweep: {seed: [1, 2]}
)"),
                                                   kinds());
    const std::string resolved = experiment.resolved().to_yaml();
    REQUIRE(Experiment::read(Scenario::parse(resolved), kinds()).resolved().to_yaml() == resolved);
  }
}

TEST_CASE("a setting from the command line applies to all points and to the experiment",
          "[timed]") {
  const Scenario job = with_override(
      with_override(broadcasts(), "channel.buffer", "9 flit", "--set"), "seed", "5", "--set");

  const Experiment experiment = Experiment::read(job, kinds());
  for (const ExperimentPoint& point : experiment.points()) {
    REQUIRE(says(point.job, "buffer: 9 flit"));
    REQUIRE(says(point.job, "seed: 5"));
  }
}

namespace {

/// Reads the experiments of the project, with sanitizers some of them. Those with untimed points
/// take most of the time. Returns: how many there are.
int read_experiments(bool untimed) {
  int found = 0;
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("configs/experiments"))
    if (entry.path().extension() == ".yaml") paths.insert(entry.path());
  for (const std::filesystem::path& path : paths) {
    const Scenario written = Scenario::load(path.string());
    bool has_no_clock = false;
    for (const char* key : {"set.evaluation", "scenario.evaluation", "sweep.evaluation"})
      has_no_clock = has_no_clock || written.tree().find_path(key) != nullptr;
    if (has_no_clock != untimed) continue;
    if (found++ % (test::instrumented ? 8 : 1) != 0) continue;
    INFO(path);
    REQUIRE(Experiment::read(written, kinds()).points().size() > 1);
  }
  return found;
}

}  // namespace

TEST_CASE("the section `full` adds points and claims, and only when requested", "[timed]") {
  const std::string section = R"(
over: [algorithm.kind, operation.message, operation.root]
expect: [{about: EDN is sooner, value: collective.max, of: {algorithm.kind: edn}, less_than: 1000}]
full:
  sweep: {operation.message: [8 B, 64 B, 128 B]}
  expect: [{label: A2, value: collective.max, of: {operation.message: 128 B}, more_than: 0}]
)";
  const Scenario job = broadcasts(section);
  REQUIRE(Experiment::read(job, kinds()).points().size() == 8);
  REQUIRE(Experiment::read(job, kinds()).claims().size() == 1);

  const Experiment full = Experiment::read(Scenario(with_full(job.tree())), kinds());
  REQUIRE(full.points().size() == 12);
  REQUIRE(full.claims().size() == 2);
  REQUIRE(full.claims().back().label == "A2");
  // The resolved job and the written one have the same section `full`.
  const Experiment again =
      Experiment::read(Scenario(Experiment::read(job, kinds()).resolved()), kinds());
  REQUIRE(Experiment::read(Scenario(with_full(again.resolved())), kinds()).points().size() == 12);
}

TEST_CASE("errors in the section `full` name the key at fault", "[timed]") {
  const ScratchFolder folder;
  const auto said = [&](const std::string& section) {
    return error_of(broadcasts(section), into(folder));
  };
  REQUIRE(says(said("full: {sweep: {seed: [1, 2]}}\n"), "does not sweep `seed`"));
  REQUIRE(says(said("full: {seeds: [1, 2]}\n"), "seeds"));
  REQUIRE(says(said("full: 3\n"), "full"));
  REQUIRE(says(said("full: {expect: 3}\n"), "further claims must be a list"));
  REQUIRE_THROWS_WITH(with_full(broadcasts().tree()), Catch::Contains("no section `full`"));
}

TEST_CASE("every timed experiment of the project can be read", "[timed]") {
  REQUIRE(read_experiments(false) >= 4);
}

TEST_CASE("every untimed experiment of the project can be read", "[timed][long]") {
  REQUIRE(read_experiments(true) >= 4);
}

}  // namespace experiment_test
