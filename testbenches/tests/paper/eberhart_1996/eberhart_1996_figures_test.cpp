// testbenches/tests/paper/eberhart_1996/eberhart_1996_figures_test.cpp: the figures of Eberhart
// 1996, chapter 5.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"

namespace eberhart_1996_figures_test {

using namespace flitwave;

namespace {

/// One dimension of an assignment between regular sections: one element per node of the side with
/// more nodes, the destination area `offset` nodes further.
struct Axis {
  int sources = 1;
  int destinations = 1;
  int offset = 0;

  int elements() const { return std::max(sources, destinations); }
  std::string source() const { return fmt::format("0:{}", elements() - 1); }
  int source_block() const { return elements() / sources; }
  int destination_block() const { return elements() / destinations; }
  std::string destination() const {
    const int first = offset * destination_block();
    return fmt::format("{}:{}", first, first + elements() - 1);
  }
};

Scenario transfer(const Axis& rows, const Axis& columns) {
  const Scenario scenario = Scenario::parse(R"(
scenario: figure
evaluation: {kind: step_model, idle: counted}
draws: 200
topology: {kind: mesh, shape: [64, 64]}
operation: {kind: array_assignment}
algorithm: separate
)");
  return scenario
      .with("operation.source",
            fmt::format("{{section: [{}, {}], block: [{}, {}]}}", rows.source(), columns.source(),
                        rows.source_block(), columns.source_block()))
      .with("operation.destination",
            fmt::format("{{section: [{}, {}], block: [{}, {}]}}", rows.destination(),
                        columns.destination(), rows.destination_block(),
                        columns.destination_block()));
}

Scenario shift(int nodes, int offset) {
  return transfer({nodes, nodes, offset}, {nodes, nodes, offset});
}

double metric_of(const Scenario& scenario, const std::string& metric = "step_model.steps") {
  const Results results = simulate(scenario);
  REQUIRE(results.outcome == Outcome::complete);
  return results.value(metric);
}

/// The mean without a schedule.
double asynchronous(const Scenario& scenario) { return metric_of(scenario); }

double scheduled(const Scenario& scenario, const std::string& algorithm) {
  return metric_of(scenario.with("draws", "1").with("algorithm", algorithm));
}

double diagonal(const Scenario& scenario) { return scheduled(scenario, "section_diagonal"); }
double regular(const Scenario& scenario) { return scheduled(scenario, "regular_transfer"); }
double bound(const Scenario& scenario) {
  return metric_of(scenario.with("draws", "1"), "step_model.bound");
}

Scenario scatter_scatter(int n) { return transfer({n, 2 * n}, {n, 2 * n}); }
Scenario scatter_gather(int n) { return transfer({n, 2 * n}, {4 * n, n}); }
Scenario gather_scatter(int n, int down = 0) { return transfer({2 * n, n, down}, {n, 2 * n}); }

/// A row of nodes, transposed and shifted by a third of its length up and two thirds to the right.
Scenario row_transposition(int nodes) {
  const int third = nodes / 3;
  return transfer({1, 1}, {1, 1})
      .with("operation",
            fmt::format("{{kind: array_assignment, alignment: transposed, source: {{section: "
                        "[{0}:{0}, 0:{1}], block: [1, 1]}}, destination: {{section: [{2}:{2}, "
                        "0:{1}], block: [1, 1]}}}}",
                        third, nodes - 1, 2 * third));
}

}  // namespace

TEST_CASE("R1: the larger a shifted area, the greater the advantage of the diagonals",
          "[paper][eberhart_1996][eberhart_1996-R1]") {
  double before = 0;
  for (const int n : {4, 8, 16, 32}) {
    CAPTURE(n);
    REQUIRE(diagonal(shift(n, n)) == n);
    const double ratio = asynchronous(shift(n, n)) / n;
    REQUIRE(ratio > before);
    before = ratio;
  }
  REQUIRE(before > 2.53);
  REQUIRE(before < 2.59);
}

TEST_CASE(
    "R2: with a shift of (16, 16) larger areas overlap, and only the schedule is much faster for "
    "them",
    "[paper][eberhart_1996][eberhart_1996-R2]") {
  for (const int n : {4, 8, 14, 16, 20, 24, 32}) REQUIRE(diagonal(shift(n, 16)) == std::min(n, 16));
  for (const int n : {4, 8, 14, 16}) {
    CAPTURE(n);
    const double far = asynchronous(shift(n, n));
    const double apart = asynchronous(shift(n, 16));
    REQUIRE(apart > 0.97 * far);
    REQUIRE(apart < 1.03 * far);
  }
  const std::map<int, double> overlapping{{20, 45.0}, {24, 54.9}, {32, 74.3}};
  for (const auto& [n, mean] : overlapping) {
    CAPTURE(n);
    const double found = asynchronous(shift(n, 16));
    REQUIRE(found > 0.97 * mean);
    REQUIRE(found < 1.03 * mean);
    REQUIRE(found < asynchronous(shift(n, n)));
  }
}

TEST_CASE(
    "R3: the schedule is constant once an area is larger than its shift, the unscheduled transfer "
    "is not",
    "[paper][eberhart_1996][eberhart_1996-R3]") {
  for (const int offset : {4, 8}) {
    REQUIRE(diagonal(shift(16, offset)) == offset);
    REQUIRE(diagonal(shift(24, offset)) == offset);
    REQUIRE(asynchronous(shift(24, offset)) > asynchronous(shift(16, offset)) + 4);
  }
}

TEST_CASE(
    "R4: with a shift of (2, 2) every area takes two steps, and grows slowly without a schedule",
    "[paper][eberhart_1996][eberhart_1996-R4]") {
  for (int n = 2; n <= 32; n += n < 16 ? 1 : 4) REQUIRE(diagonal(shift(n, 2)) == 2);
  REQUIRE(asynchronous(shift(32, 2)) < asynchronous(shift(14, 2)) + 1.5);
}

TEST_CASE("R5: of 16 messages of a 4x4 shift by (2, 2) the schedule delivers eight in each step",
          "[paper][eberhart_1996][eberhart_1996-R5]") {
  std::string backwards;  // rows from the last one on, each from its last node
  for (int row = 3; row >= 0; --row)
    for (int column = 3; column >= 0; --column)
      backwards += fmt::format("{}[{}, {}]", backwards.empty() ? "" : ", ", column, row);
  const Scenario forced =
      shift(4, 2).with("draws", "1").with("evaluation.order", "[" + backwards + "]");
  CHECK(metric_of(forced, "step_model.begun_first") == 1);
  CHECK(metric_of(forced.with("algorithm", "section_diagonal"), "step_model.begun_first") == 8);
}

TEST_CASE(
    "R6: regions of a scatter/scatter are optimal for even n, and waste fewer than four slots for "
    "odd n",
    "[paper][eberhart_1996][eberhart_1996-R6]") {
  for (int n = 2; n <= 9; ++n) {
    CAPTURE(n);
    const double least = bound(scatter_scatter(n));
    const double wasted = regular(scatter_scatter(n)) - least;
    REQUIRE(least == 2 * n);
    REQUIRE(wasted >= 0);
    REQUIRE(wasted < (n % 2 == 0 ? 1 : 4));
  }
  REQUIRE(asynchronous(scatter_scatter(2)) == bound(scatter_scatter(2)));
  REQUIRE(asynchronous(scatter_scatter(8)) > 1.5 * bound(scatter_scatter(8)));
}

TEST_CASE(
    "R7, R8, R10: the largest regular transfers take 2.60 and 3.46 times as long without a "
    "schedule",
    "[paper][eberhart_1996][eberhart_1996-R7][eberhart_1996-R8][eberhart_1996-R10]") {
  if (test::instrumented) return;  // many draws of large transfers
  const double b = asynchronous(scatter_gather(8)) / regular(scatter_gather(8));
  const double c = asynchronous(gather_scatter(16)) / regular(gather_scatter(16));
  CAPTURE(b, c);
  REQUIRE(b > 2.57);
  REQUIRE(b < 2.63);
  REQUIRE(c > 3.43);
  REQUIRE(c < 3.49);
}

TEST_CASE("R9: with a constant offset the bound has a plateau, the unscheduled transfer has none",
          "[paper][eberhart_1996][eberhart_1996-R9]") {
  const std::map<int, int> bounds{{2, 4}, {3, 6}, {4, 8}, {6, 8}, {8, 8}, {12, 12}, {16, 16}};
  double before = 0;
  for (const auto& [n, least] : bounds) {
    if (test::instrumented && n > 4) break;
    CAPTURE(n);
    REQUIRE(bound(gather_scatter(n, 8)) == least);
    const double mean = asynchronous(gather_scatter(n, 8));
    REQUIRE(mean > before + 0.5);
    before = mean;
  }
}

TEST_CASE(
    "R14: the best order of a row's transposition is as short as the schedule, the worst half "
    "longer",
    "[paper][eberhart_1996][eberhart_1996-R14]") {
  struct Row {
    int set;
    double mean;
    int most;
  };
  const std::map<int, Row> rows{{6, {4, 4.2, 6}},     {7, {4, 4.5, 7}},     {9, {6, 6.7, 9}},
                                {12, {8, 9.3, 12}},   {15, {10, 12.0, 15}}, {18, {12, 14.6, 18}},
                                {21, {14, 17.5, 21}}, {24, {16, 20.4, 24}}, {27, {18, 23.1, 27}},
                                {30, {20, 26.0, 30}}};
  for (const auto& [nodes, row] : rows) {
    if (test::instrumented && nodes > 7) break;
    CAPTURE(nodes);
    const Scenario scenario = row_transposition(nodes).with("draws", "1000");
    const Results results = simulate(scenario);
    CHECK(scheduled(scenario, "two_ended_transposition") == row.set);
    CHECK(results.value("step_model.steps.min") == row.set);
    CHECK(results.value("step_model.steps.max") == row.most);
    CHECK(results.value("step_model.steps") > 0.97 * row.mean);
    CHECK(results.value("step_model.steps") < 1.03 * row.mean);
  }
}

TEST_CASE(
    "R15: seven nodes of a row take at most seven steps without a schedule, and four with one",
    "[paper][eberhart_1996][eberhart_1996-R15]") {
  const Scenario scenario = row_transposition(7).with("draws", "1000");
  CHECK(metric_of(scenario, "step_model.steps.max") == 7);
  CHECK(scheduled(scenario, "two_ended_transposition") == 4);
}

TEST_CASE("R16: square transpositions take n - 1 steps without a schedule, with deviation zero",
          "[paper][eberhart_1996][eberhart_1996-R16]") {
  for (const int n : {2, 3, 7, 14}) {
    CAPTURE(n);
    const Scenario square = transfer({n, n}, {n, n}).with("operation.alignment", "transposed");
    const Results results = simulate(square);
    CHECK(results.value("step_model.steps.min") == n - 1);
    CHECK(results.value("step_model.steps.max") == n - 1);
    CHECK(results.value("step_model.steps.sd") == 0);
  }
}

TEST_CASE("R17: deviations of the rightmost bars are between two and four, except in two figures",
          "[paper][eberhart_1996][eberhart_1996-R17]") {
  if (test::instrumented) return;  // many draws of large transfers
  const auto deviation = [](const Scenario& scenario) {
    return metric_of(scenario.with("draws", "500"), "step_model.steps.sd");
  };
  for (const Scenario& scenario : {shift(32, 32), scatter_scatter(16), gather_scatter(16)}) {
    REQUIRE(deviation(scenario) > 2);
    REQUIRE(deviation(scenario) < 4);
  }
  REQUIRE(deviation(scatter_gather(8)) > 4);      // Fig. 5.4b, contrary to the thesis
  REQUIRE(deviation(gather_scatter(16, 8)) < 2);  // Fig. 5.4d, likewise
}

namespace {

/// Fig. 5.5: a startup and a unit take one step each.
Scenario in_units(const std::string& source, const std::string& destination) {
  return transfer({1, 1}, {1, 1})
      .with("evaluation", "{kind: step_model, startup: 1, per_unit: 1, unit: 8 B, idle: counted}")
      .with("operation.source", source)
      .with("operation.destination", destination);
}

Scenario gathered_and_scattered(int n) {
  return in_units(fmt::format("{{section: [0:{}, 0:{}], block: [3, 3]}}", 9 * n / 2 - 1, 3 * n - 1),
                  fmt::format("{{section: [1:{}:2, 0:{}], block: [9, 2]}}", 9 * n - 1, 3 * n - 1));
}

Scenario scattered_twice(int n) {
  return in_units(fmt::format("{{section: [0:{0}, 0:{0}], block: [4, 4]}}", 4 * n - 1),
                  fmt::format("{{section: [1:{0}, 1:{0}], block: [2, 2]}}", 4 * n));
}

/// 200 of the table's 1000 random runs.
void require_mean(const Scenario& scenario, double mean) {
  const double found = asynchronous(scenario);
  CAPTURE(found, mean);
  CHECK(found > 0.97 * mean);
  CHECK(found < 1.03 * mean);
}

}  // namespace

TEST_CASE("R11: the schedule of Fig. 5.5 left is well below the unscheduled mean from n = 6 on",
          "[paper][eberhart_1996][eberhart_1996-R11]") {
  const std::map<int, double> means{{2, 11.0}, {4, 28.6}, {6, 53.7}, {8, 84.8},
                                    {10, 120}, {12, 160}, {14, 202}};
  for (const auto& [n, mean] : means) {
    if (test::instrumented && n > 4) break;
    CAPTURE(n);
    require_mean(gathered_and_scattered(n), mean);
    const double with_schedule = scheduled(gathered_and_scattered(n), "block_transfer");
    CHECK((with_schedule < 0.8 * mean) == (n >= 6));
  }
}

TEST_CASE("R12: a complete schedule of Fig. 5.5 right is faster than no schedule from n = 5 on",
          "[paper][eberhart_1996][eberhart_1996-R12]") {
  const std::map<int, double> means{{2, 36.5}, {3, 54.7}, {4, 79.4}, {5, 106}, {6, 138},
                                    {7, 169},  {8, 205},  {9, 242},  {10, 282}};
  for (const auto& [n, mean] : means) {
    if (test::instrumented && n > 3) break;
    CAPTURE(n);
    require_mean(scattered_twice(n), mean);
    CHECK((scheduled(scattered_twice(n), "block_transfer") < mean) == (n >= 5));
  }
}

TEST_CASE(
    "R13: in Fig. 5.5 doubling the side takes more than 2.5 times as long without a schedule, and "
    "the gap more than doubles",
    "[paper][eberhart_1996][eberhart_1996-R13]") {
  if (test::instrumented) return;  // many draws of large transfers
  const double few = asynchronous(gathered_and_scattered(6));
  const double many = asynchronous(gathered_and_scattered(12));
  const double few_scheduled = scheduled(gathered_and_scattered(6), "block_transfer");
  const double many_scheduled = scheduled(gathered_and_scattered(12), "block_transfer");
  REQUIRE(few_scheduled == 9 + 28);
  REQUIRE(many_scheduled == 9 + 2 * 28);
  REQUIRE(many > 2.5 * few);
  REQUIRE(many - many_scheduled > 2 * (few - few_scheduled));
}

}  // namespace eberhart_1996_figures_test
