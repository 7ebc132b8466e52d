// testbenches/tests/paper/tsai_1997/tsai_1997_workstations_test.cpp: workstations on one Ethernet,
// section 5.5.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "algorithms/cost_models/tau_model.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace tsai_1997_workstations_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

constexpr double microseconds = 0.8;     // a cycle: one byte at 10 Mb/s
constexpr double frame = 1518 + 8 + 12;  // with preamble and gap. Unit: cycle
constexpr double payload = 1460;
constexpr double overheads = 2 * 345 * microseconds;  // per message: 2 * 276.085 us, rounded

/// Tests run in the source folder.
Results on_ethernet(const std::vector<std::pair<std::string, std::string>>& settings) {
  Scenario scenario =
      Scenario::load("configs/scenarios/ethernet_all_to_all.yaml").without("expect");
  for (const auto& [key, value] : settings) scenario = scenario.with(key, value);
  const Results results = simulate(scenario);
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  return results;
}

double all_to_all(const char* algorithm, int nodes, int bytes, int seed = 1) {
  return on_ethernet({{"topology.nodes", std::to_string(nodes)},
                      {"algorithm.kind", algorithm},
                      {"operation.message", fmt::format("{} B", bytes)},
                      {"seed", std::to_string(seed)}})
      .value("collective.max_us");
}

/// The line through the minimum times of some runs.
TauPoint fitted(const char* algorithm, int nodes, int runs) {
  std::vector<MeasuredTime> times;
  for (int bytes : {1, 1024, 2048, 4096})
    for (int seed = 1; seed <= runs; ++seed)
      times.push_back({static_cast<double>(bytes), all_to_all(algorithm, nodes, bytes, seed)});
  return fit_minima(times);
}

Schedule all_to_all_b(int nodes) {
  const Topology network = complete(nodes);
  const auto direct = routing("shortest_path", network);
  return schedule("token", "", demand("all_gather", "message: 8 B", network),
                  {network, *direct, 1});
}

}  // namespace

TEST_CASE("in all-to-all B node i sends to i - 1, i - 2, ... and at last to i + 1",
          "[paper][O23]") {
  const int nodes = GENERATE(2, 4, 8, 12);
  const Schedule plan = all_to_all_b(nodes);

  for (int i = 0; i < nodes; ++i) {
    const std::vector<int>& sends = plan.sends_of(NodeId(i));
    REQUIRE(sends.size() == static_cast<std::size_t>(nodes) - 1);
    for (int j = 1; j < nodes; ++j)
      CHECK(plan.transfer(sends[static_cast<std::size_t>(j) - 1]).to ==
            NodeId((i - j + nodes) % nodes));
    CHECK(plan.transfer(sends.back()).to == NodeId((i + 1) % nodes));
  }
}

TEST_CASE("all-to-all B sends P(P - 1) messages one after another", "[paper][O24]") {
  const int nodes = GENERATE(2, 4, 8, 12);
  const Schedule plan = all_to_all_b(nodes);

  REQUIRE(plan.transfers().size() == static_cast<std::size_t>(nodes * (nodes - 1)));
  REQUIRE(plan.steps() == nodes * (nodes - 1));
  for (int i = 0; i < plan.steps(); ++i) {
    const Transfer& transfer = plan.transfer(i);
    CHECK(transfer.step == i + 1);
    // The last message of the previous node, which all sends of a node wait for.
    const int token = i / (nodes - 1) * (nodes - 1) - 1;
    CHECK(transfer.after == (token < 0 ? std::vector<int>{} : std::vector<int>{token}));
  }
}

TEST_CASE("all-to-all B has no collisions, and messages arrive in its order",
          "[paper][O24][timed]") {
  const Results results = on_ethernet({{"topology.nodes", "8"}, {"operation.message", "4 KiB"}});

  REQUIRE(results.value("medium.collisions") == 0);
  REQUIRE(results.value("medium.frames") == 8 * 7 * 3);
  const Table& transfers = results.table("transfers");
  const auto done = std::find(transfers.columns.begin(), transfers.columns.end(), "done_cycle");
  const auto column = static_cast<std::size_t>(done - transfers.columns.begin());
  double last = 0;
  for (const auto& row : transfers.rows) {
    CHECK(std::stod(row[column]) > last);
    last = std::stod(row[column]);
  }
}

TEST_CASE("the line of a ping-pong has the wire's time per byte and the overheads",
          "[paper][timed]") {
  std::vector<MeasuredTime> one_way;
  for (int frames = 1; frames <= 10; frames += 3) {
    const double bytes = payload * frames;
    const Results results = on_ethernet(
        {{"topology.nodes", "2"},
         {"operation", fmt::format("{{kind: ping_pong, from: 0, to: 1, message: {} B}}", bytes)}});
    one_way.push_back({bytes, results.value("collective.max_us") / 2});
  }

  const TauPoint line = fit_line(one_way);

  CHECK(line.per_byte == Approx(frame * microseconds / payload).epsilon(0.001));
  // In addition to the overheads: some cycles from interface to station, and from station to
  // interface.
  CHECK(line.startup == Approx(overheads).margin(12 * microseconds));
}

TEST_CASE("the times of all-to-all A vary, those of B do not", "[paper][timed]") {
  const int nodes = GENERATE(4, 8, 12);
  if (test::instrumented && nodes > 4) return;
  std::vector<double> a;
  std::vector<double> b;
  for (int seed = 1; seed <= 6; ++seed) {
    a.push_back(all_to_all("separate", nodes, 1024, seed));
    b.push_back(all_to_all("token", nodes, 1024, seed));
  }
  const auto spread = [](const std::vector<double>& times) {
    return *std::max_element(times.begin(), times.end()) -
           *std::min_element(times.begin(), times.end());
  };

  CHECK(spread(a) > 0.01 * a.front());
  CHECK(spread(b) == 0);
}

// The text has P(P - 1)(alpha + beta L). Sends overlap with receipts, so that only the receive
// overhead of a node's last message counts: P((P - 1) a + b), where a is the send overhead plus the
// wire's time.
TEST_CASE("all-to-all B grows as messages sent one after another", "[paper][timed]") {
  std::map<int, TauPoint> b;
  for (int nodes : {4, 8, 12}) {
    b[nodes] = fitted("token", nodes, 1);
    CHECK(b[nodes].per_byte / (nodes * (nodes - 1)) ==
          Approx(frame * microseconds / payload).epsilon(0.03));
  }
  const auto of_a_node = [&b](int nodes) { return b[nodes].startup / nodes; };
  CHECK(of_a_node(12) - of_a_node(8) == Approx(of_a_node(8) - of_a_node(4)).epsilon(0.01));
}

// The printed tau of A, .00283, .00769, .00830, rises with P. The tau of our lines does not rise,
// and the test asserts the present values: the times are not linear, and an intercept does not give
// the time of a short message. With the time of 1 B as the start-up, tau rises from four nodes to
// eight. The printed line for P = 4 has 9.11 us per byte, less than the wire time of the 12 bytes
// that are sent per byte.
TEST_CASE("as P grows, B moves up in the tau-plot, and A remains below it and to the right",
          "[paper][Q27][timed]") {
  if (test::instrumented) return;  // means of many draws
  std::map<int, TauPoint> a;
  std::map<int, TauPoint> b;
  for (int nodes : {4, 8, 12}) {
    a[nodes] = fitted("separate", nodes, 5);
    b[nodes] = fitted("token", nodes, 1);
    INFO(nodes << ": A " << a[nodes].startup << " " << a[nodes].per_byte << ", B "
               << b[nodes].startup << " " << b[nodes].per_byte);
    CHECK(b[nodes].tau() > 0.0018);
    CHECK(b[nodes].tau() < 0.0030);
    CHECK(relation(a[nodes], b[nodes]) == Relation::better_short);
    CHECK(a[nodes].tau() > b[nodes].tau());
    CHECK(a[nodes].tau() < 0.012);
  }
  const auto from_1_byte = [](int nodes) {
    std::vector<double> shortest;
    std::vector<double> longest;
    for (int seed = 1; seed <= 5; ++seed) {
      shortest.push_back(all_to_all("separate", nodes, 1, seed));
      longest.push_back(all_to_all("separate", nodes, 4096, seed));
    }
    return *std::min_element(longest.begin(), longest.end()) /
           *std::min_element(shortest.begin(), shortest.end());
  };
  CHECK(from_1_byte(8) > from_1_byte(4));
  CHECK(b[8].startup > 3 * b[4].startup);
  CHECK(b[12].startup > 2 * b[8].startup);
}

TEST_CASE("a multicast of the medium takes as long for eight nodes as a message to one",
          "[paper][timed]") {
  const auto line = [](int nodes, const char* algorithm) {
    std::vector<MeasuredTime> times;
    for (int frames : {1, 5, 10}) {
      const double bytes = payload * frames;
      const Results results = on_ethernet(
          {{"topology.nodes", std::to_string(nodes)},
           {"operation", fmt::format("{{kind: broadcast, root: 0, message: {} B}}", bytes)},
           {"algorithm.kind", algorithm}});
      times.push_back({bytes, results.value("collective.max_us")});
    }
    return fit_line(times);
  };

  const TauPoint one = line(2, "recursive_doubling");
  const TauPoint many = line(8, "hardware_multicast");

  CHECK(many.per_byte == Approx(frame * microseconds / payload).epsilon(0.001));
  CHECK(many.per_byte == Approx(0.893).epsilon(0.1));  // measured with four nodes, table 5.6
  CHECK(many.startup == Approx(one.startup));
}

}  // namespace tsai_1997_workstations_test
