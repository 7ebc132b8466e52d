// testbenches/tests/timed/routers/router_conformance_test.cpp: every kind of router, in every
// scheduling.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "testbenches/job/plan.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace router_conformance_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Networks of which at least one suits each kind.
const std::vector<std::string> networks = {
    "topology: {kind: mesh, shape: [4, 3]}\n",
    "topology: {kind: mesh, shape: [4, 3]}\nrouting: label_order\n",
    "topology: {kind: mesh, shape: [4, 3]}\nnode: {ports: 1}\n",
    "topology: {kind: hypercube, dimensions: 3}\n",
    "topology: {kind: complete, nodes: 6}\nrouting: shortest_path\n",
};

Scenario job_with(const std::string& kind, const std::string& network, const std::string& channel) {
  return Scenario::parse("scenario: conformance\n" + network + "router: {kind: " + kind + "}\n" +
                         channel +
                         "traffic: {packet: 3 flit, rate: 0.1 flit/node/cycle, warmup: 50 cycle, "
                         "measure: 400 cycle, drain: 2000 cycle}\n"
                         "observe: [{kind: latency, packets: true}, {kind: channel_load}]\n");
}

/// The first network with which the kind accepts the channel.
std::optional<Scenario> accepted(const std::string& kind, const std::string& channel) {
  for (const std::string& network : networks) {
    const Scenario scenario = job_with(kind, network, channel);
    try {
      const Job job = Job::read(scenario, standard_catalog());
      Plan::make(job);
      return scenario;
    } catch (const ConfigError&) {  // the kind needs something else
    }
  }
  return std::nullopt;
}

/// What the channels of the jobs are: none written, then each handshake with 1 and 4 virtual
/// channels.
std::vector<std::string> channels() {
  std::vector<std::string> all{""};
  for (const std::string& handshake : names_of(Handshake{}))
    for (const int vcs : {1, 4})
      all.push_back(
          fmt::format("channel: {{handshake: {}, vcs: {}, buffer: 8 flit}}\n", handshake, vcs));
  all.push_back("channel: {handshake: acknowledge}\n");
  return all;
}

}  // namespace

TEST_CASE(
    "every kind of router gives the same results under all schedulings, in both orders of "
    "building, at all loads",
    "[timed]") {
  const std::vector<std::string> loads =
      instrumented ? std::vector<std::string>{"0.3"}
                   : std::vector<std::string>{"0.02", "0.1", "0.3", "0.9"};
  for (const std::string& kind : standard_catalog().routers.names()) {
    int handshakes = 0;
    for (const std::string& channel : channels()) {
      const std::optional<Scenario> job = accepted(kind, channel);
      if (!job) continue;
      ++handshakes;
      for (const std::string& load : loads) {
        const Scenario loaded = job->with("traffic.rate", load + " flit/node/cycle");
        INFO(loaded.tree().to_yaml());
        CHECK(difference_between(loaded, all_run_variants()) == "");
      }
    }
    CAPTURE(kind);
    CHECK(handshakes > 0);
    if (kind == "wormhole") CHECK(handshakes == 5);  // credit and ready_valid
  }
}

}  // namespace router_conformance_test
