// testbenches/tests/unit/algorithms/cost_models/lower_bounds_test.cpp: logarithms of integers,
// rounded up.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/lower_bounds.hpp"

#include "configs/error.hpp"
#include "testbenches/tests/catch.hpp"

namespace lower_bounds_test {

using namespace flitwave;

TEST_CASE("a logarithm is rounded up, and is exact at the powers", "[bounds]") {
  REQUIRE(ceil_log(2, 1) == 0);
  REQUIRE(ceil_log(4, 64) == 3);
  REQUIRE(ceil_log(4, 65) == 4);
  REQUIRE(ceil_log(5, 125) == 3);
  REQUIRE(ceil_log(7, 342) == 3);
  REQUIRE(ceil_log(7, 344) == 4);
  REQUIRE(ceil_log(2, INT64_MAX) == 63);
  for (int base = 2; base < 8; ++base) {
    std::int64_t power = 1;
    for (int exponent = 0; exponent < 15; ++exponent, power *= base) {
      REQUIRE(ceil_log(base, power) == exponent);
      REQUIRE(ceil_log(base, power + 1) == exponent + 1);
    }
  }
}

TEST_CASE("a logarithm rejects values that have none", "[bounds]") {
  REQUIRE_THROWS_AS(ceil_log(1, 4), ModelError);
  REQUIRE_THROWS_AS(ceil_log(2, 0), ModelError);
}

TEST_CASE("the least number of steps follows from the sends per step", "[bounds]") {
  REQUIRE(least_broadcast_steps(1024, 1) == 10);
  REQUIRE(least_broadcast_steps(1024, 3) == 5);
  REQUIRE(least_broadcast_steps(720, 4) == 5);
  REQUIRE(least_broadcast_steps(16, 4) == 2);
  REQUIRE(least_broadcast_steps(1024, 4) == 5);
  REQUIRE(least_broadcast_steps(168, 6) == 3);
}

}  // namespace lower_bounds_test
