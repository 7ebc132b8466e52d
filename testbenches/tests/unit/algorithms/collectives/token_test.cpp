// testbenches/tests/unit/algorithms/collectives/token_test.cpp: one message at a time in the whole
// network.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace token_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

struct Workstations {
  explicit Workstations(int nodes) : network(complete(nodes)) {}

  Schedule plan(const std::string& operation, const std::string& parameters) const {
    return schedule("token", "", demand(operation, parameters, network), {network, *direct, 1});
  }

  Topology network;
  std::unique_ptr<RoutingFunction> direct = routing("shortest_path", network);
};

}  // namespace

TEST_CASE("messages to and fro wait for each other", "[collectives]") {
  const Workstations two(2);

  const Schedule plan = two.plan("ping_pong", "from: 1, to: 0, message: 8 B, rounds: 2");

  REQUIRE(plan.steps() == 4);
  REQUIRE(plan.transfer(0).after.empty());
  for (int i = 1; i < 4; ++i) REQUIRE(plan.transfer(i).after == std::vector<int>{i - 1});
}

TEST_CASE("a ping-pong begins at the node that it is from", "[collectives]") {
  const Workstations two(2);
  for (int from : {0, 1}) {
    const Schedule plan = two.plan("ping_pong", "from: " + std::to_string(from) + ", to: " +
                                                    std::to_string(1 - from) + ", message: 8 B");
    REQUIRE(plan.steps() == 2);
    REQUIRE(plan.transfer(0).from == NodeId(from));
    REQUIRE(plan.transfer(1).after == std::vector<int>{0});
  }
}

TEST_CASE("who holds the token sends all that it has, then the next does", "[collectives]") {
  const Workstations four(4);

  const Schedule plan =
      four.plan("unicasts",
                "transfers: [{from: 0, to: 1, message: 8 B}, {from: 0, to: 2, message: 8 B}, "
                "{from: 2, to: 3, message: 8 B}, {from: 2, to: 1, message: 8 B}]");

  REQUIRE(plan.transfer(1).after.empty());
  REQUIRE(plan.transfer(2).after == std::vector<int>{1});
  REQUIRE(plan.transfer(3).after == std::vector<int>{1});
}

TEST_CASE("a message without the token is refused", "[collectives]") {
  const Workstations four(4);

  REQUIRE(
      has(refusal([&] {
            four.plan("unicasts",
                      "transfers: [{from: 0, to: 1, message: 8 B}, {from: 2, to: 3, "
                      "message: 8 B}]");
          }),
          {"message 1 of the unicasts starts at a node that has not received the previous one"}));
  REQUIRE(has(refusal([&] { four.plan("reduce", "root: 0, message: 8 B"); }),
              {"token combines nothing"}));
}

TEST_CASE("between stations every way is one channel", "[collectives]") {
  const Workstations twelve(12);
  for (int from = 0; from < 12; ++from)
    for (NodeId to : all_but(NodeId(from), twelve.network))
      REQUIRE(path(*twelve.direct, twelve.network, {NodeId(from), to, 0, 0}).size() == 1);
}

}  // namespace token_test
