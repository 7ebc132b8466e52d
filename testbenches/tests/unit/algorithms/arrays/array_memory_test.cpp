// testbenches/tests/unit/algorithms/arrays/array_memory_test.cpp: faults of moved elements are
// found and reported.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/array_memory.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "algorithms/arrays/array_demand.hpp"
#include "algorithms/arrays/general_schedule.hpp"
#include "algorithms/arrays/general_transposition.hpp"
#include "algorithms/arrays/regular_schedule.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_draws.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_text.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace array_memory_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// A section whose blocks match neither side, so that the main phase is preceded by shifts.
class Moved {
 public:
  Moved()
      : network_(mesh({6, 6})),
        by_(routing("dimension_order", network_)),
        schedule_(make()),
        memory_(schedule_, network_) {}

  const Schedule& schedule() const { return schedule_; }

  /// Performs the sends and receipts of all transfers but one; -1: of all.
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

/// The report of the memories after a schedule has been carried out step by step.
ArrayVerdict carried_out(const Schedule& schedule, const Topology& network) {
  ArrayMemory memory(schedule, network);
  const auto count = static_cast<int>(schedule.transfers().size());
  for (int i = 0; i < count;) {
    int end = i;
    while (end < count && schedule.transfer(end).step == schedule.transfer(i).step) ++end;
    for (int sent = i; sent < end; ++sent) memory.send(sent);
    for (int received = i; received < end; ++received) memory.receive(received);
    i = end;
  }
  return memory.compare();
}

void require_right(const ArraySchedule& array, const Topology& network, RoutingFunction& by) {
  const CollectiveContext context{network, by, 1};
  const Demand demand = array_demand("test", array.assignment(), Bytes{8}, network);
  const ArrayVerdict verdict = carried_out(schedule_of(array, demand, context), network);
  INFO(text_of(array.assignment()) << ": " << fmt::format("{}", fmt::join(verdict.faults, "; ")));
  REQUIRE(verdict.faults.empty());
  REQUIRE(verdict.right == verdict.elements);
}

/// Schedules of random assignments in which messages are combined or forwarded.
void check_schedules(int cases, unsigned seed) {
  const Topology network = mesh({24, 24});
  const std::unique_ptr<RoutingFunction> by = routing("dimension_order", network);
  CaseDraw draw(seed);
  for (int i = 0; i < cases; ++i) {
    const AxisTransfer rows = draw.any_axis(16, 6);
    const AxisTransfer columns = draw.any_axis(16, 6);
    const ArrayAssignment of{rows, columns};
    const ArrayAssignment turned{rows, columns, Alignment::transposed};
    if (std::max({of.mesh_rows(), of.mesh_columns(), turned.mesh_rows(), turned.mesh_columns()}) >
        24)
      continue;
    for (const Surplus surplus : {Surplus::lead_merge, Surplus::exact_max}) {
      require_right(*general_schedule(of, {GeneralRegion::one_to_one, surplus}), network, *by);
      require_right(*general_schedule(of, {GeneralRegion::gather_scatter, surplus}), network, *by);
      require_right(*general_transposition(turned, surplus), network, *by);
    }
    const AxisTransfer even = draw.regular_axis(draw.between(1, 4), 1, draw.between(1, 4));
    const AxisTransfer other = draw.regular_axis(1, draw.between(1, 4), draw.between(1, 4));
    const ArrayAssignment regular{even, other};
    if (std::max(regular.mesh_rows(), regular.mesh_columns()) > 24) continue;
    for (const RegionRoutine routine :
         {RegionRoutine::one_to_one, RegionRoutine::gather_scatter, RegionRoutine::hybrid})
      require_right(*regular_schedule(regular, {routine, false, {}}), network, *by);
  }
}

}  // namespace

TEST_CASE("random assignments give the serial result, however their messages are combined",
          "[arrays]") {
  check_schedules(60, 1);
}

TEST_CASE("many random assignments give the serial result", "[arrays][long]") {
  check_schedules(3000, 2);
}

TEST_CASE("after all transfers every element equals that of the serial assignment", "[arrays]") {
  Moved moved;
  CHECK(moved.compare().right < 225);

  moved.move();

  CHECK(moved.compare().elements == 225);
  CHECK(moved.compare().right == 225);
  CHECK(moved.compare().faults.empty());
}

TEST_CASE("a dropped transfer leaves elements missing, and the report names them", "[arrays]") {
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

TEST_CASE("a message that arrives twice is reported", "[arrays]") {
  Moved moved;
  moved.move();
  moved.move_one(static_cast<int>(moved.schedule().transfers().size()) - 1);

  REQUIRE_FALSE(moved.compare().faults.empty());
  CHECK(has(moved.compare().faults.front(), {"receives it twice"}));
}

}  // namespace array_memory_test
