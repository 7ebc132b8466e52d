// testbenches/tests/timed/verilated/verilated_test.cpp: routers in RTL in slots of the network.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "testbenches/job/plan/plan.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/verilated/toy_jobs.hpp"

namespace verilated_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// The text of the error with which a job is rejected; empty if it is not.
std::string rejection(const Scenario& scenario) {
  try {
    Plan::make(Job::read(scenario, standard_catalog()));
    return "";
  } catch (const ConfigError& error) {
    return error.key() + ": " + error.problem() + "; " + error.remedy();
  }
}

}  // namespace

TEST_CASE("a design gives the same results under all schedulings, build orders and adapters",
          "[timed]") {
  ToyParams params;
  params.handshake = GENERATE(Handshake::credit, Handshake::ready_valid);
  params.vcs = GENERATE(1, 2);
  const ToyModel model("toy", params);
  const bool everywhere = GENERATE(false, true);
  const auto router = everywhere ? toy_everywhere : toy_at_centre;
  CAPTURE(params.vcs, params.handshake == Handshake::credit, everywhere);

  const Scenario evaluated = toy_job(router("adapter: evaluated"), params);
  const Results results = simulate(evaluated);
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("latency.packets") > 50);
  CHECK(difference_between(evaluated, compared_variants()) == "");

  const Scenario pins = toy_job(router("adapter: pins"), params);
  CHECK(difference(simulate(pins), results) == "");
  CHECK(difference_between(pins, compared_variants()) == "");
}

TEST_CASE("a router that is clocked only when needed gives the same results", "[timed]") {
  const ToyModel model("toy", {});
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  const std::string rate = GENERATE(as<std::string>{}, "0.005", "0.2");
  CAPTURE(adapter, rate);
  const auto job = [&](const char* gated) {
    return toy_job(toy_everywhere("adapter: " + adapter + ", gated: " + gated))
        .with("traffic.rate", rate + " flit/node/cycle")
        .with("traffic.measure", "2000 cycle");
  };

  const Results results = simulate(job("false"));
  REQUIRE(results.outcome == Outcome::complete);
  CHECK(difference(simulate(job("true")), results) == "");
  CHECK(difference_between(job("true"), compared_variants()) == "");
}

TEST_CASE("a design in reset for several cycles is ready in cycle 1", "[timed]") {
  const ToyModel model("toy", {});
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  const Scenario job = toy_job(toy_everywhere("adapter: " + adapter));

  const Results once = simulate(job);
  const Results longer = simulate(job.with("clock.reset", "8 cycle"));
  INFO(longer.message);
  REQUIRE(longer.outcome == Outcome::complete);
  CHECK(longer.fingerprint == once.fingerprint);
}

TEST_CASE("a model that is not built into the program is an error that names the models",
          "[timed]") {
  const std::string job = "{kind: verilated, model: tob}";
  const std::string none = rejection(toy_job(job));
  if (RouterDesigns::names().empty())
    CHECK(none.find("this program was built without designs; run `tools/flitwave --rtl run "
                    "JOB.yaml`") != std::string::npos);
  else
    CHECK(none.find("router.model: there is no design `tob`; ") == 0);

  const ToyModel model("toy", {});
  CHECK(rejection(toy_job(job)).find("did you mean `toy`?") != std::string::npos);
  CHECK(rejection(toy_job("{kind: verilated, model: toy}")) == "");
}

TEST_CASE("a network that does not suit a design is rejected with the setting", "[timed]") {
  const ToyModel model("toy", {});
  const Scenario job = toy_job("{kind: verilated, model: toy}");
  const auto with = [&job](const char* key, const char* value) {
    return rejection(job.with(key, value));
  };

  CHECK(with("channel.vcs", "2") ==
        "channel.vcs: design `toy` has 1 virtual channels per channel, not 2; set channel.vcs to "
        "1, or use another model");
  CHECK(with("channel.buffer", "5 flit") ==
        "channel.buffer: design `toy` has buffers of 4 flits, not 5; set channel.buffer to 4 flit");
  CHECK(with("channel.handshake", "ready_valid") ==
        "channel.handshake: design `toy` has the handshake credit; set channel.handshake to "
        "credit");
  CHECK(with("channel.credit_delay", "1 cycle") ==
        "channel.credit_delay: design `toy` uses a credit in the cycle in which it arrives; set "
        "channel.credit_delay to 0 cycle");
  CHECK(with("node.ports", "2") ==
        "node.ports: design `toy` has 1 local port, and node 0_0 has 2; set node.ports: 1");
  CHECK(with("topology.shape", "[3, 3, 3]") ==
        "topology: design `toy` has 4 network ports; nodes of this topology have up to 6; use "
        "another topology, or another model");
  CHECK(with("topology.shape", "[17, 2]") ==
        "topology: field coordinate[0] of design `toy` has 4 bits, too few for 16; use a smaller "
        "topology");
  CHECK(with("topology.shape", "[12]") ==
        "topology: design `toy` reads the destination's coordinate 1; use topology.kind: mesh or "
        "torus with enough dimensions");
  CHECK(rejection(job.with("topology", "{kind: torus, shape: [4, 4]}")
                      .with("routing", "{kind: dimension_order, vc_rule: none}")
                      .with("allow_deadlock", "true")) ==
        "topology: design `toy` does not route in rings; use topology.kind: mesh, or a model for "
        "tori");
}

TEST_CASE("a router is compared with another one on the same inputs", "[timed]") {
  ToyParams params;
  params.handshake = GENERATE(Handshake::credit, Handshake::ready_valid);
  const ToyModel model("toy", params);
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  const std::string scheduling = GENERATE(as<std::string>{}, "batched", "per_module");
  const std::string compare =
      "adapter: " + adapter + ", compare_with: {kind: wormhole, preset: single_cycle}";
  CAPTURE(adapter, scheduling);

  // Packets that never meet take the same cycles in both.
  const Scenario apart = toy_job(toy_everywhere(compare), params)
                             .with("clock.scheduling", scheduling)
                             .with("traffic.rate", "0.003 flit/node/cycle");
  const Results equal = shoot(apart, {{5, NodeId(0), NodeId(8), 3, {}},
                                      {40, NodeId(7), NodeId(1), 6, {}},
                                      {80, NodeId(3), NodeId(5), 1, {}}});
  INFO(equal.message);
  CHECK(equal.outcome == Outcome::complete);

  // The toy gives an output to the lowest input, not to each in turn.
  const Results different = simulate(toy_job(toy_everywhere(compare), params)
                                         .with("clock.scheduling", scheduling)
                                         .with("traffic.rate", "0.6 flit/node/cycle"));
  CHECK(different.outcome == Outcome::design_error);
  CHECK(exit_code(different.outcome) == 4);
  CHECK(different.message.find("(toy) compared with wormhole, ") != std::string::npos);
  CHECK(different.message.find(": expected ") != std::string::npos);
}

TEST_CASE("a comparison changes no result", "[timed]") {
  const ToyModel model("toy", {});
  const auto shots = [](const std::string& settings) {
    return shoot(toy_job(toy_everywhere(settings)).with("traffic.rate", "0.003 flit/node/cycle"),
                 {{5, NodeId(0), NodeId(8), 3, {}}, {40, NodeId(7), NodeId(1), 6, {}}});
  };
  const Results compared = shots("compare_with: {kind: wormhole, preset: single_cycle}");
  CHECK(difference(compared, shots("gated: false")) == "");
}

TEST_CASE("a slower router is found in the first cycle in which it differs", "[timed]") {
  const ToyModel model("toy", {});
  const Results results =
      shoot(toy_job(toy_at_centre("compare_with: {kind: wormhole, route_delay: 2 cycle}"))
                .with("traffic.rate", "0.003 flit/node/cycle"),
            {{5, NodeId(3), NodeId(5), 3, {}}});
  CHECK(results.outcome == Outcome::design_error);
  // Handed over in cycle 5, on the wires to the centre from cycle 7 on, and beyond it in cycle 8.
  CHECK(results.message ==
        "cycle 8: router_1_1 (toy) compared with wormhole, output 0: valid: expected 0, found 1 "
        "(packet 0 from 0_1 to 2_1, flit 0 of 3)");
}

TEST_CASE("what a router is compared with must be a router by itself", "[timed]") {
  const ToyModel model("toy", {});
  CHECK(rejection(toy_job("{kind: verilated, model: toy, compare_with: {kind: verilated, model: "
                          "toy}}")) ==
        "router.compare_with: a router in RTL is compared with another kind; use kind: wormhole");
  CHECK(rejection(toy_job("{kind: verilated, model: toy, compare_with: wormhul}"))
            .find("did you mean `wormhole`?") != std::string::npos);
  CHECK(rejection(toy_job("{kind: verilated, model: toy, compare_with: {kind: wormhole, colour: "
                          "1}}")) != "");
}

}  // namespace verilated_test
