// testbenches/unit/algorithms/array_memory_test.cpp: faults of moved elements are found and named.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/arrays/array_memory.hpp"

#include "flitwave/algorithms/arrays/general_schedule.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/unit/algorithms/kinds.hpp"

namespace array_memory_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// A section whose blocks fit neither side, so that shifts come before the main phase.
class Moved {
 public:
  Moved()
      : network_(mesh({6, 6})),
        by_(routing("dimension_order", network_)),
        schedule_(make()),
        memory_(schedule_, network_) {}

  const Schedule& schedule() const { return schedule_; }

  /// Sends and receives all transfers but one; -1: all.
  void move(int skipped = -1) {
    for (int i = 0; i < static_cast<int>(schedule_.transfers().size()); ++i)
      if (i != skipped) move_one(i);
  }
  void move_one(int transfer) {
    memory_.send(transfer);
    memory_.receive(transfer);
  }

  ArrayVerdict compare() const { return memory_.compare(); }

 private:
  Schedule make() const {
    const AxisTransfer axis({{1, 29, 2}, 9}, {{0, 28, 2}, 5});
    const Demand demand = array_demand("test", {axis, axis}, Bytes{8}, network_);
    const CollectiveContext context{network_, *by_, 1};
    return schedule_of(*general_schedule(array_assignment_of(demand, context)), demand, context);
  }

  Topology network_;
  std::unique_ptr<RoutingFunction> by_;
  Schedule schedule_;
  ArrayMemory memory_;
};

}  // namespace

TEST_CASE("all elements are as the serial assignment after all transfers", "[arrays]") {
  Moved moved;
  CHECK(moved.compare().right < 225);

  moved.move();

  CHECK(moved.compare().elements == 225);
  CHECK(moved.compare().right == 225);
  CHECK(moved.compare().faults.empty());
}

TEST_CASE("a transfer that is dropped leaves elements out, which are named", "[arrays]") {
  const int transfers = static_cast<int>(Moved().schedule().transfers().size());
  for (int skipped = 0; skipped < transfers; ++skipped) {
    Moved moved;
    moved.move(skipped);
    const ArrayVerdict verdict = moved.compare();
    CAPTURE(skipped);

    CHECK(verdict.right < 225);
    REQUIRE_FALSE(verdict.faults.empty());
    CHECK(has(verdict.faults.front(), {"section index (", "node "}));
  }
}

TEST_CASE("a message that arrives twice is found", "[arrays]") {
  Moved moved;
  moved.move();
  moved.move_one(static_cast<int>(moved.schedule().transfers().size()) - 1);

  REQUIRE_FALSE(moved.compare().faults.empty());
  CHECK(has(moved.compare().faults.front(), {"gets it twice"}));
}

}  // namespace array_memory_test
