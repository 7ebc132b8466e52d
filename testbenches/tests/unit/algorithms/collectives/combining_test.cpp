// testbenches/tests/unit/algorithms/collectives/combining_test.cpp: schedules that split, forward
// and combine data.
// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <fmt/format.h>

#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace combining_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

const Topology& line() {
  static const Topology network = mesh({4});
  return network;
}

Schedule reduction_to_0() {
  return Schedule({"reduce", {{all_nodes(line()), {NodeId(0)}, Bytes{8}}}});
}

std::vector<std::string> faults(const Schedule& schedule) {
  return evaluate(schedule, line(), *routing("dimension_order", line()), 4).faults;
}

std::string fault(const std::function<void()>& act) {
  try {
    act();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

void combine(Schedule& schedule, int from, int to, int step) {
  schedule.send(Pieces{0}, NodeId(from), NodeId(to), step, Use::combine);
}

}  // namespace

TEST_CASE("a reduction along a chain combines every contribution", "[schedule]") {
  Schedule schedule = reduction_to_0();
  combine(schedule, 3, 2, 1);
  combine(schedule, 2, 1, 2);
  combine(schedule, 1, 0, 3);

  REQUIRE(faults(schedule).empty());
  REQUIRE(schedule.transfer(1).after == std::vector<int>{0});
  REQUIRE(schedule.transfer(2).after == std::vector<int>{1});
  REQUIRE(schedule.transfer(2).combined.count == 8);
}

TEST_CASE("a contribution that is sent before it has arrived is missing", "[schedule]") {
  Schedule schedule = reduction_to_0();
  combine(schedule, 3, 2, 2);
  combine(schedule, 2, 1, 2);
  combine(schedule, 1, 0, 3);

  REQUIRE(faults(schedule).front() == "node 0 combines 3 contributions to message 0, not 4");
}

TEST_CASE("a contribution that arrives on two paths is counted twice", "[schedule]") {
  Schedule schedule = reduction_to_0();
  combine(schedule, 3, 2, 1);
  combine(schedule, 3, 1, 1);
  combine(schedule, 2, 0, 2);
  combine(schedule, 1, 0, 2);

  REQUIRE(faults(schedule) ==
          std::vector<std::string>{"node 0 combines 5 contributions to message 0, not 4"});
}

TEST_CASE("the right number of contributions with wrong origins is a fault", "[schedule]") {
  Schedule schedule = reduction_to_0();
  combine(schedule, 2, 1, 1);
  combine(schedule, 2, 0, 1);
  combine(schedule, 1, 0, 2);

  REQUIRE(faults(schedule) == std::vector<std::string>{"node 0 combines some contributions to "
                                                       "message 0 twice, and omits others"});
}

TEST_CASE("a receipt must be added before later sends of its data", "[schedule]") {
  Schedule schedule = reduction_to_0();
  combine(schedule, 1, 0, 3);

  REQUIRE(has(fault([&] { combine(schedule, 2, 1, 2); }), {"from node 2 to node 1", "later step"}));
}

TEST_CASE("data of a single node are not combined", "[schedule]") {
  Schedule schedule(broadcast_from(NodeId(0), line()));

  REQUIRE(has(fault([&] { combine(schedule, 0, 1, 1); }), {"nothing to combine"}));
}

TEST_CASE("parts of a delivery are as equal as bytes allow and are sent separately", "[schedule]") {
  Schedule schedule({"broadcast", {{NodeId(0), all_but(NodeId(0), line()), Bytes{11}}}});
  schedule.split(0, 4);

  REQUIRE(schedule.pieces().size() == 4);
  REQUIRE(schedule.pieces()[0].size.count == 3);
  REQUIRE(schedule.pieces()[3].size.count == 2);

  schedule.send(Pieces{0, 3}, NodeId(0), NodeId(1), 1);
  REQUIRE(schedule.transfer(0).size.count == 5);
  REQUIRE(schedule.name_of(schedule.transfer(0)) == "0.0 0.3");
  REQUIRE(has(fmt::format("{}", fmt::join(faults(schedule), "\n")),
              {"node 2 does not receive message 0.0", "node 1 does not receive message 0.1"}));
}

TEST_CASE("a transfer waits for everything that it carries", "[schedule]") {
  Schedule schedule({"gather",
                     {{NodeId(1), {NodeId(0)}, Bytes{8}},
                      {NodeId(2), {NodeId(0)}, Bytes{8}},
                      {NodeId(3), {NodeId(0)}, Bytes{8}}}});
  schedule.send(1, NodeId(2), NodeId(1), 1);
  schedule.send(2, NodeId(3), NodeId(1), 1);
  schedule.send(Pieces{0, 1, 2}, NodeId(1), NodeId(0), 2);

  REQUIRE(faults(schedule).empty());
  REQUIRE(schedule.transfer(2).after == std::vector<int>{0, 1});
  REQUIRE(schedule.transfer(2).size.count == 24);
}

TEST_CASE("a scan gives each node its prefix", "[schedule]") {
  const std::vector<NodeId> all = all_nodes(line());
  Schedule schedule({"scan", {{all, all, Bytes{8}, Delivery::Wanted::prefix}}});
  for (int node = 0; node < 3; ++node) combine(schedule, node, node + 1, node + 1);

  REQUIRE(faults(schedule).empty());
}

}  // namespace combining_test
