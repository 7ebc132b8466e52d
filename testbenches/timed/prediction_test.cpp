// testbenches/timed/prediction_test.cpp: what a formula says, and the causes of its error.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/prediction.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/simulate.hpp"

using namespace flitwave;

namespace {

struct NoParams {};

struct Send {
  int from;
  int to;
};

/// The catalogue with an operation of 8-byte messages and a collective that sends them in this
/// order, whose formula is that of one message over `hops` channels.
Catalog by_hand(const std::vector<Send>& sends, double hops) {
  Catalog catalog = standard_catalog();
  catalog.operations.add(
      "by_hand", {"for tests", ""}, Schema<NoParams>{},
      [sends](const NoParams&, const Topology&, Random&) {
        Demand demand{"by_hand", {}};
        for (const Send& send : sends)
          demand.deliveries.push_back({NodeId(send.from), {NodeId(send.to)}, Bytes{8}});
        return demand;
      });
  catalog.collectives.add(
      "by_hand", {"for tests", ""}, Schema<NoParams>{},
      [sends, hops](const NoParams&, const Demand& demand, const CollectiveContext&) {
        Schedule schedule(demand);
        for (std::size_t i = 0; i < sends.size(); ++i)
          schedule.send(static_cast<int>(i), NodeId(sends[i].from), NodeId(sends[i].to),
                        static_cast<int>(i) + 1);
        schedule.set_formula(CostFormula{{1, 1, hops, 1}, "this test"});
        return schedule;
      });
  return catalog;
}

/// Four nodes in a line, 1 ns a cycle. A message of eight flits takes h + 10 cycles over h
/// channels: one each for hand-over, injection and ejection, and seven behind its head.
Scenario line(const std::string& node, const std::string& more = "") {
  return Scenario::parse(R"(
scenario: test
topology: {kind: mesh, shape: [4, 1]}
channel: {width: 1 B}
router: {kind: wormhole, preset: single_cycle}
operation: {kind: by_hand}
algorithm: {kind: by_hand}
observe: [{kind: prediction}]
)" + more)
      .with("node", node);
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

Results broadcast(const std::string& topology, const std::string& algorithm) {
  return simulate(Scenario::parse(fmt::format(R"(
scenario: test
topology: {}
channel: {{width: 1 B, vcs: 2}}
node: {{ports: 4, send_overhead: 40.3 ns, receive_overhead: 20.4 ns}}
operation: {{kind: broadcast, root: 5, message: 64 B}}
algorithm: {}
observe: [{{kind: prediction}}]
)",
                                              topology, algorithm)));
}

}  // namespace

TEST_CASE("one message takes what the formula says, a cycle for each local channel aside",
          "[timed]") {
  const Results results =
      simulate(line("{send_overhead: 20 ns, receive_overhead: 30 ns}"), by_hand({{0, 3}}, 3), {});

  CHECK(nanoseconds(results, "model.max_us") == Approx(20 + 3 + 8 + 30));
  CHECK(nanoseconds(results, "model.error_us") == Approx(2));
  CHECK(causes(results) == Causes{{"hops", 3}, {"length", -1}});
}

TEST_CASE("overheads in whole cycles are a cause of error", "[timed]") {
  const Results results = simulate(line("{send_overhead: 20.3 ns, receive_overhead: 30.4 ns}"),
                                   by_hand({{0, 3}}, 3), {});

  CHECK(causes(results) == Causes{{"rounding", -0.7}, {"hops", 3}, {"length", -1}});
}

TEST_CASE("overheads that are rounded to nothing are a cause of error", "[timed]") {
  const Results results =
      simulate(line("{send_overhead: 400 ps, receive_overhead: 300 ps}"), by_hand({{0, 3}}, 3), {});

  CHECK(causes(results) == Causes{{"rounding", -0.7}, {"hops", 3}, {"length", -1}});
}

TEST_CASE("headers are a cause of error", "[timed]") {
  const Results results =
      simulate(line("{}", "packet_format: {header: 2 flit}\n"), by_hand({{0, 3}}, 3), {});

  CHECK(causes(results) == Causes{{"hops", 3}, {"length", 1}});
}

TEST_CASE("sends one after the other are a cause of error where the formula has one", "[timed]") {
  const Results results =
      simulate(line("{send_overhead: 20 ns, ports: all}"), by_hand({{1, 0}, {1, 3}}, 2), {});

  CHECK(causes(results) == Causes{{"overheads", 20}, {"hops", 3}, {"length", -1}});
}

TEST_CASE("a channel that another message has is a cause of error", "[timed]") {
  // The head from node 0 comes to router 1 a cycle after the head from there has taken the channel,
  // and waits for the seven flits behind it.
  const Results results = simulate(line("{}"), by_hand({{1, 2}, {0, 3}}, 3), {});

  CHECK(causes(results) == Causes{{"hops", 3}, {"length", -1}, {"blocked", 7}});
}

TEST_CASE("an earlier message at the same port is a cause of error", "[timed]") {
  const Results results = simulate(line("{ports: 1}"), by_hand({{0, 1}, {0, 3}}, 3), {});

  double sum = 0;
  for (const auto& [cause, time] : causes(results)) sum += time;
  CHECK(nanoseconds(results, "model.error.ports") == Approx(9));  // hand-over, and eight flits
  CHECK(sum == Approx(nanoseconds(results, "model.error_us")));
}

TEST_CASE("every broadcast that has a formula says why it differs from it", "[timed]") {
  const auto [topology, algorithm] = GENERATE(table<std::string, std::string>({
      {"{kind: mesh, shape: [8, 8]}", "{kind: edn}"},
      {"{kind: mesh, shape: [8, 8]}", "{kind: recursive_doubling}"},
      {"{kind: mesh, shape: [8, 8]}", "{kind: dimensional}"},
      {"{kind: mesh, shape: [4, 4]}", "{kind: scatter_collect}"},
      {"{kind: mesh, shape: [8, 8]}", "{kind: fibonacci_tree, packets: 3}"},
      {"{kind: mesh, shape: [4, 4, 4]}", "{kind: edn}"},
      {"{kind: mesh, shape: [4, 4, 4]}", "{kind: recursive_doubling}"},
      {"{kind: torus, shape: [8, 8]}", "{kind: edn}"},
      {"{kind: torus, shape: [8, 8]}", "{kind: u_torus}"},
  }));
  INFO(topology << " " << algorithm);

  const Results results = broadcast(topology, algorithm);

  REQUIRE(results.outcome == Outcome::complete);
  double sum = 0;
  for (const auto& [cause, time] : causes(results)) sum += time;
  CHECK(nanoseconds(results, "collective.max_us") ==
        Approx(nanoseconds(results, "model.max_us") + sum));
  CHECK(nanoseconds(results, "model.error.combining") == 0);
}

TEST_CASE("without overheads a formula's error has its causes too", "[timed]") {
  const Results results = simulate(Scenario::parse(R"(
scenario: test
topology: {kind: torus, shape: [4, 4]}
channel: {width: 1 B, vcs: 2}
node: {ports: 4}
operation: {kind: broadcast, root: 6, message: 64 B}
algorithm: {kind: edn}
observe: [{kind: prediction}]
)"));

  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("model.startup_us") == Approx(0.004));  // 4 channels of equation 4.1
  CHECK(results.value("model.error.overheads") == 0);
  CHECK(results.value("model.error.rounding") == 0);
}

TEST_CASE("what has no formula is simulated without one", "[timed]") {
  const Results results = broadcast("{kind: mesh, shape: [5, 5]}", "{kind: edn}");

  REQUIRE(results.outcome == Outcome::complete);
  CHECK_FALSE(results.has("model.max_us"));
}
