// testbenches/tests/timed/routers/routing_kinds_test.cpp: every kind of routing under overload.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "algorithms/routing.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace routing_kinds_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// A kind on a network with its least number of virtual channels.
struct Case {
  const char* routing;
  const char* topology;
  int vcs;
};

constexpr const char* flat = "{kind: mesh, shape: [4, 4]}";
constexpr const char* round = "{kind: torus, shape: [4, 5]}";
constexpr const char* cube = "{kind: hypercube, dimensions: 4}";

const std::vector<Case> cases = {
    {"west_first", flat, 1}, {"north_last", flat, 1}, {"negative_first", flat, 1},
    {"odd_even", flat, 1},   {"o1turn", flat, 2},     {"o1turn", round, 4},
    {"valiant", flat, 2},    {"valiant", cube, 2},    {"valiant", round, 4},
    {"romm", flat, 2},       {"romm", cube, 2},       {"romm", round, 4},
    {"duato", flat, 2},      {"duato", cube, 2},      {"duato", round, 3}};

/// Unit: cycle
constexpr int overload = instrumented ? 4000 : 20'000;

/// Every source always has a packet to send.
Scenario overloaded(const Case& at, int vcs) {
  const char* reallocation = std::string(at.routing) == "duato" ? "atomic" : "non_atomic";
  return uniform_traffic(
      {{"topology", at.topology},
       {"routing", fmt::format("{{kind: {}}}", at.routing)},
       {"channel", fmt::format("{{vcs: {}, buffer: 2 flit}}", vcs)},
       {"router",
        fmt::format("{{kind: wormhole, preset: single_cycle, vc_reallocation: {}}}", reallocation)},
       {"traffic",
        fmt::format(
            "{{rate: 1 flit/node/cycle, packet: 6 flit, warmup: 0 cycle, measure: {} cycle, "
            "drain: 0 cycle}}",
            overload)},
       {"observe", "[{kind: latency, packets: true}]"},
       {"watchdog.interval", "100 cycle"}});
}

/// The error with which `simulate` rejects a job; empty when it runs.
std::string error_of(const Scenario& scenario, const Catalog& catalog = standard_catalog()) {
  try {
    simulate(scenario, catalog);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("every kind delivers all accepted packets under overload, with its least number of VCs",
          "[timed]") {
  const auto number = GENERATE(range(0, 15));
  const Case& at = cases[static_cast<std::size_t>(number)];
  INFO(at.routing << " on " << at.topology);

  const Results batched = simulate(overloaded(at, at.vcs));
  const Results plain = simulate(overloaded(at, at.vcs).with("clock.scheduling", "per_module"));

  // A run is complete when its conservation checks hold: all flits were delivered, all credits are
  // back.
  REQUIRE(batched.outcome == Outcome::complete);
  REQUIRE(batched.cycles >= overload);
  REQUIRE(batched.fingerprint == plain.fingerprint);
  REQUIRE(batched.cycles == plain.cycles);
  REQUIRE(batched.table("packets").rows.size() > static_cast<std::size_t>(overload) * 2 / 5);
}

TEST_CASE("a job with fewer virtual channels than its routing needs is rejected", "[timed]") {
  for (const Case& at : cases) {
    if (at.vcs == 1) continue;  // a channel has one at least
    const std::string text = error_of(overloaded(at, at.vcs - 1));
    INFO(at.routing << " on " << at.topology << ": " << text);
    REQUIRE(has(text, "channel.vcs"));
    REQUIRE(has(text, fmt::format("set channel.vcs to {} or more", at.vcs)));
  }
}

TEST_CASE("duato needs atomic buffers, each for one packet at a time", "[timed]") {
  const Scenario shared =
      overloaded({"duato", flat, 2}, 2).with("router.vc_reallocation", "non_atomic");

  const std::string text = error_of(shared);

  REQUIRE(has(text, "router.vc_reallocation: routing `duato`"));
  REQUIRE(has(text, "set vc_reallocation to atomic"));
  REQUIRE(has(error_of(shared.with("channel.handshake", "ready_valid")), "atomic"));
}

namespace {

/// Any minimal hop, x first; without an escape channel.
class FreelyMinimal final : public RoutingFunction {
 public:
  explicit FreelyMinimal(const Topology& topology) : grid_(*topology.grid()) {}
  void route(NodeId here, const Arrival&, const Header& header, Route& route) const override {
    for (int dimension = 0; dimension < 2; ++dimension) {
      const int hops =
          grid_.coordinate(header.destination, dimension) - grid_.coordinate(here, dimension);
      if (hops != 0) route.forward(Grid::port(dimension, hops));
    }
    if (here == header.destination) route.deliver();
  }

 private:
  const Grid& grid_;
};

struct NoParams {};

Catalog with_freely_minimal() {
  Catalog catalog = standard_catalog();
  catalog.routings.add(
      "freely_minimal", {"any minimal hop", ""}, Schema<NoParams>{},
      [](const NoParams&, const Topology& topology) {
        return std::unique_ptr<RoutingFunction>(std::make_unique<FreelyMinimal>(topology));
      });
  return catalog;
}

}  // namespace

TEST_CASE(
    "adaptive routing without an escape channel is rejected; if allowed, it deadlocks where duato "
    "runs",
    "[timed]") {
  const Catalog catalog = with_freely_minimal();
  const auto long_packets = [](const char* routing) {
    return overloaded({routing, "{kind: mesh, shape: [8, 8]}", 2}, 2)
        .with("router.vc_reallocation", "atomic")
        .with("traffic.packet", "24 flit")
        .with("traffic.measure", "20000 cycle");
  };
  const Scenario free = long_packets("freely_minimal");

  REQUIRE(has(error_of(free, catalog), "possible deadlock: channel dependencies are cyclic: "));
  const Results stuck = simulate(free.with("allow_deadlock", "true"), catalog);
  const Results runs = simulate(long_packets("duato"));

  REQUIRE(stuck.outcome == Outcome::deadlock);
  REQUIRE(stuck.cycles < 20000);
  REQUIRE(has(stuck.message, "dependency cycle of"));
  REQUIRE(runs.outcome == Outcome::complete);
}

}  // namespace routing_kinds_test
