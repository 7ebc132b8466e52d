// testbenches/tests/unit/algorithms/untimed/untimed_test.cpp: contention, load, coverage and ports
// without a clock.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/untimed.hpp"

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace untimed_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// A line of five nodes and a broadcast from node 0, with schedules written by hand.
struct Line {
  Topology network = mesh({5});
  std::unique_ptr<RoutingFunction> by = routing("dimension_order", network);
  Schedule schedule{broadcast_from(NodeId(0), network)};

  void send(int from, int to, int step) { schedule.send(0, NodeId(from), NodeId(to), step); }
  Untimed judged(int ports) const { return evaluate(schedule, network, *by, ports); }
  ChannelId channel(int from, int step) const {
    return network.channel_out(NodeId(from), Grid::port(0, step));
  }
};

}  // namespace

TEST_CASE("a correct schedule is evaluated: steps, transfers, loads and mean path", "[untimed]") {
  Line line;
  line.send(0, 3, 1);
  line.send(0, 1, 2);
  line.send(3, 4, 2);
  line.send(3, 2, 3);

  const Untimed run = line.judged(1);

  REQUIRE(run.satisfies_demand());
  REQUIRE(run.contentions.empty());
  REQUIRE(run.steps == 3);
  REQUIRE(run.transfers_per_step == std::vector<int>{1, 2, 1});
  REQUIRE(run.step_load == std::vector<int>{1, 1, 1});
  REQUIRE(run.channel_load[line.channel(0, +1).index()] == 2);
  REQUIRE(run.channel_load[line.channel(1, +1).index()] == 1);
  REQUIRE(run.channel_load[line.channel(3, -1).index()] == 1);
  REQUIRE(run.channel_load[line.channel(4, -1).index()] == 0);
  REQUIRE(run.mean_path == Approx(6.0 / 4));
}

TEST_CASE("transfers of one step over one channel contend; those of other steps do not",
          "[untimed]") {
  Line line;
  line.send(0, 1, 1);
  line.send(0, 2, 2);
  line.send(0, 3, 2);
  line.send(0, 4, 2);

  const Untimed run = line.judged(3);

  // In step 2 channels 0 -> 1 and 1 -> 2 carry three transfers each, channel 2 -> 3 two.
  REQUIRE(run.step_load == std::vector<int>{1, 3});
  REQUIRE(run.contentions.size() == 2 + 2 + 1);
  REQUIRE(run.contentions[0].step == 2);
  REQUIRE(run.contentions[0].channel == line.channel(0, +1));
  REQUIRE(run.contentions[0].first == 1);
  REQUIRE(run.contentions[0].second == 2);
  REQUIRE(run.contentions[1].first == 1);
  REQUIRE(run.contentions[1].second == 3);
  REQUIRE(run.contentions[4].channel == line.channel(2, +1));
  REQUIRE(run.contentions[4].first == 2);
  REQUIRE(run.satisfies_demand());
}

TEST_CASE("ports without a channel do not lower the bound of steps", "[untimed]") {
  const Topology network = mesh({8, 8});
  const auto by = routing("dimension_order", network);
  const Schedule plan =
      schedule("recursive_doubling", "", broadcast_from(NodeId(9), network), {network, *by, 8});

  CHECK(evaluate(plan, network, *by, 1).least_steps == 6);
  CHECK(evaluate(plan, network, *by, 3).least_steps == 3);
  CHECK(evaluate(plan, network, *by, 8).least_steps == 3);  // four channels: log5 of 64
}

TEST_CASE("the largest number of messages of a node in a step is counted", "[untimed]") {
  Line line;
  line.send(0, 1, 1);
  line.send(0, 2, 2);
  line.send(0, 3, 2);
  line.send(0, 4, 2);

  CHECK(line.judged(1).most_at_once == 3);
}

TEST_CASE("destinations that receive nothing are faults", "[untimed]") {
  Line line;
  line.send(0, 1, 1);
  line.send(0, 4, 2);

  const Untimed run = line.judged(1);

  REQUIRE_FALSE(run.satisfies_demand());
  REQUIRE(run.faults == std::vector<std::string>{"node 2 does not receive message 0",
                                                 "node 3 does not receive message 0"});
}

TEST_CASE("a delivery to a node that is no destination is a fault", "[untimed]") {
  const Topology network = mesh({4});
  Schedule schedule({"multicast", {{NodeId(0), {NodeId(3)}, Bytes{8}}}});
  schedule.send(0, NodeId(0), NodeId(2), 1);
  schedule.send(0, NodeId(0), NodeId(3), 2);

  const Untimed run = evaluate(schedule, network, *routing("dimension_order", network), 1);

  REQUIRE(run.faults ==
          std::vector<std::string>{"node 2 receives message 0 but is not a destination"});
}

TEST_CASE("a node that is no destination may forward a message", "[untimed]") {
  const Topology network = mesh({4});
  Schedule schedule({"multicast", {{NodeId(0), {NodeId(3)}, Bytes{8}}}});
  schedule.send(0, NodeId(0), NodeId(2), 1);
  schedule.send(0, NodeId(2), NodeId(3), 2);

  REQUIRE(evaluate(schedule, network, *routing("dimension_order", network), 1).satisfies_demand());
}

TEST_CASE("more transfers at a node in a step than it has ports are a fault", "[untimed]") {
  const Topology network = mesh({3, 3});
  const NodeId centre = network.grid()->node({1, 1});
  Schedule schedule({"unicasts",
                     {{centre, {NodeId(0), NodeId(8)}, Bytes{8}},
                      {NodeId(3), {centre}, Bytes{8}},
                      {NodeId(5), {centre}, Bytes{8}}}});
  schedule.send(0, centre, NodeId(0), 1);
  schedule.send(0, centre, NodeId(8), 1);
  schedule.send(1, NodeId(3), centre, 1);
  schedule.send(2, NodeId(5), centre, 1);
  const auto by = routing("dimension_order", network);

  const Untimed one_port = evaluate(schedule, network, *by, 1);
  REQUIRE(one_port.faults.size() == 2);
  REQUIRE(has(one_port.faults[0], {"1_1", "sends 2", "step 1"}));
  REQUIRE(has(one_port.faults[1], {"1_1", "receives 2", "step 1"}));
  REQUIRE(evaluate(schedule, network, *by, 2).satisfies_demand());
}

TEST_CASE("an empty schedule has no steps and no paths", "[untimed]") {
  const Topology network = mesh({1});
  const Untimed run = evaluate(Schedule(broadcast_from(NodeId(0), network)), network,
                               *routing("dimension_order", network), 1);

  REQUIRE(run.steps == 0);
  REQUIRE(run.mean_path == 0);
  REQUIRE(run.satisfies_demand());
}

TEST_CASE("random ties are chosen anew for each transfer and are reproducible", "[untimed]") {
  const Topology ring = torus({4});
  Demand demand{"unicasts", {}};
  for (int i = 0; i < 32; ++i) demand.deliveries.push_back({NodeId(0), {NodeId(2)}, Bytes{8}});
  Schedule schedule(demand);
  for (int i = 0; i < 32; ++i) schedule.send(i, NodeId(0), NodeId(2), i + 1);
  const auto by = routing("dimension_order", ring, "ties: random");

  const Untimed run = evaluate(schedule, ring, *by, 1);
  const int up = run.channel_load[ring.channel_out(NodeId(0), Grid::port(0, +1)).index()];

  REQUIRE(up > 6);
  REQUIRE(up < 26);
  REQUIRE(evaluate(schedule, ring, *by, 1).channel_load == run.channel_load);
}

}  // namespace untimed_test
