// testbenches/tests/paper/eberhart_1996/eberhart_1996_combining_test.cpp: combined messages in
// Eberhart 1996.
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "algorithms/arrays/combining_cost.hpp"
#include "algorithms/arrays/regular_schedule.hpp"
#include "testbenches/tests/catch.hpp"

namespace eberhart_1996_combining_test {

using namespace flitwave;

namespace {

constexpr MessageCost equal{1, 1};

/// The degrees a to f of Fig. 3.13.
const std::vector<CombiningDegree> degrees{{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {2, 1}};

/// One row of the table of 3.2.4: one quantity at each degree of 4 sources to 2 destinations.
template <class Value>
std::vector<std::int64_t> row(Value value) {
  std::vector<std::int64_t> values;
  for (const CombiningDegree degree : degrees)
    values.push_back(static_cast<std::int64_t>(value(combining_cost(4, 2, degree))));
  return values;
}

}  // namespace

TEST_CASE("O12: regions of 2x1 -> 1x3 cost 6 startups and 6 units, or one startup",
          "[paper][eberhart_1996][eberhart_1996-O12]") {
  const CombiningCost direct = one_to_one_cost(2, 3);
  REQUIRE(direct.overhead({1, 1}) == 0);
  REQUIRE(direct.region({7, 10}) == 6 * (7 + 10));                   // eq. 3.8
  REQUIRE(gather_scatter_cost(2, 3).region({7, 10}) == 7 + 6 * 10);  // eq. 3.9
  const auto overhead = [](int sources, int destinations) {          // eq. 3.10
    return gather_scatter_cost(sources, destinations);
  };
  REQUIRE(overhead(4, 2).overhead({7, 10}) == 3 * 7 + 10 * 10);
  REQUIRE(overhead(8, 8).overhead({7, 10}) == 6 * 7 + 112 * 10);
  REQUIRE(overhead(16, 4).overhead({7, 10}) == 6 * 7 + 108 * 10);
}

TEST_CASE("O13: degrees of combining cost what the table of 3.2.4 states",
          "[paper][eberhart_1996][eberhart_1996-O13]") {
  using Row = std::vector<std::int64_t>;
  REQUIRE(row([](auto cost) { return cost.overhead_startups; }) == Row{0, 1, 1, 2, 2, 3});
  REQUIRE(row([](auto cost) { return cost.overhead_units; }) == Row{0, 2, 4, 6, 6, 10});
  REQUIRE(row([](auto cost) { return cost.overhead(equal); }) == Row{0, 3, 5, 8, 8, 13});
  REQUIRE(row([](auto cost) { return cost.region_startups; }) == Row{8, 4, 4, 2, 2, 1});
  REQUIRE(row([](auto cost) { return cost.region_units; }) == Row{8, 8, 8, 8, 8, 8});
  REQUIRE(row([](auto cost) { return cost.region(equal); }) == Row{16, 12, 12, 10, 10, 9});
  REQUIRE(row([](auto cost) { return cost.total(1, equal); }) == Row{16, 15, 17, 18, 18, 22});
  REQUIRE(row([](auto cost) { return cost.total(4, equal); }) == Row{64, 51, 53, 48, 48, 49});
  REQUIRE(row([](auto cost) { return cost.total(10, equal); }) ==
          Row{160, 123, 125, 108, 108, 103});
}

TEST_CASE(
    "R18: with 4 sources and 2 destinations 1 region is gathered once, 10 are combined completely",
    "[paper][eberhart_1996][eberhart_1996-R18]") {
  const CombiningDegree b{1, 0};
  const CombiningDegree e{1, 1};
  const CombiningDegree f{2, 1};
  const std::vector<CombiningDegree> expected{b, b, e, e, f, f, f, f, f, f};
  for (int regions = 1; regions <= 10; ++regions) {
    CAPTURE(regions);
    REQUIRE(choose_degree(4, 2, regions, equal) == expected[static_cast<std::size_t>(regions - 1)]);
  }
}

TEST_CASE("gathering 4 sources is always cheaper than scattering to 2 destinations",
          "[paper][eberhart_1996]") {
  for (int regions = 1; regions <= 100; ++regions)  // c compared with b, section 3.2.4
    REQUIRE(combining_cost(4, 2, {0, 1}).total(regions, equal) >
            combining_cost(4, 2, {1, 0}).total(regions, equal));
}

}  // namespace eberhart_1996_combining_test
