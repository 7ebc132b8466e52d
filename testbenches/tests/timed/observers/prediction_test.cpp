// testbenches/tests/timed/observers/prediction_test.cpp: formulas of collectives and the causes of
// their errors.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/prediction.hpp"

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "testbenches/job/plan/plan.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/by_hand.hpp"

namespace prediction_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Messages of eight bytes, sent in this order. The formula is that of one message over `hops`
/// channels.
Catalog in_turn(const std::vector<std::pair<int, int>>& ends, double hops) {
  std::vector<Delivery> deliveries;
  std::vector<Send> sends;
  for (const auto& [from, to] : ends) {
    const int number = static_cast<int>(sends.size());
    deliveries.push_back({NodeId(from), {NodeId(to)}, Bytes{8}});
    sends.push_back({number, from, to, number + 1});
  }
  return by_hand(deliveries, sends, CostFormula{{1, 1, hops, 1}, "this test"});
}

double nanoseconds(const Results& results, const std::string& metric) {
  return 1000 * results.value(metric);
}

/// The causes that are not zero, in ns.
std::vector<std::pair<std::string, double>> causes(const Results& results) {
  std::vector<std::pair<std::string, double>> found;
  for (const auto& [cause, none] : PredictionError{}.named()) {
    const double time = nanoseconds(results, "model.error." + cause);
    if (std::abs(time) > 1e-9) found.emplace_back(cause, std::round(time * 1e6) / 1e6);
  }
  return found;
}

using Causes = std::vector<std::pair<std::string, double>>;

/// A broadcast by an algorithm for which its source gives a formula.
struct Broadcast {
  std::string topology;
  std::string algorithm;
  int channels;  ///< Channels that heads cross in sequence by the formula; 0 if it counts none.
};
const std::vector<Broadcast> with_formula{
    {"{kind: mesh, shape: [8, 8]}", "{kind: edn}", 7},
    {"{kind: mesh, shape: [8, 8]}", "{kind: recursive_doubling}", 0},
    {"{kind: mesh, shape: [8, 8]}", "{kind: dimensional}", 14},
    {"{kind: mesh, shape: [4, 4]}", "{kind: scatter_collect}", 18},
    {"{kind: mesh, shape: [8, 8]}", "{kind: fibonacci_tree, packets: 2}", 28},
    {"{kind: mesh, shape: [8, 8]}", "{kind: fibonacci_tree, packets: 3}", 42},
    {"{kind: mesh, shape: [4, 4, 4]}", "{kind: edn}", 0},
    {"{kind: mesh, shape: [4, 4, 4]}", "{kind: recursive_doubling}", 0},
    {"{kind: torus, shape: [4, 4]}", "{kind: edn}", 4},
    {"{kind: torus, shape: [8, 8]}", "{kind: edn}", 10},
    {"{kind: torus, shape: [8, 8]}", "{kind: u_torus}", 14},
    {"{kind: hypercube, dimensions: 2}", "{kind: recursive_doubling}", 0},
    {"{kind: hypercube, dimensions: 2}", "{kind: dimensional}", 2},
};

const std::string no_overheads = "{ports: 4}";
const std::string whole_cycles = "{ports: 4, send_overhead: 40 ns, receive_overhead: 20 ns}";
const std::string rounded = "{ports: 4, send_overhead: 40.3 ns, receive_overhead: 20.4 ns}";

/// A scenario in which a head takes one cycle per channel.
Scenario scenario_of(const Broadcast& broadcast, const std::string& node) {
  return Scenario::parse(fmt::format(R"(
scenario: test
topology: {}
channel: {{width: 1 B, vcs: 2}}
router: {{kind: wormhole, preset: single_cycle}}
node: {}
operation: {{kind: broadcast, root: 3, message: 64 B}}
algorithm: {}
observe: [{{kind: prediction}}, {{kind: anatomy}}]
)",
                                     broadcast.topology, node, broadcast.algorithm));
}

/// The received transfers on the critical path, and the channels between routers that they cross.
struct CriticalRoute {
  int transfers = 0;
  int channels = 0;
};
CriticalRoute critical_route(const Results& results, const Topology& topology) {
  std::map<std::string, NodeId> nodes;
  for (int node = 0; node < topology.nodes(); ++node)
    nodes[topology.label(NodeId(node))] = NodeId(node);
  CriticalRoute route;
  for (const auto& row : results.table("critical_path").rows) {
    if (row[4] != "received") continue;
    ++route.transfers;
    route.channels += topology.grid()->distance(nodes.at(row[1]), nodes.at(row[2]));
  }
  return route;
}

Results collective(const std::string& topology, const std::string& operation,
                   const std::string& algorithm) {
  return simulate(Scenario::parse(fmt::format(R"(
scenario: test
topology: {}
channel: {{width: 1 B, vcs: 2}}
node: {{ports: 4, send_overhead: 40.3 ns, receive_overhead: 20.4 ns}}
operation: {}
algorithm: {}
observe: [{{kind: prediction}}]
)",
                                              topology, operation, algorithm)));
}

/// Requires that the run is complete and that the causes sum to the formula's error.
void require_explained(const Results& results) {
  REQUIRE(results.outcome == Outcome::complete);
  double sum = 0;
  for (const auto& [cause, time] : causes(results)) sum += time;
  CHECK(nanoseconds(results, "collective.max_us") ==
        Approx(nanoseconds(results, "model.max_us") + sum));
}

}  // namespace

TEST_CASE("one message takes the formula's time and a cycle for each local channel", "[timed]") {
  const Results results =
      simulate(line("{send_overhead: 20 ns, receive_overhead: 30 ns}", "prediction"),
               in_turn({{0, 3}}, 3), {});

  CHECK(nanoseconds(results, "model.max_us") == Approx(20 + 3 + 8 + 30));
  CHECK(nanoseconds(results, "model.error_us") == Approx(2));
  CHECK(causes(results) == Causes{{"hops", 3}, {"length", -1}});
}

TEST_CASE("overheads in whole cycles cause an error", "[timed]") {
  const Results results =
      simulate(line("{send_overhead: 20.3 ns, receive_overhead: 30.4 ns}", "prediction"),
               in_turn({{0, 3}}, 3), {});

  CHECK(causes(results) == Causes{{"rounding", -0.7}, {"hops", 3}, {"length", -1}});
}

TEST_CASE("overheads that are rounded to zero cause an error", "[timed]") {
  const Results results =
      simulate(line("{send_overhead: 400 ps, receive_overhead: 300 ps}", "prediction"),
               in_turn({{0, 3}}, 3), {});

  CHECK(causes(results) == Causes{{"rounding", -0.7}, {"hops", 3}, {"length", -1}});
}

TEST_CASE("headers cause an error", "[timed]") {
  const Results results = simulate(
      line("{}", "prediction").with("packet_format", "{header: 2 flit}"), in_turn({{0, 3}}, 3), {});

  CHECK(causes(results) == Causes{{"hops", 3}, {"length", 1}});
}

TEST_CASE("consecutive sends cause an error where the formula has one", "[timed]") {
  const Results results = simulate(line("{send_overhead: 20 ns, ports: all}", "prediction"),
                                   in_turn({{1, 0}, {1, 3}}, 2), {});

  CHECK(causes(results) == Causes{{"overheads", 20}, {"hops", 3}, {"length", -1}});
}

TEST_CASE("a channel that another message holds causes an error", "[timed]") {
  // The head from node 0 arrives at router 1 a cycle after the head from there has taken the
  // channel, and waits for the seven flits behind that head.
  const Results results = simulate(line("{}", "prediction"), in_turn({{1, 2}, {0, 3}}, 3), {});

  CHECK(causes(results) == Causes{{"hops", 3}, {"length", -1}, {"blocked", 7}});
}

TEST_CASE("an earlier message at the same port causes an error", "[timed]") {
  const Results results =
      simulate(line("{ports: 1}", "prediction"), in_turn({{0, 1}, {0, 3}}, 3), {});

  double sum = 0;
  for (const auto& [cause, time] : causes(results)) sum += time;
  CHECK(nanoseconds(results, "model.error.ports") == Approx(9));  // hand-over and eight flits
  CHECK(sum == Approx(nanoseconds(results, "model.error_us")));
}

TEST_CASE("the causes sum to the error of the formula for every broadcast that has one",
          "[timed][paper]") {
  const Broadcast broadcast = GENERATE(from_range(with_formula));
  const std::string node = GENERATE(no_overheads, whole_cycles, rounded);
  INFO(broadcast.topology << " " << broadcast.algorithm << " " << node);

  const Results results = simulate(scenario_of(broadcast, node));

  REQUIRE(results.outcome == Outcome::complete);
  double sum = 0;
  for (const auto& [cause, none] : PredictionError{}.named())
    sum += nanoseconds(results, "model.error." + cause);
  CHECK(nanoseconds(results, "collective.max_us") - nanoseconds(results, "model.max_us") ==
        Approx(sum).margin(1e-6));
  CHECK(nanoseconds(results, "model.error.combining") == 0);
  CHECK((nanoseconds(results, "model.error.rounding") != 0) == (node == rounded));
  if (node == no_overheads) CHECK(nanoseconds(results, "model.error.overheads") == 0);
}

TEST_CASE(
    "without waits, overheads and detours, a formula is within a cycle per channel, including "
    "local ones",
    "[timed][paper]") {
  // Without the Fibonacci tree: its formula counts packets that leave one after the other, of which
  // a route over nodes with several ports meets fewer.
  const Broadcast broadcast = GENERATE(filter(
      [](const Broadcast& candidate) {
        return candidate.algorithm.find("fibonacci_tree") == std::string::npos;
      },
      from_range(with_formula)));
  const std::string node = GENERATE(no_overheads, whole_cycles, rounded);
  INFO(broadcast.topology << " " << broadcast.algorithm << " " << node);
  const Scenario scenario = scenario_of(broadcast, node);

  const Results results = simulate(scenario);

  const Plan plan = Plan::make(Job::read(scenario, standard_catalog()));
  const CriticalRoute route = critical_route(results, *plan.topology);
  const double left = nanoseconds(results, "model.error.hops") +
                      nanoseconds(results, "model.error.length") -
                      (route.channels - broadcast.channels);
  // Per transfer: hand-over and two local channels, minus the byte that is the head. Without
  // overheads another cycle may pass before the hand-over.
  CHECK(left > 2 * route.transfers - 1e-6);
  CHECK(left < 3 * route.transfers + 1e-6);
  if (node != no_overheads) CHECK(left == Approx(2 * route.transfers));
}

TEST_CASE("without overheads the start-up of a formula is the time of its channels", "[timed]") {
  const Broadcast broadcast = GENERATE(from_range(with_formula));
  INFO(broadcast.topology << " " << broadcast.algorithm);

  const Results results = simulate(scenario_of(broadcast, no_overheads));

  CHECK(nanoseconds(results, "model.startup_us") == Approx(broadcast.channels).margin(1e-9));
}

TEST_CASE("EDN's reduction has a formula, and combining is a cause of its error", "[timed]") {
  const std::string operation = "{kind: reduce, root: 5, message: 64 B}";
  const Results plain = collective("{kind: mesh, shape: [8, 8]}", operation, "{kind: edn}");

  require_explained(plain);
  // Tsai 1997, table 5.3 reversed: 4 sends, 9 receipts, 7 channels, 4 messages.
  CHECK(nanoseconds(plain, "model.max_us") == Approx(4 * 40.3 + 9 * 20.4 + 7 + 4 * 64));
  CHECK(std::abs(plain.value("model.error")) < 25);
  CHECK_FALSE(collective("{kind: mesh, shape: [8, 8]}", "{kind: gather, root: 5, message: 8 B}",
                         "{kind: edn}")
                  .has("model.max_us"));
}

TEST_CASE("all-to-all by a token has a formula, and overlapping receipts cause its error",
          "[timed]") {
  const std::string kind = GENERATE("all_gather", "complete_exchange");
  const Results results = simulate(Scenario::parse(fmt::format(R"(
scenario: test
topology: {{kind: complete, nodes: 4}}
routing: {{kind: shortest_path}}
channel: {{width: 1 B}}
router: {{kind: wormhole, preset: single_cycle}}
node: {{ports: 1, send_overhead: 100 ns, receive_overhead: 50 ns}}
operation: {{kind: {}, message: 64 B}}
algorithm: {{kind: token}}
observe: [{{kind: prediction}}]
)",
                                                               kind)));

  require_explained(results);
  CHECK(nanoseconds(results, "model.max_us") == Approx(12 * (100 + 64 + 50)));
  // Only with the token does a node wait for a receipt: four times, not twelve.
  CHECK(nanoseconds(results, "model.error.overheads") == Approx((4 - 12) * 50));
  CHECK(nanoseconds(results, "model.error.blocked") == 0);
}

TEST_CASE("a message that waits until another one is sent waits for its length, too", "[timed]") {
  const Results results = simulate(Scenario::parse(R"(
scenario: test
topology: {kind: mesh, shape: [8]}
channel: {width: 1 B}
router: {kind: wormhole, preset: single_cycle}
node: {ports: 1}
operation: {kind: all_gather, message: 64 B}
algorithm: {kind: token}
observe: [{kind: prediction}]
)"));

  require_explained(results);
  // The formula has the bytes of all messages, so the time to send them is no wait for a port.
  CHECK(std::abs(nanoseconds(results, "model.error.length")) < 64);
  CHECK(nanoseconds(results, "model.error.ports") < 200);
}

TEST_CASE("a collective without a formula is simulated without one", "[timed]") {
  const std::string topology =
      GENERATE("{kind: mesh, shape: [5, 5]}", "{kind: torus, shape: [4, 4, 2]}");
  const Results results = simulate(scenario_of({topology, "{kind: edn}", 0}, whole_cycles));

  REQUIRE(results.outcome == Outcome::complete);
  CHECK_FALSE(results.has("model.max_us"));
}

}  // namespace prediction_test
