// testbenches/tests/unit/algorithms/schedule_test.cpp: a transfer needs its message.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace schedule_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

Schedule from_node_0() { return Schedule(broadcast_from(NodeId(0), mesh({5}))); }

/// The text of the ModelError of a transfer; empty if the transfer is accepted.
std::string fault(Schedule& schedule, int message, int from, int to, int step) {
  try {
    schedule.send(message, NodeId(from), NodeId(to), step);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a schedule keeps its transfers in the order of sending", "[schedule]") {
  Schedule schedule = from_node_0();
  schedule.send(0, NodeId(0), NodeId(4), 1, 2);
  schedule.send(0, NodeId(0), NodeId(2), 2);
  schedule.send(0, NodeId(4), NodeId(3), 2);

  REQUIRE(schedule.steps() == 2);
  REQUIRE(schedule.pace() == Pace::dataflow);
  REQUIRE(schedule.transfers().size() == 3);
  REQUIRE(schedule.transfers()[0].to == NodeId(4));
  REQUIRE(schedule.transfers()[0].addresses == 2);
  REQUIRE(schedule.transfers()[2].from == NodeId(4));
  REQUIRE(schedule.transfers()[2].addresses == 1);
}

TEST_CASE("a sender must have the message before the step", "[schedule]") {
  Schedule schedule = from_node_0();
  schedule.send(0, NodeId(0), NodeId(2), 1);

  REQUIRE(has(fault(schedule, 0, 3, 4, 1), {"from node 3 to node 4", "sender"}));
  REQUIRE(has(fault(schedule, 0, 2, 4, 1), {"from node 2 to node 4", "sender"}));
  REQUIRE(fault(schedule, 0, 2, 4, 2).empty());
}

TEST_CASE("a receiver must not have the message already", "[schedule]") {
  Schedule schedule = from_node_0();
  schedule.send(0, NodeId(0), NodeId(2), 1);

  REQUIRE(has(fault(schedule, 0, 0, 2, 2), {"from node 0 to node 2", "receiver"}));
  REQUIRE(has(fault(schedule, 0, 2, 0, 2), {"from node 2 to node 0", "receiver"}));
  REQUIRE(has(fault(schedule, 0, 0, 0, 1), {"receiver"}));
  REQUIRE(schedule.transfers().size() == 1);
}

TEST_CASE("messages and steps that do not exist are rejected", "[schedule]") {
  Schedule schedule = from_node_0();

  REQUIRE(has(fault(schedule, 1, 0, 2, 1), {"no such message"}));
  REQUIRE(has(fault(schedule, -1, 0, 2, 1), {"no such message"}));
  REQUIRE(has(fault(schedule, 0, 0, 2, 0), {"from 1"}));
}

TEST_CASE("a transfer may wait for a message whose data it does not carry", "[schedule]") {
  const Demand two{"test",
                   {{NodeId(0), {NodeId(1)}, Bytes{8}}, {NodeId(1), {NodeId(2)}, Bytes{8}}}};
  Schedule schedule(two);
  schedule.send(0, NodeId(0), NodeId(1), 1);
  schedule.send(1, NodeId(1), NodeId(2), 2);

  schedule.wait_for(0);
  schedule.wait_for(0);

  REQUIRE(schedule.transfer(1).after == std::vector<int>{0});
}

TEST_CASE("a transfer cannot wait for a message that its sender does not receive before",
          "[schedule]") {
  const Demand two{"test",
                   {{NodeId(0), {NodeId(1)}, Bytes{8}}, {NodeId(2), {NodeId(3)}, Bytes{8}}}};
  Schedule schedule(two);
  schedule.send(0, NodeId(0), NodeId(1), 1);
  schedule.send(1, NodeId(2), NodeId(3), 2);

  REQUIRE_THROWS_AS(schedule.wait_for(0), ModelError);   // it is for another node
  REQUIRE_THROWS_AS(schedule.wait_for(1), ModelError);   // it is the transfer itself
  REQUIRE_THROWS_AS(schedule.wait_for(-1), ModelError);  // there is none
}

TEST_CASE("each size that is sent is reported once, with its addresses", "[schedule]") {
  Schedule schedule({"gather",
                     {{NodeId(0), {NodeId(1)}, Bytes{8}},
                      {NodeId(1), {NodeId(2)}, Bytes{8}},
                      {NodeId(2), {NodeId(3)}, Bytes{24}}}});
  schedule.send(0, NodeId(0), NodeId(1), 1);
  schedule.send(1, NodeId(1), NodeId(2), 1);
  schedule.send(2, NodeId(2), NodeId(3), 1, 2);

  REQUIRE(sizes_sent(schedule) == std::set<std::pair<std::int64_t, int>>{{8, 1}, {24, 2}});
}

TEST_CASE("a pace is parsed from its name", "[schedule]") {
  REQUIRE(Codec<Pace>::read(yaml("stepped")) == Pace::stepped);
  REQUIRE(Codec<Pace>::print(Pace::dataflow) == "dataflow");
  REQUIRE(Codec<Pace>::read(yaml("phased")) == Pace::phased);
}

}  // namespace schedule_test
