// testbenches/tests/timed/run/metrics_test.cpp: runs report the declared metrics.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "testbenches/job/declared_metrics.hpp"
#include "testbenches/job/needed_parts.hpp"
#include "testbenches/job/results/metric_info.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace metrics_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

const MetricInfos& declared() {
  static const MetricInfos metrics = declared_metrics(standard_catalog());
  return metrics;
}

Scenario job(const std::string& text) { return Scenario::parse("scenario: metrics\n" + text); }

/// Jobs that, with the shipped ones, report every metric except those of searches.
std::vector<Scenario> jobs() {
  const std::string mesh = "topology: {kind: mesh, shape: [4, 4]}\n";
  const std::string cube = "topology: {kind: hypercube, dimensions: 4}\n";
  const std::string load =
      "traffic: {rate: 0.02 flit/node/cycle, packet: 2 flit, warmup: 50 cycle, measure: 2000 "
      "cycle}\nobserve: [{kind: latency}, {kind: anatomy}, {kind: channel_load}]\n";
  const std::string broadcast =
      "operation: {kind: broadcast, root: [0, 0], message: 64 B}\n"
      "observe: [{kind: latency}, {kind: anatomy}, {kind: contention}, {kind: prediction}, "
      "{kind: steps}]\n";
  const std::string transpose =
      "operation: {kind: redistribute, shape: [4, 4], from: [1, 1], to: [1, 1], alignment: "
      "transposed}\nalgorithm: {kind: two_ended_transposition}\n";
  const auto multicasts = [&](const std::string& gap, const std::string& router) {
    return cube + "channel: {handshake: request, buffer: 64 flit}\n" +
           "router: {kind: greedy_multicast, " + router +
           "}\noperation: {kind: multicasts, destinations: 4, message: 16 B, gap: " + gap +
           ", warmup: 0 cycle, measure: 10000 cycle, cooldown: 0 cycle}\n"
           "algorithm: {kind: hardware_multicast}\n"
           "observe: [{kind: latency}, {kind: steps}, {kind: routers}]\n";
  };
  return {
      job(mesh + load),
      job(mesh + load + "router: {kind: circuit}\nchannel: {handshake: acknowledge}\n"),
      job(mesh + broadcast + "algorithm: {kind: edn}\nnode: {ports: all}\n"),
      job(mesh + "operation: {kind: broadcast, root: [0, 0], message: 64 B}\n" +
          "algorithm: {kind: recursive_doubling}\nrouter: {kind: cascade}\n"
          "node: {ports: 1}\nobserve: [{kind: anatomy}]\n"),
      job(multicasts("100 cycle", "buffers: faithful") +
          "allow_deadlock: true\ncount_deadlock: true\n"),
      job(multicasts("2000 cycle", "fault_tolerant: true, buffers: hop_classes") +
          "faults: {random: {nodes: 1, draws: 50}, later: [{onset: 500 cycle, links: [[0, "
          "1]]}]}\n"),
      job(cube + "node: {ports: all}\nevaluation: untimed\ndraws: 5\nobserve: []\n"
                 "operation: {kind: multicast, source: 0, count: 4, message: 8 B}\n"
                 "algorithm: {kind: greedy_multicast}\ncompare: {kind: optimal_multicast}\n"),
      job(mesh + transpose + "barrier: messages\nobserve: [{kind: steps}, {kind: step_times}]\n"),
      job(mesh + transpose + "evaluation: step_model\ndraws: 3\n"),
      job(mesh + "operation: {kind: redistribute, shape: [8, 8], from: [2, 2], to: [3, 3]}\n" +
          "algorithm: {kind: block_transfer}\nevaluation: step_model\n"),
      job(mesh + "operation: {kind: broadcast, root: [0, 0], message: 64 B}\n" +
          "algorithm: {kind: recursive_doubling}\nevaluation: message_level\n"),
      job(mesh + "operation: {kind: multicasts, count: 2, destinations: 5, message: 8 B}\n" +
          "algorithm: {kind: partitioned, h: 2, type: II}\nevaluation: untimed\ndraws: 2\n"),
  };
}

/// The shipped jobs that take less than a second.
std::vector<Scenario> shipped_jobs() {
  std::vector<Scenario> found;
  const std::filesystem::path folder = "configs/scenarios";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".yaml" && entry.path().stem() != "multicasts_cube_10")
      found.push_back(Scenario::load(entry.path().string()));
  found.erase(
      std::remove_if(found.begin(), found.end(),
                     [](const Scenario& scenario) { return !has_needed_part(scenario.tree()); }),
      found.end());
  return found;
}

}  // namespace

TEST_CASE("every metric that a run reports is declared, with its unit", "[timed]") {
  std::vector<Scenario> all = jobs();
  for (Scenario& scenario : shipped_jobs()) all.push_back(std::move(scenario));
  std::set<std::string> reported;
  for (const Scenario& scenario : all) {
    const Results results = simulate(scenario);
    INFO(scenario.tree().to_yaml() << results.message);
    CHECK((results.outcome == Outcome::complete || results.outcome == Outcome::limit));
    for (const Metric& metric : results.metrics) {
      const MetricInfo* info = find_metric(declared(), metric.name);
      CAPTURE(metric.name);
      CHECK(info != nullptr);
      if (!info) continue;
      const bool is_ratio = metric.name.find(".ratio") != std::string::npos;
      CHECK((is_ratio ? "" : info->unit) == metric.unit);
      reported.insert(info->name);
    }
  }
  for (const MetricInfo& info : declared()) {
    CAPTURE(info.name);
    const bool by_search = info.name.rfind("saturation", 0) == 0;
    CHECK((by_search || reported.count(info.name) == 1));
  }
}

TEST_CASE("a form of a metric is found if its kind has that form", "[timed]") {
  const auto found = [](const std::string& name) {
    const MetricInfo* info = find_metric(declared(), name);
    return info ? info->name : "";
  };
  CHECK(found("latency.mean") == "latency.mean");
  CHECK(found("latency.requests.mean") == "latency.mean");
  CHECK(found("latency.requests.network.max") == "latency.network.max");
  CHECK(found("steps.traffic.excess.sd") == "steps.traffic");
  CHECK(found("latency.mean.sd") == "latency.mean");  // of several draws of a simulation
  CHECK(found("steps.requests") == "");
  CHECK(found("latency.requests") == "");
  CHECK(found("latency.meen") == "");
}

TEST_CASE("an expectation of a metric that no run reports is rejected before the simulation",
          "[timed]") {
  const Scenario base = jobs().front();
  const auto error_of = [&](const std::string& expectation) -> std::string {
    try {
      Job::read(base.with("expect", expectation), standard_catalog());
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(error_of("{latency.mean: [1, 50]}") == "");
  CHECK(error_of("{latency.background.mean: [1, 50]}") == "");
  CHECK(error_of("{latency.meen: 3}")
            .find("expect.latency.meen: no run reports a metric "
                  "`latency.meen`; did you mean `latency.mean`?") != std::string::npos);
  CHECK(error_of("{model.error.hops: 3}")
            .find("expect.model.error.hops: the metric is reported by an observer that the job "
                  "does not have; add {kind: prediction} to `observe`") != std::string::npos);
}

}  // namespace metrics_test
