// testbenches/tests/timed/run/deliveries_test.cpp: timed deliveries with their own release cycles.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "testbenches/observers/delivery_times.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/by_hand.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace deliveries_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

const std::string slow = "{send_overhead: 20 cycle, receive_overhead: 10 cycle}";

Delivery released(Cycle release, int from, const std::vector<int>& to) {
  std::vector<NodeId> destinations;
  for (const int node : to) destinations.emplace_back(node);
  Delivery delivery(NodeId(from), std::move(destinations), Bytes{8});
  delivery.release = release;
  return delivery;
}

/// Multicasts on a 4-cube; the settings are YAML.
Scenario multicasts(const std::vector<std::pair<std::string, std::string>>& settings = {}) {
  Scenario scenario = Scenario::parse(R"(
scenario: test
topology: {kind: hypercube, dimensions: 4}
channel: {width: 2 B, buffer: 4 flit}
router: {kind: wormhole, preset: single_cycle}
node: {send_overhead: 20 cycle, receive_overhead: 10 cycle}
operation: {kind: multicasts, destinations: [2, 5], message: 32 B, gap: 1000 cycle,
            warmup: 2000 cycle, measure: 10000 cycle, cooldown: 2000 cycle}
algorithm: {kind: recursive_doubling}
observe: [{kind: latency}]
)");
  for (const auto& [key, value] : settings) scenario = scenario.with(key, value);
  return scenario;
}

}  // namespace

TEST_CASE("a delivery takes the same time after a late release as from the start",
          "[timed][multicasts]") {
  const std::string overhead = GENERATE("serialized", "overlapped", "path_held");
  const Scenario job =
      line("{send_overhead: 20 cycle, receive_overhead: 10 cycle, overhead: " + overhead + "}",
           "latency");
  const std::vector<Send> sends{{0, 1, 3, 1}, {0, 1, 0, 2}, {0, 3, 2, 2}};
  const auto done = [&](const Delivery& delivery) {
    return column(simulate(job, by_hand({delivery}, sends)).table("transfers"), "done_cycle");
  };
  Delivery from_start = released(0, 1, {0, 2, 3});
  from_start.release.reset();

  const std::vector<double> at_start = done(from_start);

  REQUIRE(at_start.size() == 3);
  for (const Cycle release : {Cycle{0}, Cycle{1}, Cycle{777}, Cycle{100'000}}) {
    std::vector<double> shifted = at_start;
    for (double& cycle : shifted) cycle += static_cast<double>(release);
    CHECK(done(released(release, 1, {0, 2, 3})) == shifted);
  }
}

TEST_CASE("a send waits for its release and for earlier sends of its node", "[timed][multicasts]") {
  // A send overhead of 20 cycles each, 10 + h cycles in the network, a receive overhead of 10.
  const Catalog catalog =
      by_hand({released(100, 0, {1}), released(105, 0, {1}), released(300, 0, {1})},
              {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}});

  const Results results = simulate(line(slow, "latency"), catalog);

  REQUIRE(results.outcome == Outcome::complete);
  CHECK(column(results.table("transfers"), "ready_cycle") == std::vector<double>{100, 105, 300});
  CHECK(column(results.table("transfers"), "release_cycle") == std::vector<double>{100, 105, 300});
  const std::vector<double> done = column(results.table("transfers"), "done_cycle");
  CHECK(done[0] == 100 + 20 + 11 + 10);
  // The first send occupies the port until its eight flits have left, from cycle 121 on.
  CHECK(done[1] == 129 + 20 + 11 + 10);
  CHECK(done[2] == 300 + 20 + 11 + 10);
  CHECK(column(results.table("deliveries"), "latency") ==
        std::vector<double>{done[0] - 100, done[1] - 105, done[2] - 300});
}

TEST_CASE("a node forwards received messages while it waits for its own releases",
          "[timed][multicasts]") {
  const Catalog catalog = by_hand({released(0, 0, {1, 2}), released(5000, 1, {2})},
                                  {{0, 0, 1, 1}, {0, 1, 2, 2}, {1, 1, 2, 1}});

  const Results results = simulate(line(slow, "latency"), catalog);

  const std::vector<double> done = column(results.table("transfers"), "done_cycle");
  CHECK(done == std::vector<double>{41, 82, 5041});
}

TEST_CASE("a combination waits for the release of every contribution", "[timed][multicasts]") {
  Delivery sum({NodeId(0), NodeId(1)}, {NodeId(2)}, Bytes{8});
  sum.release = 400;
  Catalog catalog = by_hand({sum}, {});
  struct NoParams {};
  catalog.collectives.add("combining", {"for tests", ""}, Schema<NoParams>{},
                          [](const NoParams&, const Demand& demand, const CollectiveContext&) {
                            Schedule schedule(demand);
                            schedule.send(Pieces{0}, NodeId(0), NodeId(1), 1, Use::combine);
                            schedule.send(Pieces{0}, NodeId(1), NodeId(2), 2, Use::combine);
                            return schedule;
                          });

  const Results results =
      simulate(line(slow, "anatomy").with("algorithm.kind", "combining"), catalog);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  CHECK(column(results.table("transfers"), "done_cycle") == std::vector<double>{441, 482});
}

TEST_CASE("the critical path begins at the release of the delivery that ends last",
          "[timed][multicasts]") {
  const Catalog catalog = by_hand({released(0, 0, {1}), released(900, 3, {1, 2})},
                                  {{0, 0, 1, 1}, {1, 3, 2, 1}, {1, 2, 1, 2}});

  const Results results = simulate(line(slow, "anatomy"), catalog);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  CHECK(column(results.table("critical_path"), "begin") == std::vector<double>{900, 941});
  CHECK(column(results.table("critical_path"), "end") == std::vector<double>{941, 982});
}

TEST_CASE("a delivery's latency ends at its last destination and has a mean over all destinations",
          "[timed][multicasts]") {
  const Results results = simulate(multicasts());

  REQUIRE(results.outcome == Outcome::complete);
  const Table& transfers = results.table("transfers");
  std::map<std::string, std::vector<double>> done;  // by delivery, of each destination
  const std::vector<double> cycles = column(transfers, "done_cycle");
  for (std::size_t i = 0; i < cycles.size(); ++i) done[transfers.rows[i][0]].push_back(cycles[i]);
  const Table& deliveries = results.table("deliveries");
  const std::vector<double> release = column(deliveries, "release_cycle");
  const std::vector<double> counted = column(deliveries, "counted");
  double number = 0;
  double sum = 0;
  double greatest = 0;
  double destinations = 0;
  double sum_of_each = 0;
  for (std::size_t i = 0; i < release.size(); ++i) {
    REQUIRE(counted[i] == (release[i] >= 2000 && release[i] < 12000 ? 1 : 0));
    if (counted[i] == 0) continue;
    const std::vector<double>& ends = done.at(std::to_string(i));
    REQUIRE(ends.size() >= 2);
    REQUIRE(ends.size() <= 5);
    const double latency = *std::max_element(ends.begin(), ends.end()) - release[i];
    REQUIRE(column(deliveries, "latency")[i] == latency);
    ++number;
    sum += latency;
    greatest = std::max(greatest, latency);
    for (const double end : ends) sum_of_each += end - release[i];
    destinations += static_cast<double>(ends.size());
  }
  REQUIRE(number > 100);
  CHECK(number < static_cast<double>(release.size()));
  CHECK(results.value("delivery.count") == number);
  CHECK(results.value("delivery.offered") == Approx(number / 10000 / 16));
  CHECK(results.value("delivery.mean") == Approx(sum / number));
  CHECK(results.value("delivery.max") == greatest);
  CHECK(results.value("delivery.destination.mean") == Approx(sum_of_each / destinations));
  CHECK(results.value("saturated") == 0);
}

TEST_CASE("accepted deliveries are those completed within the measurement", "[timed][multicasts]") {
  const Results results = simulate(multicasts());

  double done = 0;
  double bytes = 0;
  for (const double end : column(results.table("deliveries"), "done_cycle"))
    done += end >= 2000 && end < 12000 ? 1 : 0;
  for (const double end : column(results.table("transfers"), "done_cycle"))
    bytes += end >= 2000 && end < 12000 ? 32 : 0;
  CHECK(results.value("delivery.accepted") == Approx(done / 10000 / 16));
  CHECK(results.value("delivery.payload") == Approx(bytes / 10000 / 16));
}

TEST_CASE("packets count if they are sent during the measurement", "[timed][multicasts]") {
  const auto packets = [](const char* warmup, const char* measure, const char* cooldown) {
    return simulate(multicasts({{"operation.warmup", warmup},
                                {"operation.measure", measure},
                                {"operation.cooldown", cooldown}}))
        .value("latency.packets");
  };

  const double all = packets("0 cycle", "14000 cycle", "0 cycle");
  const double middle = packets("2000 cycle", "10000 cycle", "2000 cycle");

  CHECK(middle < all);
  CHECK(middle > 0.6 * all);
}

TEST_CASE("multicasts that are all released at the start have a rate but no window",
          "[timed][multicasts]") {
  const Results results = simulate(
      multicasts({{"operation", "{kind: multicasts, count: 50, destinations: 4, message: 32 B}"}}));

  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("delivery.count") == 50);
  CHECK_FALSE(results.has("delivery.offered"));
  CHECK_FALSE(results.has("delivery.ci95"));
  CHECK(results.value("delivery.max") == results.value("collective.max"));
  CHECK(results.value("delivery.accepted") ==
        Approx(50 / (results.value("collective.max") + 1) / 16));
}

TEST_CASE("multicasts take the same cycles under both schedulings and build orders",
          "[timed][multicasts]") {
  const std::string algorithm = GENERATE("separate", "recursive_doubling");
  const std::string gap = GENERATE("1000 cycle", "250 cycle");
  const Scenario job =
      multicasts({{"algorithm", "{kind: " + algorithm + "}"}, {"operation.gap", gap}});

  const Results batched = simulate(job);
  const Results per_module = simulate(job.with("clock", "{scheduling: per_module}"));
  const Results reversed = simulate(job.with("build_order", "reversed"));

  for (const Results* other : {&per_module, &reversed}) {
    CHECK(batched.fingerprint == other->fingerprint);
    CHECK(batched.table("transfers").rows == other->table("transfers").rows);
    CHECK(batched.table("deliveries").rows == other->table("deliveries").rows);
  }
}

TEST_CASE(
    "multicasts at a greater rate than the network carries are saturated and report no latency",
    "[timed][multicasts]") {
  const std::string algorithm = GENERATE("separate", "recursive_doubling");
  const std::string gap = GENERATE("120 cycle", "30 cycle");

  const Results results =
      simulate(multicasts({{"algorithm", "{kind: " + algorithm + "}"}, {"operation.gap", gap}}));

  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("saturated") == 1);
  CHECK(results.value("delivery.accepted") < 0.97 * results.value("delivery.offered"));
  CHECK_FALSE(results.has("delivery.mean"));
  CHECK_FALSE(results.has("latency.mean"));
}

TEST_CASE("multicasts below saturation are reported as not saturated for every seed",
          "[timed][multicasts]") {
  for (int seed = 1; seed <= 10; ++seed) {
    const Results results = simulate(multicasts({{"seed", std::to_string(seed)}}));
    INFO("seed " << seed);
    CHECK(results.value("saturated") == 0);
    CHECK(results.has("delivery.ci95"));
  }
}

TEST_CASE("deliveries without a release report no metrics of deliveries", "[timed][multicasts]") {
  const Results results =
      simulate(multicasts({{"operation", "{kind: broadcast, root: 3, message: 32 B}"}}));

  REQUIRE(results.outcome == Outcome::complete);
  CHECK_FALSE(results.has("delivery.count"));
  CHECK_FALSE(results.has("saturated"));
  CHECK(results.tables.count("deliveries") == 0);
}

TEST_CASE("multicasts under open-loop traffic are each measured in their own window",
          "[timed][multicasts]") {
  const Results results = simulate(
      multicasts({{"traffic",
                   "{rate: 0.02 flit/node/cycle, packet: 4 flit, warmup: 500 cycle, measure: 3000 "
                   "cycle}"},
                  {"observe", "[{kind: latency}]"}}));

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("saturated") == 0);
  CHECK(results.value("throughput.background.offered") == Approx(0.02).epsilon(0.2));
  CHECK(results.value("delivery.offered") == Approx(0.001).epsilon(0.2));
}

TEST_CASE("multicasts that queue up under unsaturated traffic are saturated",
          "[timed][multicasts]") {
  const Results results = simulate(multicasts(
      {{"operation.gap", "30 cycle"},
       {"requests", "{window: 1, warmup: 500 cycle, measure: 3000 cycle, drain: 200000 cycle}"},
       {"observe", "[{kind: latency}]"}}));

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("saturated") == 1);
  CHECK_FALSE(results.has("delivery.mean"));
}

}  // namespace deliveries_test
