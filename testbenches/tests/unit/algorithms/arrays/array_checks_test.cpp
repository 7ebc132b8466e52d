// testbenches/tests/unit/algorithms/arrays/array_checks_test.cpp: the array checks find the faults
// of schedules.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/unit/algorithms/arrays/array_checks.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/arrays/sections/diagonal.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_cases.hpp"

namespace array_checks_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// Exactly the listed sends, correct or not.
class Listed final : public ArraySchedule {
 public:
  Listed(const ArrayAssignment& of, std::vector<ArraySend> all)
      : ArraySchedule(of), all_(std::move(all)) {}

  int slots(TransferPhase phase) const override { return phase == TransferPhase::main ? 3 : 1; }
  void sends_of(MeshPlace node, std::vector<ArraySend>& sends) const override {
    for (const ArraySend& send : all_)
      if (send.from == node) sends.push_back(send);
  }

 private:
  std::vector<ArraySend> all_;
};

bool mentions(const std::string& fault, const std::string& part) {
  return fault.find(part) != std::string::npos;
}

/// The fault that one change causes in a correct schedule that shifts 2 x 3 nodes by (3, 3).
template <class Change>
std::string fault_after(Change change) {
  const ArrayAssignment of = shift(2, 3, 3, 3);
  std::vector<ArraySend> sends = section_diagonal(of)->sends();
  change(sends);
  return fault_of(Listed(of, std::move(sends)));
}

}  // namespace

TEST_CASE("the array checks find every kind of fault of a schedule", "[arrays]") {
  using Sends = std::vector<ArraySend>;
  REQUIRE(fault_after([](Sends&) {}) == "");
  REQUIRE(mentions(fault_after([](Sends& sends) { sends.pop_back(); }), "ends at"));
  REQUIRE(mentions(fault_after([](Sends& sends) { sends.push_back(sends.front()); }),
                   "a second send of its node"));
  REQUIRE(mentions(fault_after([](Sends& sends) {
                     sends.push_back(sends.front());
                     sends.back().phase = TransferPhase::scatter;
                     sends.back().slot = 0;
                   }),
                   "no element"));
  REQUIRE(mentions(fault_after([](Sends& sends) {
                     for (ArraySend& send : sends) send.slot = 0;
                   }),
                   "is used twice"));
  REQUIRE(mentions(fault_after([](Sends& sends) { sends[1].to = sends[0].to; }),
                   "its receiver gets another"));
  REQUIRE(mentions(fault_after([](Sends& sends) { sends[0].slot = 3; }), "beyond the 3 slots"));
  REQUIRE(mentions(fault_after([](Sends& sends) { sends[0].to.row = 5; }), "leaves the mesh"));
  REQUIRE(mentions(fault_after([](Sends& sends) { sends[0].to = sends[0].from; }), "goes nowhere"));
  REQUIRE(mentions(fault_after([](Sends& sends) { sends[0].block.rows.last = -1; }), "is empty"));
  REQUIRE(mentions(fault_after([](Sends& sends) { ++sends[0].block.columns.last; }), "no element"));
  REQUIRE(
      mentions(fault_after([](Sends& sends) { ++sends.front().block.rows.last; }), "no element"));
}

TEST_CASE("a send of an element after its arrival, or twice in the main phase, is a fault",
          "[arrays]") {
  const ArrayAssignment of = shift(1, 1, 0, 2);
  const IndexBlock element{{0, 0}, {0, 0}};
  const ArraySend first{TransferPhase::main, 0, {0, 0}, {0, 1}, element};
  const ArraySend second{TransferPhase::main, 1, {0, 1}, {0, 2}, element};
  REQUIRE(mentions(fault_of(Listed(of, {first, second})), "a second time"));
  ArraySend shift_before = first;
  shift_before.phase = TransferPhase::initial_shift_2;
  REQUIRE(fault_of(Listed(of, {shift_before, second})) == "");
  ArraySend together = second;
  together.slot = 0;
  REQUIRE(mentions(fault_of(Listed(of, {first, together})), "no element"));
}

TEST_CASE("a send that a node lists for another node is a fault", "[arrays]") {
  class Foreign final : public ArraySchedule {
   public:
    explicit Foreign(const ArrayAssignment& of) : ArraySchedule(of) {}
    int slots(TransferPhase) const override { return 1; }
    void sends_of(MeshPlace node, std::vector<ArraySend>& sends) const override {
      if (node == MeshPlace{0, 1})
        sends.push_back({TransferPhase::main, 0, {0, 0}, {0, 1}, {{0, 0}, {0, 0}}});
    }
  };
  REQUIRE(mentions(fault_of(Foreign(shift(1, 1, 0, 1))), "is another node's"));
}

TEST_CASE("a node that sends and receives in one slot is found", "[arrays]") {
  const ArrayAssignment of = shift(1, 2, 0, 1);
  REQUIRE(has_node_contention(*section_diagonal(of)));
  REQUIRE_FALSE(has_node_contention(*section_diagonal(shift(1, 2, 0, 2))));
}

TEST_CASE("routes run first along the source's row, or first along its column", "[arrays]") {
  using Route = std::vector<BruteChannel>;
  REQUIRE(brute_route({0, 0}, {1, -1}, RouteOrder::row_first) ==
          Route{{{0, 0}, {0, -1}}, {{0, -1}, {1, -1}}});
  REQUIRE(brute_route({0, 0}, {1, -1}, RouteOrder::column_first) ==
          Route{{{0, 0}, {1, 0}}, {{1, 0}, {1, -1}}});
}

}  // namespace array_checks_test
