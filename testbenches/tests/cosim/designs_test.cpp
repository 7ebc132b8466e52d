// testbenches/tests/cosim/designs_test.cpp: designs that flitwave_add_rtl builds, in networks.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "routers/verilated/router_design.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"

namespace designs_test {

using namespace flitwave;

namespace {

struct Load {
  std::string router;
  std::string rate = "0.2";
  std::string packet = "4 flit";
  std::string clock = "{}";
  std::string channel = "vcs: 2";
  int measure = 1000;  ///< Unit: cycle
};
/// Channels of field_router.
const std::string acknowledged = "handshake: ready_valid";

/// A 3x3 mesh, for staged_router unless `channel` is for another one.
Results run(const Load& load) {
  return simulate(Scenario::parse(fmt::format(
                      "scenario: designs\n"
                      "topology: {{kind: mesh, shape: [3, 3]}}\n"
                      "clock: {}\n"
                      "channel: {{{}, buffer: 4 flit}}\n"
                      "router: {}\n"
                      "traffic: {{rate: {} flit/node/cycle, packet: {}, warmup: 100 cycle, "
                      "measure: {} cycle}}\n",
                      load.clock, load.channel, load.router, load.rate, load.packet, load.measure)),
                  standard_catalog());
}

const std::string staged = "{kind: verilated, model: staged_router}";

}  // namespace

TEST_CASE("every design that is built in is declared completely", "[cosim]") {
  const std::vector<std::string> names = RouterDesigns::names();
  for (const std::string& name : names) {
    INFO(name);
    CHECK_NOTHROW(check_design(*RouterDesigns::find(name)));
  }
  for (const char* name : {"staged_router", "wormhole_1vc", "wormhole_ready_valid_2vc"})
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
}

TEST_CASE("a router of a user's own delivers all packets from one slot and from every slot",
          "[cosim]") {
  const std::string at =
      "{kind: wormhole, preset: single_cycle, at: [{nodes: NODES, kind: "
      "verilated, model: staged_router}]}";
  for (const std::string nodes : {"[[1, 1]]", "[0, 2, 4, 6, 8]"}) {
    Load load{at};
    load.router.replace(load.router.find("NODES"), 5, nodes);
    const Results results = run(load);
    INFO(nodes << ": " << results.message);
    CHECK(results.outcome == Outcome::complete);
    CHECK(results.value("latency.packets") > 300);
  }
  for (const char* rate : {"0.05", "0.3", "0.9"}) {
    const Results results = run({staged, rate});
    INFO(rate << ": " << results.message);
    CHECK(results.outcome == Outcome::complete);
  }
}

TEST_CASE("adapters and schedulings give one result for a router of a user's own", "[cosim]") {
  const std::string pins = "{kind: verilated, model: staged_router, adapter: pins}";
  const Results first = run({staged});
  CHECK(first.message == "");
  for (const std::string& router : {staged, pins})
    for (const char* clock : {"{}", "{scheduling: per_module}"}) {
      const Results other = run({router, "0.2", "4 flit", clock});
      INFO(router << " " << clock << ": " << other.message);
      CHECK(other.outcome == Outcome::complete);
      CHECK(other.fingerprint == first.fingerprint);
    }
}

TEST_CASE("a router with a declared stage more has the latency of a router in C++ with that stage",
          "[cosim]") {
  const std::string wormhole =
      "{kind: wormhole, preset: pipelined, route_delay: 0 cycle, vc_delay: 0 cycle, "
      "switch_delay: 0 cycle, traversal_delay: 1 cycle}";
  const Results rtl = run({staged, "0.001"});
  const Results model = run({wormhole, "0.001"});
  CHECK(rtl.message == "");
  CHECK(model.value("latency.packets") > 0);
  CHECK(rtl.value("latency.packets") == model.value("latency.packets"));
  CHECK(rtl.value("latency.mean") == model.value("latency.mean"));
}

TEST_CASE(
    "a router with pins for each field, in arrays, and requests that are acknowledged equals "
    "one in C++",
    "[cosim]") {
  const auto run_with = [](const std::string& router) {
    return run({router, "0.3", "4 flit", "{}", acknowledged});
  };
  const Results model = run_with("{kind: wormhole, preset: single_cycle}");
  CHECK(model.value("latency.packets") > 500);
  for (const char* adapter : {"evaluated", "pins"}) {
    const Results rtl =
        run_with(fmt::format("{{kind: verilated, model: field_router, adapter: {}}}", adapter));
    INFO(adapter << ": " << rtl.message);
    CHECK(rtl.outcome == Outcome::complete);
    CHECK(rtl.fingerprint == model.fingerprint);
  }
}

TEST_CASE("a router that acknowledges a request after it has seen it delivers all packets",
          "[cosim]") {
  const auto run_with = [](const std::string& settings) {
    return run({"{kind: verilated, model: field_router_on_request, " + settings + "}", "0.02",
                "4 flit", "{}", acknowledged, 3000});
  };
  const Results first = run_with("adapter: evaluated");
  CHECK(first.message == "");
  CHECK(first.outcome == Outcome::complete);
  CHECK(first.value("latency.packets") > 100);
  for (const char* settings : {"adapter: pins", "adapter: evaluated, gated: true"}) {
    const Results other = run_with(settings);
    INFO(settings << ": " << other.message);
    CHECK(other.fingerprint == first.fingerprint);
  }
}

}  // namespace designs_test
