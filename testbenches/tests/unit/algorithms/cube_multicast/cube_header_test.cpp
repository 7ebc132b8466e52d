// testbenches/tests/unit/algorithms/cube_multicast/cube_header_test.cpp: multicast headers and the
// routers that read them.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/hop_model.hpp"
#include "testbenches/reference/papers/hop_fit.hpp"
#include "testbenches/reference/papers/relay_times.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace cube_header_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

constexpr HeaderFormat control = HeaderFormat::control;

std::string unreadable(const std::vector<CubeBits>& fields,
                       HeaderFormat format = HeaderFormat::source) {
  return rejection([&] { read_header(Cube(3), fields, format); });
}

RelayRules rules(int capacity, bool fault_tolerant = false) {
  return {capacity, fault_tolerant, true, TieRule::lowest()};
}

}  // namespace

TEST_CASE("a header contains the number of destinations, their addresses and the source",
          "[cube]") {
  const CubeHeader header = header_for(Cube(3), 5, {4, 1, 4, 5});

  REQUIRE(fields_of(header) == std::vector<CubeBits>{3, 4, 1, 5, 5});  // 4 is listed once
  REQUIRE(header.length() == 5);
  REQUIRE(read_header(Cube(3), {3, 4, 1, 5, 5, 9, 9}) == header);  // data follow
  REQUIRE(fields_of(header_for(Cube(3), 5, {4, 1}, control)) == std::vector<CubeBits>{2, 4, 1, 0});
}

TEST_CASE("a message to all nodes lists no destination", "[cube]") {
  const CubeNodes others = Cube(3).all_but(5);
  REQUIRE(fields_of(header_for(Cube(3), 5, others)) == std::vector<CubeBits>{7, 5});
  REQUIRE(fields_of(header_for(Cube(3), 5, others, control)) == std::vector<CubeBits>{7, 7});
  REQUIRE(read_header(Cube(3), {7, 5, 1, 2}).for_all(Cube(3)));
  REQUIRE(read_header(Cube(3), {7, 5, 1, 2}).last == 5);
}

TEST_CASE("a message to no node, to unknown nodes, or to all nodes and its source cannot be made",
          "[cube]") {
  const auto rejected = [](CubeAddress source, const CubeNodes& list) {
    return rejection([&] { header_for(Cube(3), source, list); });
  };
  REQUIRE(has(rejected(0, {}), {"destinations", "needs a destination"}));
  REQUIRE(has(rejected(8, {1}), {"source", "node 8"}));
  REQUIRE(has(rejected(0, {1, 8}), {"destinations[1]", "node 8", "0 to 7"}));
  REQUIRE(has(rejected(0, {0, 1, 2, 3, 4, 5, 6}), {"destinations", "leave the source out"}));
  REQUIRE(has(rejected(0, {0, 1, 2, 3, 4, 5, 6, 7}), {"destinations", "leave the source out"}));
}

TEST_CASE("a malformed header is rejected with the field's name", "[cube]") {
  REQUIRE(has(unreadable({}), {"header.k", "without fields"}));
  REQUIRE(has(unreadable({0, 5}), {"header.k", "without destinations", "1 to 7"}));
  REQUIRE(has(unreadable({8, 1, 5}), {"header.k", "8 destinations"}));
  REQUIRE(has(unreadable({3, 1, 2, 4}), {"header.k", "4 fields", "it needs 5"}));
  REQUIRE(has(unreadable({7}), {"header.k", "it needs 2"}));
  REQUIRE(has(unreadable({2, 1, 1, 5}), {"header.destinations[1]", "node 1", "twice"}));
  REQUIRE(has(unreadable({2, 1, 9, 5}), {"header.destinations[1]", "node 9"}));
  REQUIRE(has(unreadable({1, 1, 8}), {"header.source", "node 8"}));
  REQUIRE(has(unreadable({1, 1, 8}, control), {"header.control"}));
}

TEST_CASE("k must be the number of destinations", "[cube]") {
  const auto rejected = [](const CubeHeader& header) {
    return rejection([&] { check_header(Cube(3), header); });
  };
  REQUIRE(has(rejected({2, {1, 2, 3}, 0}), {"header.k", "k is 2", "3 destinations follow"}));
  REQUIRE(has(rejected({3, {1, 2}, 0}), {"header.k", "k is 3"}));
  REQUIRE(has(rejected({7, {1}, 0}), {"header.k", "for all nodes names none"}));
  REQUIRE(rejected({7, {}, 0}).empty());
}

TEST_CASE("beyond its capacity a router broadcasts, and only listed destinations deliver",
          "[cube]") {
  const Cube cube(3);
  const CubeHeader header = header_for(cube, 0, {1, 2, 3, 5, 6});
  const CubeWalk walk = relay_walk(cube, rules(4), 0, header);

  REQUIRE(walk.traffic() == 7);
  REQUIRE(walk.delivered() == CubeNodes{1, 2, 3, 5, 6});
  const CubeDecision<CubeHeader> decision = relay_decision(cube, rules(4), {4, false, header, 0});
  REQUIRE_FALSE(decision.deliver);  // 4 is not listed
  REQUIRE(decision.branches.empty());
  REQUIRE(relay_decision(cube, rules(4), {1, false, header, 0}).branches[0].message == header);
  REQUIRE(relay_walk(cube, rules(5), 0, header).traffic() == 5);
}

TEST_CASE("a source that lists itself delivers to itself", "[cube]") {
  for (int capacity : {2, 4})
    for (bool tolerant : {false, true}) {
      const RelayRules built = rules(capacity, tolerant);
      const CubeHeader header = header_for(Cube(3), 6, {6, 1, 2}, built.format());
      const CubeWalk walk = relay_walk(Cube(3), built, 6, header);
      REQUIRE(walk.delivered() == CubeNodes{1, 2, 6});
      REQUIRE(walk.step_of(6) == 0);
    }
}

TEST_CASE(
    "a broadcast reaches every processor but that of its source, with sources and with controls",
    "[cube]") {
  for (bool tolerant : {false, true}) {
    const RelayRules built = rules(3, tolerant);
    const CubeHeader header = header_for(Cube(4), 9, Cube(4).all_but(9), built.format());
    REQUIRE(relay_walk(Cube(4), built, 9, header).delivered() == Cube(4).all_but(9));
  }
}

TEST_CASE("a fault-tolerant router makes the control vector of a multicast beyond its capacity",
          "[cube]") {
  const Cube cube(3);
  const CubeHeader header = header_for(cube, 0, {1, 2, 3}, control);
  const CubeDecision<CubeHeader> decision =
      relay_decision(cube, rules(2, true), {0, true, header, 0b010});

  REQUIRE(header.last == 0);
  REQUIRE(decision.branches.size() == 2);
  REQUIRE(decision.branches[0].dimension == 0);
  REQUIRE(decision.branches[0].message == CubeHeader{3, {1, 2, 3}, 0b110});
  REQUIRE(decision.branches[1].dimension == 2);
  REQUIRE(decision.branches[1].message == CubeHeader{3, {1, 2, 3}, 0b010});
}

TEST_CASE(
    "a plain router does not support faults, a fault-tolerant one reports unreached destinations",
    "[cube]") {
  const RelayMessage message{0, true, {1, {2}, 0}, 0b010};
  REQUIRE(relay_decision(Cube(3), rules(4), message).branches.size() == 1);
  REQUIRE(relay_decision(Cube(3), rules(4, true), message).branches.empty());
  REQUIRE(relay_decision(Cube(3), rules(4, true), message).undeliverable == CubeNodes{2});
}

TEST_CASE("a router without a broadcaster rejects headers beyond its capacity", "[cube]") {
  const RelayRules prototype = prototype_rules();
  const auto rejected = [&](const CubeNodes& list) {
    return rejection([&] { relay_walk(Cube(3), prototype, 0, header_for(Cube(3), 0, list)); });
  };
  REQUIRE(rejected({1, 2, 3, 4}).empty());
  REQUIRE(has(rejected({1, 2, 3, 4, 5}), {"header.k", "no broadcaster", "name at most 4"}));
  REQUIRE(has(rejected(Cube(3).all_but(0)), {"header.k", "no broadcaster"}));
  REQUIRE(has(rejection([&] { relay_walk(Cube(3), prototype, 0, {0, {}, 0}); }), {"header.k"}));
}

TEST_CASE("branches sent one after another arrive later, the local copy first", "[cube]") {
  // Node 0 itself and three neighbours: fields take one cycle, selections two.
  RelayTiming times;
  times.handshake_time = {0};
  times.selection = {2};
  times.data = 10;
  times.branching = Branching::serial;
  const CubeHeader header = header_for(Cube(3), 0, {0, 1, 2, 4});
  const RelaySchedule schedule =
      relay_schedule(times, header, relay_decision(Cube(3), rules(4), {0, true, header, 0}));

  REQUIRE(schedule.decided == 6);
  REQUIRE(schedule.delivered == 6 + 2 + 10);
  REQUIRE(schedule.branches == std::vector<std::int64_t>{18, 18 + 13, 18 + 26});
  REQUIRE(schedule.done == 18 + 39);

  times.flight = 2;  // a longer flight of one branch does not delay the branches after it
  REQUIRE(relay_schedule(times, header, relay_decision(Cube(3), rules(4), {0, true, header, 0}))
              .branches == std::vector<std::int64_t>{18 + 2, 18 + 13 + 2, 18 + 26 + 2});
  times.flight = 0;
  const std::vector<RelayArrival> arrivals = relay_arrivals(Cube(3), rules(4), times, 0, header);
  REQUIRE(arrivals.size() == 4);
  REQUIRE(arrivals.front().node == 0);
  REQUIRE(arrivals.back().node == 4);
  REQUIRE(arrivals.back().time == 44 + 3 + 2 + 10);
}

TEST_CASE("a model of hops is not fitted to too few distances or lengths", "[cube]") {
  REQUIRE(has(rejection([] { fit_hops({}); }), {"samples", "two distances and two lengths"}));
  REQUIRE(has(rejection([] { fit_hops({{1, 8, 10}, {1, 64, 20}, {1, 256, 30}}); }), {"samples"}));
  REQUIRE(has(rejection([] { hop_model("ncube_46"); }), {"machine", "ncube_46", "ncube_64"}));
}

}  // namespace cube_header_test
