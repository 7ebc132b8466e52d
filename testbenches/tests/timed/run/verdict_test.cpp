// testbenches/tests/timed/run/verdict_test.cpp: runs report whether the network carries their load.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/unit/configs/config_error_of.hpp"

namespace verdict_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// A mesh whose buffers, 16 virtual channels of 32 flits, hide an overload for a long time; it
/// carries about 0.427.
Scenario deep_buffers(const std::string& rate, const std::string& measure) {
  return uniform_traffic(
      {{"topology.shape", "[8, 8]"},
       {"channel", "{vcs: 16, buffer: 32 flit}"},
       {"traffic", "{pattern: {kind: uniform, self: true}, packet: 1 flit, rate: " + rate +
                       " flit/node/cycle, measure: " + measure + " cycle}"},
       {"observe", "[{kind: latency}]"}});
}

/// A transposed mesh: seven sources share a channel, which carries 1/7 of each.
Scenario transposed(const std::string& rate) {
  return uniform_traffic(
      {{"topology.shape", "[8, 8]"},
       {"channel", "{vcs: 4, buffer: 8 flit}"},
       {"traffic", "{pattern: transpose, packet: 1 flit, rate: " + rate + " flit/node/cycle}"},
       {"observe", "[{kind: latency}]"}});
}

}  // namespace

TEST_CASE("neither deep buffers nor a short measurement hide an overload", "[timed]") {
  const auto measure = GENERATE(as<std::string>{}, "1000", "4000", "16000");
  if (instrumented && measure != "4000") return;
  CAPTURE(measure);
  const Scenario job = deep_buffers("0.47", measure).with("stop.saturated", "true");

  const Results results = simulate(job);

  CHECK(results.value("saturated") == 1);
  CHECK_FALSE(results.has("latency.mean"));
  CHECK(contains(results.notes.back(), "saturated: the packets in network and sources grew by"));
}

TEST_CASE("a load of nine tenths of the saturation throughput is not saturated", "[timed]") {
  const auto measure = GENERATE(as<std::string>{}, "1000", "4000", "16000");
  if (instrumented && measure != "4000") return;
  CAPTURE(measure);

  CHECK(simulate(deep_buffers("0.384", measure)).value("saturated") == 0);
  CHECK(simulate(transposed("0.128")).value("saturated") == 0);
}

TEST_CASE(
    "a load just above the bound of the busiest channel is saturated in short and in long runs",
    "[timed]") {
  const auto measure = GENERATE(as<std::string>{}, "10000", "40000");
  if (instrumented && measure != "10000") return;

  // 3 % above 1/7.
  CHECK(simulate(transposed("0.1471").with("traffic.measure", measure + " cycle"))
            .value("saturated") == 1);
}

TEST_CASE("a run that stops early has the verdict of the whole run, and rates with intervals",
          "[timed]") {
  const auto rate = GENERATE(as<std::string>{}, "0.13", "0.1471", "0.2", "0.4");
  if (instrumented && rate != "0.13" && rate != "0.4") return;
  CAPTURE(rate);
  const Results all = simulate(transposed(rate));
  const Results early = simulate(transposed(rate).with("stop.saturated", "true"));

  CHECK(early.value("saturated") == all.value("saturated"));
  CHECK(early.cycles <= all.cycles);
  CHECK(all.value("throughput.cycles") == 10000);
  if (rate == "0.13") {
    CHECK(difference(early, all) == "");
  } else {
    CHECK(early.notes == all.notes);
    CHECK(early.cycles < 12000);  // without the drain
  }
  if (rate == "0.4") CHECK(early.value("throughput.cycles") < 10000);
  if (!early.has("throughput.accepted")) return;
  const double half_width = early.value("throughput.accepted.ci95");
  CHECK(half_width <= 0.02 * early.value("throughput.accepted"));
  CHECK(std::abs(early.value("throughput.accepted") - all.value("throughput.accepted")) <
        2 * (half_width + all.value("throughput.accepted.ci95")));
}

TEST_CASE("a rate that is not known within 2 % after a short measurement is not reported",
          "[timed]") {
  const Results brief = simulate(deep_buffers("0.9", "1000").with("stop.saturated", "true"));
  const Results small = simulate(uniform_traffic(
      {{"topology.shape", "[2, 2]"},
       {"traffic", "{packet: 16 flit, rate: 1 flit/node/cycle, measure: 2000 cycle}"},
       {"observe", "[{kind: latency}]"},
       {"stop", "{saturated: true}"}}));

  CHECK(brief.value("throughput.cycles") == 250);
  CHECK(brief.has("throughput.accepted"));
  CHECK(small.value("throughput.cycles") < 2000);
  CHECK_FALSE(small.has("throughput.accepted"));
}

TEST_CASE("the verdict depends neither on the scheduling nor on the build order", "[timed]") {
  const auto rate = GENERATE(as<std::string>{}, "0.13", "0.143", "0.145", "0.2");
  const auto stop = GENERATE(as<std::string>{}, "false", "true");
  if (instrumented && rate != "0.145") return;
  CAPTURE(rate, stop);

  CHECK(difference_between_orders(transposed(rate).with("stop.saturated", stop)) == "");
}

TEST_CASE("a collective under an overload is completed", "[timed]") {
  const Results results =
      simulate(broadcast_beside_traffic()
                   .with("operation.message", instrumented ? "32 B" : "256 B")
                   .with("traffic",
                         "{rate: 0.9 flit/node/cycle, warmup: 10 cycle, measure: 200 cycle, "
                         "drain: 10 cycle}")
                   .with("stop.saturated", "true"));

  CHECK(results.outcome == Outcome::complete);
  CHECK(results.value("saturated") == 1);
  CHECK(results.value("throughput.background.cycles") == 200);
}

TEST_CASE("points of an experiment stop early by default", "[timed]") {
  const auto stops = [](const std::string& more) {
    const Scenario written = Scenario::parse(R"(
experiment: loads
scenario:
  topology: {kind: mesh, shape: [4, 4]}
  router: {kind: wormhole, preset: single_cycle}
  traffic: {packet: 4 flit}
  observe: [{kind: latency}]
sweep: {traffic.rate: [0.1 flit/node/cycle, 0.9 flit/node/cycle]}
)" + more);
    return Experiment::read(written, standard_catalog()).resolved().to_yaml();
  };

  CHECK(contains(stops(""), "saturated: true"));
  CHECK_FALSE(contains(stops("set: {stop.saturated: false}\n"), "saturated: true"));
}

// 0.2 is below the 0.249 that this mesh carries. A run at a greater share of it may be saturated,
// and then has no note on the warm-up.
TEST_CASE("a warm-up that is too short is reported, with a sufficient one", "[timed]") {
  const auto warmup_note = [](const std::string& warmup) {
    const Results results =
        simulate(uniform_traffic({{"topology.shape", "[16, 16]"},
                                  {"channel", "{vcs: 8, buffer: 8 flit}"},
                                  {"traffic",
                                   "{packet: 4 flit, rate: 0.2 flit/node/cycle, measure: 2000 "
                                   "cycle, warmup: " +
                                       warmup + " cycle}"},
                                  {"observe", "[{kind: latency}]"}}));
    REQUIRE(results.value("saturated") == 0);
    std::string found;
    for (const std::string& note : results.notes)
      if (contains(note, "warmup too short")) found = note;
    return found;
  };

  const std::string brief = warmup_note("10");
  INFO(brief);
  const std::string before = "a warmup of ";
  REQUIRE(contains(brief, before));
  const long enough = std::stol(brief.substr(brief.find(before) + before.size()));
  CHECK(enough > 100);
  CHECK(warmup_note(std::to_string(enough)).empty());
}

TEST_CASE("a run that ends before its verdict has none", "[timed][verdict]") {
  const Scenario job = Scenario::parse(R"(
scenario: cut_short
topology: {kind: mesh, shape: [4, 4]}
traffic: {rate: 0.1 flit/node/cycle, packet: 2 flit, warmup: 100 cycle, measure: 1000 cycle}
stop: {limit: 600 cycle}
)",
                                       "test");

  const Results cut = simulate(job);
  REQUIRE(cut.outcome == Outcome::limit);
  CHECK_FALSE(cut.has("saturated"));
  CHECK_FALSE(cut.has("latency.mean"));
  const Results whole = simulate(job.with("stop.limit", "100000 cycle"));
  REQUIRE(whole.outcome == Outcome::complete);
  CHECK(whole.value("saturated") == 0);
}

}  // namespace verdict_test
