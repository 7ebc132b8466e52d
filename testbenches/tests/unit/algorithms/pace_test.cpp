// testbenches/tests/unit/algorithms/pace_test.cpp: message barriers between the steps of a
// schedule.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/pace.hpp"

#include <set>

#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace pace_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// A broadcast from node 0 over five nodes in a line, in three steps.
Schedule three_steps() {
  Schedule schedule(broadcast_from(NodeId(0), mesh({5})));
  schedule.send(0, NodeId(0), NodeId(4), 1);
  schedule.send(0, NodeId(0), NodeId(2), 2);
  schedule.send(0, NodeId(4), NodeId(3), 2);
  schedule.send(0, NodeId(2), NodeId(1), 3);
  return schedule;
}

/// All transfers that must be complete before one begins.
std::set<int> before(const Schedule& schedule, int transfer) {
  std::set<int> all;
  for (int needed : schedule.transfer(transfer).after) {
    all.insert(needed);
    const std::set<int> more = before(schedule, needed);
    all.insert(more.begin(), more.end());
  }
  return all;
}

}  // namespace

TEST_CASE("a message barrier adds ceil(log2 n) steps between any two steps", "[schedule]") {
  const Schedule paced = with_message_barriers(three_steps());

  CHECK(paced.barrier_steps() == 2 * 3);
  CHECK(paced.steps() == 3 + 2 * 3);
  CHECK(paced.transfers().size() == 4 + 2 * 3 * 5);
  CHECK(paced.pace() == Pace::dataflow);
}

TEST_CASE("a transfer waits until its sender is notified of all receipts of the previous step",
          "[schedule]") {
  const Schedule paced = with_message_barriers(three_steps());

  for (std::size_t i = 0; i < paced.transfers().size(); ++i) {
    const Transfer& transfer = paced.transfers()[i];
    if (paced.delivery_of(transfer.pieces.front()).is_barrier) continue;
    const std::set<int> needed = before(paced, static_cast<int>(i));
    for (std::size_t j = 0; j < paced.transfers().size(); ++j) {
      const Transfer& other = paced.transfers()[j];
      if (paced.delivery_of(other.pieces.front()).is_barrier || other.step >= transfer.step)
        continue;
      CAPTURE(i, j);
      CHECK(needed.count(static_cast<int>(j)) == 1);
    }
  }
}

TEST_CASE("a schedule with message barriers satisfies the same demand as without", "[schedule]") {
  const Topology network = mesh({5});
  const auto by = routing("dimension_order", network);

  const Untimed untimed = evaluate(with_message_barriers(three_steps()), network, *by, 1);

  CHECK(untimed.satisfies_demand());
  CHECK(untimed.steps == 9);
  CHECK(untimed.barrier_steps == 6);
}

TEST_CASE("messages that the network copies have no message barrier", "[schedule]") {
  Schedule copied(broadcast_from(NodeId(0), mesh({3})));
  copied.send_to_all({0}, NodeId(0), {NodeId(1), NodeId(2)}, 1);

  CHECK_THROWS_AS(with_message_barriers(copied), ConfigError);
}

TEST_CASE("a schedule without transfers is unchanged", "[schedule]") {
  const Schedule nothing(Demand{"test", {}});

  CHECK(with_message_barriers(nothing).steps() == 0);
}

}  // namespace pace_test
