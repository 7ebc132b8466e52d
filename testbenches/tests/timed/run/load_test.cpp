// testbenches/tests/timed/run/load_test.cpp: offered load, accepted load, and saturation.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/unit/configs/config_error_of.hpp"

namespace load_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Scenario mesh_under(const std::string& pattern, const std::string& rate) {
  return uniform_traffic({{"topology.shape", "[8, 8]"},
                          {"channel", "{vcs: 4, buffer: 8 flit}"},
                          {"traffic", "{pattern: " + pattern + ", rate: " + rate +
                                          " flit/node/cycle, packet: 1 flit, measure: 5000 cycle}"},
                          {"observe", "[{kind: latency}]"}});
}

}  // namespace

TEST_CASE("below saturation the accepted load of every source equals the offered load", "[timed]") {
  const auto injection = GENERATE(as<std::string>{}, "bernoulli", "periodic", "bursty");

  const Results results =
      simulate(mesh_under("uniform", "0.2").with("traffic.injection", injection));

  INFO(injection);
  REQUIRE(results.value("saturated") == 0);
  REQUIRE(results.value("throughput.offered") == Approx(0.2).epsilon(0.03));
  REQUIRE(results.value("throughput.accepted") ==
          Approx(results.value("throughput.offered")).epsilon(0.01));
  REQUIRE(results.value("throughput.worst_share") > 0.85);
  REQUIRE(results.value("throughput.worst_share") < 1);
  REQUIRE(std::abs(results.value("source_queue.growth")) < 0.001);
}

TEST_CASE("the mean latency of a run has a 95 % interval that agrees with another seed",
          "[timed]") {
  const Results one = simulate(mesh_under("uniform", "0.3"));
  const Results other = simulate(mesh_under("uniform", "0.3").with("seed", "2"));

  REQUIRE(one.value("latency.batches") >= 30);
  REQUIRE(one.value("latency.ci95") > 0.01);
  REQUIRE(one.value("latency.ci95") < 0.05 * one.value("latency.mean"));
  REQUIRE(std::abs(one.value("latency.mean") - other.value("latency.mean")) <
          2 * (one.value("latency.ci95") + other.value("latency.ci95")));
}

TEST_CASE("beyond saturation no latency is reported, and the note states the growth", "[timed]") {
  // Seven sources of the transpose share a channel, so the bound is 1/7.
  const Results below = simulate(mesh_under("transpose", "0.12"));
  const Results beyond = simulate(mesh_under("transpose", "0.2"));

  REQUIRE(below.value("saturated") == 0);
  REQUIRE(below.has("latency.mean"));
  REQUIRE(beyond.outcome == Outcome::complete);
  REQUIRE(beyond.value("saturated") == 1);
  REQUIRE_FALSE(beyond.has("latency.mean"));
  REQUIRE_FALSE(beyond.has("latency.ci95"));
  REQUIRE(beyond.has("throughput.accepted"));
  REQUIRE(beyond.value("throughput.worst_share") < 0.9);
  REQUIRE(beyond.value("source_queue.growth") > 0.001);
  REQUIRE(contains(beyond.notes.back(), "saturated: the packets in network and sources grew"));
}

TEST_CASE(
    "a rate above the capacity of the busiest channel causes a warning, however deep buffers are",
    "[timed]") {
  const auto warnings = [](const Scenario& load) {
    return simulate(load.with("traffic.measure", "100 cycle")).notes;
  };
  const Results uniform = simulate(mesh_under("{kind: uniform, self: true}", "0.4"));
  const Results transpose = simulate(mesh_under("transpose", "0.14"));

  // Half of the nodes of a row of eight send half of their flits across its middle.
  REQUIRE(uniform.value("throughput.bound") == Approx(0.5));
  REQUIRE(transpose.value("throughput.bound") == Approx(1.0 / 7));
  REQUIRE(warnings(mesh_under("transpose", "0.142")).empty());
  REQUIRE(warnings(mesh_under("transpose", "0.145").with("channel.buffer", "1000 flit"))
              .front()
              .find("traffic.rate: 0.145 flit/node/cycle is more than the 0.1429 at which channel "
                    "0_0_to_0_1 carries a flit in every cycle") == 0);
}

TEST_CASE("injection and ejection channels bound the rate, too", "[timed]") {
  const auto bound = [](const std::string& pattern, const std::string& ports) {
    return simulate(mesh_under(pattern, "0.01").with("node.ports", ports))
        .value("throughput.bound");
  };
  const std::string to_one = "{kind: hotspot, nodes: [[1, 1]], share: 1}";
  // One ejection channel carries the flits of all 63 nodes; the channel above it those of the six
  // rows above.
  REQUIRE(bound(to_one, "1") == Approx(1.0 / 63));
  REQUIRE(bound(to_one, "4") == Approx(1.0 / 48));
  REQUIRE(bound("neighbor", "1") == Approx(1.0 / 1));
}

TEST_CASE("routers that share a medium have no bound by channels", "[timed]") {
  const Results results = simulate(mesh_under("uniform", "0.01")
                                       .with("topology", "{kind: complete, nodes: 4}")
                                       .without("channel")
                                       .with("routing", "shortest_path")
                                       .with("router", "station"));
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE_FALSE(results.has("throughput.bound"));
}

TEST_CASE("a routing function with alternatives has no bound", "[timed]") {
  const Results results = simulate(mesh_under("uniform", "0.01").with("routing", "west_first"));
  REQUIRE_FALSE(results.has("throughput.bound"));
}

TEST_CASE("bursts wait longer than periodic packets at the same load", "[timed]") {
  const auto latency = [](const std::string& injection) {
    return simulate(mesh_under("uniform", "0.2")
                        .with("traffic.packet", "4 flit")
                        .with("traffic.injection", injection))
        .value("latency.mean");
  };

  const double bernoulli = latency("bernoulli");
  REQUIRE(latency("periodic") < bernoulli);
  REQUIRE(latency("{kind: bursty, burst: 40 cycle, peak: 0.8 flit/node/cycle}") > bernoulli);
}

TEST_CASE("a trace's packets are created in their cycles, and the run ends with the last of them",
          "[timed]") {
  const ScratchFolder folder;
  std::ofstream(folder.path("trace.txt")) << "40 0_0 2_2 3\n0 5 1 1\n7 1_1 1_1 2\n40 0 8 1\n";
  const Scenario scenario = Scenario::parse(R"(
scenario: traced
topology: {kind: mesh, shape: [3, 3]}
trace: {file: trace.txt}
observe: [{kind: latency, packets: true}]
)",
                                            folder.path("job.yaml"));

  const Results results = simulate(scenario);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  const Table& table = results.table("packets");
  REQUIRE(column(table, "flits") == std::vector<double>{3, 1, 2, 1});
  // Sources start in cycle 1, which is cycle 0 of the trace.
  REQUIRE(column(table, "created") == std::vector<double>{41, 41, 8, 1});
  REQUIRE(results.cycles < 100);
  REQUIRE(results.value("throughput.offered") == Approx(7.0 / 41 / 9));
}

TEST_CASE("a trace's window excludes packets before and after it", "[timed]") {
  const ScratchFolder folder;
  std::ofstream file(folder.path("trace.txt"));
  for (int cycle = 0; cycle < 100; ++cycle) file << cycle * 10 << " 0 3 2\n";
  file.close();
  const Scenario scenario = Scenario::parse(R"(
scenario: traced
topology: {kind: mesh, shape: [4]}
trace: {file: trace.txt, warmup: 200 cycle, measure: 300 cycle}
)",
                                            folder.path("job.yaml"));

  REQUIRE(simulate(scenario).value("latency.packets") == 30);
  REQUIRE(simulate(scenario.with("trace.measure", "0 cycle")).value("latency.packets") == 80);
}

TEST_CASE("a job has at most one kind of load in addition to its operation", "[timed]") {
  const ScratchFolder folder;
  std::ofstream(folder.path("trace.txt")) << "0 0 1 1\n";
  const Scenario traced =
      Scenario::parse("scenario: x\ntopology: {kind: mesh, shape: [3]}\ntrace: {file: trace.txt}\n",
                      folder.path("job.yaml"));

  const ConfigError both = config_error_of(
      [&] { Job::read(traced.with("traffic.rate", "0.1 flit/node/cycle"), standard_catalog()); });
  REQUIRE(contains(both.what(), "trace: a second load beside `traffic`"));
  const ConfigError missing = config_error_of(
      [&] { Job::read(traced.with("trace.file", "no_such.txt"), standard_catalog()); });
  REQUIRE(contains(missing.what(), "trace.file: cannot read"));
}

TEST_CASE("a trace and a pattern's file are located from the resolved job", "[timed]") {
  const ScratchFolder folder;
  std::ofstream(folder.path("trace.txt")) << "0 0 1 1\n";
  const Scenario traced =
      Scenario::parse("scenario: x\ntopology: {kind: mesh, shape: [3]}\ntrace: {file: trace.txt}\n",
                      folder.path("job.yaml"));

  const ConfigNode resolved = Job::read(traced, standard_catalog()).resolved();

  REQUIRE(Job::read(Scenario(resolved), standard_catalog()).resolved() == resolved);
}

}  // namespace load_test
