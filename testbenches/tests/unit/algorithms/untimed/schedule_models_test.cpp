// testbenches/tests/unit/algorithms/untimed/schedule_models_test.cpp: the parallel models, compared
// with cases worked out by hand.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/schedule_models.hpp"

#include <queue>
#include <tuple>

#include "algorithms/cost_models/fibonacci_growth.hpp"
#include "algorithms/untimed/schedule_replay.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace schedule_models_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

Demand broadcast(int nodes, std::int64_t bytes) {
  std::vector<NodeId> others;
  for (int node = 1; node < nodes; ++node) others.emplace_back(node);
  return {"broadcast", {{NodeId(0), others, Bytes{bytes}}}};
}

/// In step s each of 2^(s - 1) nodes sends to the node 2^(s - 1) positions further.
Schedule binomial(int nodes, std::int64_t bytes, Pace pace = Pace::dataflow) {
  Schedule schedule(broadcast(nodes, bytes), pace);
  int step = 1;
  for (int holders = 1; holders < nodes; holders *= 2, ++step)
    for (int node = 0; node < holders && node + holders < nodes; ++node)
      schedule.send(0, NodeId(node), NodeId(node + holders), step);
  return schedule;
}

/// Nodes with the message keep sending to nodes without it, with the times of a model: the best
/// broadcast of a short message in that model.
Schedule greedy(int nodes, double gap, double until_held) {
  Schedule schedule(broadcast(nodes, 1));
  struct Sender {
    double at;
    int node;
    int step;  // the time of its next possible send
    bool operator>(const Sender& other) const {
      return std::tie(at, node) > std::tie(other.at, other.node);
    }
  };
  std::priority_queue<Sender, std::vector<Sender>, std::greater<>> senders;
  senders.push({0, 0, 1});
  for (int next = 1; next < nodes; ++next) {
    const Sender sender = senders.top();
    senders.pop();
    schedule.send(0, NodeId(sender.node), NodeId(next), sender.step);
    senders.push({sender.at + gap, sender.node, sender.step + 1});
    senders.push({sender.at + until_held, next, sender.step + 1});
  }
  return schedule;
}

/// All nodes send to node 0 in one step.
Schedule fan_in(int senders, std::int64_t bytes) {
  Demand demand{"gather", {}};
  for (int node = 1; node <= senders; ++node)
    demand.deliveries.push_back({NodeId(node), {NodeId(0)}, Bytes{bytes}});
  Schedule schedule(demand);
  for (int message = 0; message < senders; ++message)
    schedule.send(message, NodeId(message + 1), NodeId(0), 1);
  return schedule;
}

/// One message to all nodes, which the network copies.
Schedule copied(int nodes, std::int64_t bytes) {
  const Demand demand = broadcast(nodes, bytes);
  Schedule schedule(demand);
  schedule.send_to_all({0}, NodeId(0), demand.deliveries[0].destinations, 1);
  return schedule;
}

}  // namespace

TEST_CASE("a message that the network copies is sent once, by every model", "[unit]") {
  const Schedule one = copied(2, 100);
  const Schedule many = copied(9, 100);

  REQUIRE(predict(many, Hockney{2, 10}) == predict(one, Hockney{2, 10}));
  REQUIRE(predict(many, LogP{1, 2, 3, 100}) == predict(one, LogP{1, 2, 3, 100}));
  REQUIRE(predict(many, LogGP{1, 2, 3, 0.1}) == predict(one, LogGP{1, 2, 3, 0.1}));
  REQUIRE(predict(many, Postal{3, 1, 100}) == predict(one, Postal{3, 1, 100}));
  REQUIRE(predict(many, Bsp{0.1, 5}) == predict(one, Bsp{0.1, 5}));
  REQUIRE(predict(many, Hockney{2, 10}) > 0);
}

TEST_CASE("Hockney's model takes one message time per step of a binomial broadcast",
          "[cost_models]") {
  const Hockney model{10, 4};  // 100 bytes: 35

  REQUIRE(predict(binomial(2, 100), model) == 35);
  REQUIRE(predict(binomial(8, 100), model) == 3 * 35);
  REQUIRE(predict(binomial(8, 100, Pace::stepped), model) == 3 * 35);
  REQUIRE(predict(fan_in(3, 100), model) == 3 * 35);  // one receipt at a time
}

TEST_CASE("Xu and Hwang's model depends only on the participants and the amount of data",
          "[cost_models]") {
  const XuHwang model{[](int nodes) { return 5.0 * nodes; },
                      [](int nodes) { return 64.0 / nodes; }};

  REQUIRE(predict(binomial(8, 100), model) == 40 + 100 / 8.0);
  REQUIRE(predict(fan_in(7, 100), model) == 40 + 100 / 8.0);
}

TEST_CASE("the best broadcast to eight nodes under LogP ends at 24, a binomial one at 30",
          "[cost_models]") {
  // [predict]
  const LogP model{6, 2, 4};  // Culler et al. 1993, figure 3: P = 8, L = 6, g = 4, o = 2

  REQUIRE(predict(greedy(8, 4, 10), model) == 24);
  REQUIRE(predict(binomial(8, 1), model) == 30);
  // [predict]
}

TEST_CASE("in LogP one message takes L + 2 o, and each further packet one gap more",
          "[cost_models]") {
  REQUIRE(predict(binomial(2, 8), LogP{6, 2, 4, 8}) == 6 + 2 * 2);
  REQUIRE(predict(binomial(2, 32), LogP{6, 2, 4, 8}) == 3 * 4 + 6 + 2 * 2);
  REQUIRE(predict(binomial(2, 32), LogP{6, 5, 4, 8}) == 3 * 5 + 6 + 2 * 5);  // overhead above gap
}

TEST_CASE("in LogP a node receives a message each gap", "[cost_models]") {
  REQUIRE(predict(fan_in(5, 1), LogP{6, 2, 4}) == 2 + 6 + 4 * 4 + 2);
}

TEST_CASE("in LogP a processor that receives does not send", "[cost_models]") {
  // Node 1 sends to 2 from 0 to 2, and again from 10, because node 0's message arrives there at 8.
  Schedule schedule(Demand{"unicasts",
                           {{NodeId(0), {NodeId(1)}, Bytes{1}},
                            {NodeId(1), {NodeId(2)}, Bytes{1}},
                            {NodeId(1), {NodeId(3)}, Bytes{1}}}});
  schedule.send(0, NodeId(0), NodeId(1), 1);
  schedule.send(1, NodeId(1), NodeId(2), 1);
  schedule.send(2, NodeId(1), NodeId(3), 2);

  // o = 2, L = 6, g = 8: the second send and the receipt could both begin at 8; the receipt does,
  // and the send waits until 10.
  REQUIRE(predict(schedule, LogP{6, 2, 8}) == 10 + 2 + 6 + 2);
}

TEST_CASE("LogGP equals LogP for one byte and adds G for each further byte", "[cost_models]") {
  REQUIRE(predict(binomial(8, 1), LogGP{6, 2, 4, 0.5}) == predict(binomial(8, 1), LogP{6, 2, 4}));
  REQUIRE(predict(binomial(2, 101), LogGP{6, 2, 4, 0.5}) == 2 + 100 * 0.5 + 6 + 2);

  // Alexandrov et al. 1995: two long messages of one sender, o + (k-1)G + g + (k-1)G + L + o.
  Schedule two(broadcast(3, 101));
  two.send(0, NodeId(0), NodeId(1), 1);
  two.send(0, NodeId(0), NodeId(2), 2);
  REQUIRE(predict(two, LogGP{6, 2, 4, 0.5}) == 2 + 50 + 4 + 50 + 6 + 2);
}

TEST_CASE("in the postal model with lambda 2 a broadcast grows as the Fibonacci numbers",
          "[cost_models]") {
  // N(t) = N(t - 1) + N(t - 2): 1 1 2 3 5 8 13 21
  for (int time = 2; time < 12; ++time) {
    const int nodes = static_cast<int>(fibonacci_nodes(time, 2));
    REQUIRE(predict(greedy(nodes, 1, 2), Postal{2}) == time);
    REQUIRE(predict(greedy(nodes + 1, 1, 2), Postal{2}) == time + 1);
  }
}

TEST_CASE("the postal model with lambda 1 is recursive doubling", "[cost_models]") {
  REQUIRE(predict(binomial(64, 1), Postal{1}) == 6);
  REQUIRE(predict(binomial(64, 1), Postal{1, 2.5}) == 15);
  REQUIRE_THROWS_AS(predict(binomial(64, 1), Postal{0.5}), ConfigError);
}

TEST_CASE("an h-relation is what the busiest node of a superstep sends or receives",
          "[cost_models]") {
  REQUIRE(h_relations(binomial(8, 100)) == std::vector<HRelation>(3, {1, 100}));
  REQUIRE(h_relations(fan_in(5, 100)) == std::vector<HRelation>{{5, 500}});

  Schedule three(broadcast(5, 10));
  for (int node : {1, 2, 3}) three.send(0, NodeId(0), NodeId(node), 1);
  three.send(0, NodeId(3), NodeId(4), 2);
  REQUIRE(h_relations(three) == std::vector<HRelation>{{3, 30}, {1, 10}});
  REQUIRE(predict(three, Bsp{0.5, 7}) == (30 * 0.5 + 7) + (10 * 0.5 + 7));
}

TEST_CASE("a schedule in steps waits for the slowest transfer, one without barriers does not",
          "[cost_models]") {
  // Node 0 sends to 1, 2 and 3 in step 1; node 1 sends on in step 2.
  const auto schedule = [](Pace pace) {
    Schedule made(broadcast(5, 1), pace);
    for (int node : {1, 2, 3}) made.send(0, NodeId(0), NodeId(node), 1);
    made.send(0, NodeId(1), NodeId(4), 2);
    return made;
  };
  const LogP model{6, 2, 4};

  REQUIRE(predict(schedule(Pace::dataflow), model) == 10 + 10);
  REQUIRE(predict(schedule(Pace::stepped), model) == 8 + 10 + 10);
}

TEST_CASE("every model predicts more for more bytes, and supports every collective",
          "[cost_models]") {
  const Topology network = mesh({4, 4});
  const auto xy = routing("dimension_order", network);
  for (const char* kind : {"separate", "recursive_doubling", "edn"}) {
    const auto plan = [&](std::int64_t bytes) {
      Demand requested = broadcast_from(NodeId(5), network);
      requested.deliveries[0].size = Bytes{bytes};
      return schedule(kind, "", requested, {network, *xy, 3});
    };
    const Schedule brief = plan(16);
    const Schedule lengthy = plan(64);
    REQUIRE(predict(brief, Hockney{10, 4}) < predict(lengthy, Hockney{10, 4}));
    REQUIRE(predict(brief, LogP{6, 2, 4, 8}) < predict(lengthy, LogP{6, 2, 4, 8}));
    REQUIRE(predict(brief, LogGP{6, 2, 4, 1}) < predict(lengthy, LogGP{6, 2, 4, 1}));
    REQUIRE(predict(brief, Postal{2, 1, 8}) < predict(lengthy, Postal{2, 1, 8}));
    REQUIRE(predict(brief, Bsp{1, 8}) < predict(lengthy, Bsp{1, 8}));
  }
}

TEST_CASE("a model with invalid values is rejected with its name", "[cost_models]") {
  const Schedule schedule = binomial(4, 8);

  REQUIRE(has(rejection([&] { predict(schedule, Hockney{1, 0}); }), {"bandwidth", "more than 0"}));
  REQUIRE(has(rejection([&] { predict(schedule, LogP{-1, 0, 0}); }), {"latency", "0 or more"}));
  REQUIRE(has(rejection([&] { predict(schedule, LogGP{0, 0, 0, -1}); }), {"gap_per_byte"}));
  REQUIRE(has(rejection([&] { predict(schedule, Bsp{0, -1}); }), {"barrier"}));
}

}  // namespace schedule_models_test
