// testbenches/tests/unit/algorithms/arrays/array_cost_test.cpp: computing time of schedules of huge
// array sections.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/arrays/general_schedule.hpp"
#include "algorithms/arrays/general_transposition.hpp"
#include "algorithms/arrays/regular_schedule.hpp"
#include "algorithms/arrays/sections/diagonal.hpp"
#include "algorithms/arrays/transposition.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"

namespace array_cost_test {

using namespace flitwave;

namespace {

/// About 10^9 elements per side, the same number on each of 48 or 64 nodes.
constexpr std::int64_t elements = 999'999'936;

/// The given numbers of sources and destinations in one dimension of the mesh, from its first node
/// on.
AxisTransfer huge_axis(std::int64_t sources, std::int64_t destinations) {
  return AxisTransfer({{0, elements - 1, 1}, elements / sources},
                      {{0, elements - 1, 1}, elements / destinations});
}

/// 40 nodes, 24 nodes further.
AxisTransfer huge_shift() {
  const std::int64_t share = elements / 40;
  return AxisTransfer({{0, 40 * share - 1, 1}, share}, {{24 * share, 64 * share - 1, 1}, share});
}

/// An algorithm on an assignment that occupies all of 64 x 64 nodes.
struct Scheduled {
  std::string name;
  ArrayAssignment assignment;
  std::unique_ptr<ArraySchedule> (*make)(const ArrayAssignment&);
};

std::vector<Scheduled> all_scheduled() {
  const ArrayAssignment gathers{huge_axis(64, 16), huge_axis(16, 64)};
  const ArrayAssignment uneven{huge_axis(48, 64), huge_axis(64, 48)};
  const ArrayAssignment turned{huge_axis(64, 64), huge_axis(64, 64), Alignment::transposed};
  const ArrayAssignment uneven_turned{huge_axis(48, 64), huge_axis(48, 64), Alignment::transposed};
  return {{"diagonals",
           {huge_shift(), huge_shift()},
           [](const ArrayAssignment& of) { return section_diagonal(of); }},
          {"regions", gathers, [](const ArrayAssignment& of) { return regular_schedule(of); }},
          {"combining regions", gathers,
           [](const ArrayAssignment& of) {
             RegularOptions options;
             options.routine = RegionRoutine::hybrid;
             options.cost = {1000, 0.001};
             return regular_schedule(of, options);
           }},
          {"uneven blocks", uneven, [](const ArrayAssignment& of) { return general_schedule(of); }},
          {"transposition", turned,
           [](const ArrayAssignment& of) { return two_ended_transposition(of); }},
          {"uneven transposition", uneven_turned, [](const ArrayAssignment& of) {
             return general_transposition(of, Surplus::lead_merge);
           }}};
}

/// CPU time of a call in s: the first of three measurements within the limit, else the least,
/// because other load on the machine lengthens some. `calls`: number of calls per measurement, as
/// one call is too short for the clock.
template <class Call>
double cost(Call call, int calls, double limit) {
  double least = 2 * limit;
  for (int round = 0; round < 3 && least >= limit; ++round) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < calls; ++i) call();
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / calls);
  }
  return least;
}

}  // namespace

// On an idle core, code of an optimizing compiler takes at most 100 ms and 100 us; the limits here
// are three times as long to allow for a slow machine.
TEST_CASE("10^9 elements per side on 64 x 64 nodes are scheduled in 100 ms, one node in 100 us",
          "[arrays]") {
  constexpr double slack = test::instrumented ? 30 : 3;
  for (const Scheduled& of : all_scheduled()) {
    CAPTURE(of.name);
    REQUIRE(of.assignment.mesh_rows() == 64);
    REQUIRE(of.assignment.mesh_columns() == 64);
    std::size_t sends = 0;
    const auto whole = [&] { sends = of.make(of.assignment)->sends().size(); };
    CHECK(cost(whole, 1, slack * 0.1) < slack * 0.1);
    CHECK(sends > 1000);
    std::vector<ArraySend> own;
    const auto share = [&] {
      own.clear();
      of.make(of.assignment)->sends_of({24, 12}, own);
    };
    CHECK(cost(share, 50, slack * 1e-4) < slack * 1e-4);
    CHECK_FALSE(own.empty());
  }
}

}  // namespace array_cost_test
