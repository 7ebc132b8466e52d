// testbenches/tests/paper/tsai_1997/tsai_1997_packets_test.cpp: broadcasts in packets and parts,
// section 5.3.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/cost_models/fibonacci_growth.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/paper/tsai_1997/fibonacci_tables.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace tsai_1997_packets_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

struct Square {
  explicit Square(int width) : network(mesh({width, width})) {}

  Schedule plan(const std::string& kind, int root, const std::string& parameters = "") const {
    return schedule(kind, parameters, broadcast_from(NodeId(root), network), {network, *xy, 1});
  }
  /// With one port, two sends or two receipts of a node in a step are a fault.
  Untimed judged(const Schedule& plan) const { return evaluate(plan, network, *xy, 1); }

  Topology network;
  std::unique_ptr<RoutingFunction> xy = routing("dimension_order", network);
};

int fibonacci_steps_from(const Square& square, int root, int packets) {
  const Untimed run =
      square.judged(square.plan("fibonacci_tree", root, "packets: " + std::to_string(packets)));
  REQUIRE(run.faults == std::vector<std::string>{});
  REQUIRE(run.contentions.empty());
  return run.steps;
}

}  // namespace

TEST_CASE("a Fibonacci tree takes t(P, k) steps from an end of the chain, without contention",
          "[paper][untimed]") {
  const int packets = GENERATE(1, 2, 3, 4, 5, 6, 7, 8);
  const int steps = steps_on_64.at(static_cast<std::size_t>(packets) - 1);
  const Square square(8);

  CHECK(fibonacci_steps_from(square, 0, packets) == steps);
  CHECK(fibonacci_steps_from(square, 63, packets) == steps);
}

TEST_CASE("from other sources a Fibonacci tree takes a few steps more", "[paper][untimed]") {
  const auto [packets, worst] =
      GENERATE(table<int, int>({{1, 6}, {2, 10}, {3, 14}, {4, 17}, {8, 29}}));
  const Square square(8);

  int most = 0;
  for (int root = 0; root < 64; ++root)
    most = std::max(most, fibonacci_steps_from(square, root, packets));
  CHECK(most <= worst);
  CHECK(most >= fibonacci_steps(64, packets));
}

TEST_CASE("with one packet a Fibonacci tree takes the steps of recursive doubling",
          "[paper][O26][untimed]") {
  const Square square(8);
  for (int root : {0, 7, 28, 63})
    CHECK(fibonacci_steps_from(square, root, 1) == square.plan("recursive_doubling", root).steps());
}

TEST_CASE("scatter-collect takes 2n + 2 (2^n - 1) steps, and its ring uses each channel once",
          "[paper][O19][untimed]") {
  const auto [n, steps] = GENERATE(table<int, int>({{2, 10}, {3, 20}, {4, 38}}));
  const int root = GENERATE(0, 5, 15);
  const std::string ring = GENERATE("folded", "natural");
  const Square square(1 << n);

  const Untimed run = square.judged(square.plan("scatter_collect", root, "ring: " + ring));

  CHECK(run.faults == std::vector<std::string>{});
  CHECK(run.contentions.empty());
  CHECK(run.steps == steps);
}

TEST_CASE("scatter-collect takes 72 steps for n = 5", "[paper][untimed][O19]") {
  REQUIRE(Square(32).plan("scatter_collect", 5).steps() == 72);  // table 5.3
}

TEST_CASE("a scatter halves the remaining data: the last parts are those of one node",
          "[paper][untimed]") {
  const Square square(8);
  const Schedule plan = square.plan("scatter_collect", 0);

  const auto bytes_in = [&](int step) {
    std::int64_t most = 0;
    for (const Transfer& sent : plan.transfers())
      if (sent.step == step) most = std::max(most, sent.size.count);
    return most;
  };
  CHECK(bytes_in(1) == 32);
  CHECK(bytes_in(2) == 16);
  CHECK(bytes_in(3) == 8);
  CHECK(bytes_in(4) == 4);
  CHECK(bytes_in(6) == 1);
  CHECK(bytes_in(7) == 1);
  CHECK(bytes_in(13) == 1);
  CHECK(bytes_in(14) == 8);
}

}  // namespace tsai_1997_packets_test
