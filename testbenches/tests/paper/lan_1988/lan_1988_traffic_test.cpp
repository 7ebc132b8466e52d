// testbenches/tests/paper/lan_1988/lan_1988_traffic_test.cpp: mean traffic of multicasts, Lan 1988,
// section 5.4.
// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <map>

#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/reference/papers/multicast_methods.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988.hpp"

namespace lan_1988_traffic_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

using Draw = std::function<CubeNodes(const Cube&, int k, Random&)>;

CubeNodes uniform(const Cube& cube, int k, Random& random) {
  return draw_uniform(cube, 0, k, random);
}
CubeNodes halving(const Cube& cube, int k, Random& random) {
  return draw_decreasing(cube, 0, k, 0.5, random);
}

struct Means {
  double unicast = 0;
  double greedy = 0;
  double spare = 0;
  double optimal = 0;
  double excess = 0;     ///< mu
  double deviation = 0;  ///< sigma
};

double mean(const std::vector<int>& values) {
  double sum = 0;
  for (int value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Over sets of k destinations; requires the properties of each set.
Means means(const Cube& cube, int k, int sets, const Draw& draw) {
  using Method = MulticastMethod;
  const MulticastTraffic traffic(cube);
  Random random(static_cast<std::uint64_t>(cube.dimensions()), "lan_1988",
                static_cast<std::uint64_t>(k));
  std::map<Method, std::vector<int>> found;
  for (int set = 0; set < sets; ++set) {
    const CubeNodes list = draw(cube, k, random);
    for (Method method :
         {Method::greedy, Method::spare_global_send, Method::multiple_unicast, Method::optimal})
      found[method].push_back(traffic.of(method, list));
    const int greedy = found.at(Method::greedy).back();
    REQUIRE(traffic.of(Method::lower_bound, list) == k);
    REQUIRE(k <= found.at(Method::optimal).back());
    REQUIRE(found.at(Method::optimal).back() <= greedy);
    REQUIRE(greedy <= found.at(Method::multiple_unicast).back());
    REQUIRE(greedy <= traffic.of(Method::broadcast, list));
    if (k <= 2 || k == cube.nodes() - 1) REQUIRE(greedy == found.at(Method::optimal).back());
  }
  const Excess excess = excess_of(found.at(Method::greedy), found.at(Method::optimal));
  return {mean(found.at(Method::multiple_unicast)),
          mean(found.at(Method::greedy)),
          mean(found.at(Method::spare_global_send)),
          mean(found.at(Method::optimal)),
          excess.mean,
          excess.deviation};
}

/// The mean of the greedy multicast alone, which is faster to compute.
double greedy_mean(const Cube& cube, int k, int sets, const TieRule& ties = TieRule::lowest()) {
  Random random(7, "lan_1988", static_cast<std::uint64_t>(k));
  double sum = 0;
  for (int set = 0; set < sets; ++set)
    sum += greedy_traffic(cube, 0, draw_uniform(cube, 0, k, random), ties);
  return sum / sets;
}

struct Reference {
  int k;
  double optimal;
  double greedy;
  double spare;
  double excess;
};

void require_reference(const Cube& cube, const Draw& draw, const std::vector<Reference>& table,
                       int sets, double margin) {
  for (const Reference& row : table) {
    const Means found = means(cube, row.k, sets, draw);
    INFO("k = " << row.k);
    REQUIRE(found.optimal == Approx(row.optimal).margin(margin));
    REQUIRE(found.greedy == Approx(row.greedy).margin(margin));
    REQUIRE(found.spare == Approx(row.spare).margin(margin));
    REQUIRE(found.excess == Approx(row.excess).margin(margin));
    REQUIRE(found.greedy <= found.spare + 0.1);
    if (row.k > 1) REQUIRE(found.greedy < found.unicast);
  }
}

}  // namespace

TEST_CASE("Fig. 5.3: mean traffic of the greedy multicast in Q_6", "[paper][lan_1988]") {
  const std::map<int, double> known{{1, 3.05},  {2, 4.57},  {3, 6.32},   {5, 9.4},   {8, 13.4},
                                    {10, 15.6}, {15, 21.0}, {20, 25.8},  {25, 30.3}, {30, 34.6},
                                    {40, 42.8}, {50, 51.1}, {60, 60.05}, {62, 62},   {63, 63}};
  for (const auto& [k, mean] : known) {
    REQUIRE(greedy_mean(Cube(6), k, 2000) == Approx(mean).margin(0.15));
    if (k < 63) REQUIRE(greedy_mean(Cube(6), k, 2000) < broadcast_traffic(Cube(6)));
  }
}

TEST_CASE("the rule for ties hardly affects mean traffic", "[paper][lan_1988]") {
  for (int k : {3, 8, 15, 30}) {
    const double lowest = greedy_mean(Cube(6), k, 2000);
    REQUIRE(greedy_mean(Cube(6), k, 2000, TieRule::highest()) == Approx(lowest).margin(0.1));
    REQUIRE(greedy_mean(Cube(6), k, 2000, TieRule::random(1)) == Approx(lowest).margin(0.1));
  }
}

TEST_CASE(
    "Fig. 5.3: multiple unicast grows by 3.05 per destination, and is below the broadcast up to 20",
    "[paper][lan_1988]") {
  for (int k : {5, 20, 21}) {
    const Means found = means(Cube(6), k, 400, uniform);
    REQUIRE(found.unicast / k == Approx(3.05).margin(0.06));
  }
  REQUIRE(mean_cube_distance(Cube(6)) * 20 < broadcast_traffic(Cube(6)));
  REQUIRE(mean_cube_distance(Cube(6)) * 21 > broadcast_traffic(Cube(6)));
}

TEST_CASE("Fig. 5.4 and 5.5: greedy, Spare Global Send and optimal in Q_5", "[paper][lan_1988]") {
  require_reference(Cube(5), uniform,
                    {{1, 2.6, 2.6, 2.6, 0},
                     {3, 5.17, 5.27, 6.16, 0.10},
                     {5, 7.45, 7.71, 8.80, 0.27},
                     {7, 9.57, 9.98, 11.3, 0.41},
                     {9, 11.3, 11.9, 13.2, 0.55},
                     {11, 13.2, 13.8, 15.2, 0.61},
                     {15, 16.6, 17.3, 18.5, 0.66},
                     {19, 20.0, 20.5, 21.3, 0.57},
                     {23, 23.5, 23.8, 24.2, 0.28},
                     {27, 27.1, 27.2, 27.3, 0.10},
                     {31, 31, 31, 31, 0}},
                    1000, 0.2);
}

TEST_CASE("Fig. 5.4 and 5.5: greedy, Spare Global Send and optimal in Q_6",
          "[paper][lan_1988][long]") {
  require_reference(Cube(6), uniform,
                    {{1, 3.0, 3.0, 3.0, 0},
                     {3, 6.20, 6.33, 7.67, 0.13},
                     {5, 8.99, 9.41, 11.3, 0.42},
                     {9, 13.6, 14.5, 17.2, 0.88},
                     {15, 19.5, 21.0, 24.2, 1.49},
                     {21, 24.9, 26.7, 30.1, 1.86},
                     {25, 28.4, 30.4, 33.6, 1.93},
                     {31, 33.5, 35.4, 38.3, 1.90},
                     {41, 42.3, 43.6, 45.5, 1.28},
                     {51, 51.4, 51.9, 52.7, 0.51},
                     {61, 61.0, 61.0, 61.0, 0.02},
                     {63, 63, 63, 63, 0}},
                    600, 0.3);
}

TEST_CASE("Fig. 5.6 and 5.7: destinations with a probability that falls with distance, in Q_6",
          "[paper][lan_1988][long]") {
  require_reference(Cube(6), halving,
                    {{1, 2.1, 2.1, 2.1, 0},
                     {3, 5.02, 5.06, 5.62, 0.04},
                     {5, 7.42, 7.60, 8.49, 0.17},
                     {9, 11.6, 12.1, 13.2, 0.44},
                     {15, 17.2, 18.0, 19.1, 0.74},
                     {21, 22.7, 23.7, 24.8, 0.98},
                     {25, 26.2, 27.2, 28.3, 0.95},
                     {31, 31.7, 32.7, 33.6, 0.94},
                     {41, 41.2, 41.7, 42.4, 0.46},
                     {51, 51.0, 51.1, 51.5, 0.07},
                     {63, 63, 63, 63, 0}},
                    1000, 0.25);
}

TEST_CASE(
    "the excess over optimal trees is greatest in the middle, and smaller for near destinations",
    "[paper][lan_1988]") {
  std::map<int, double> far;
  std::map<int, double> near;
  for (int k : {3, 9, 15, 27, 45, 63}) {
    far[k] = means(Cube(6), k, 60, uniform).excess;
    near[k] = means(Cube(6), k, 60, halving).excess;
    REQUIRE(near[k] <= 1.25);
    if (k <= 31) REQUIRE(near[k] < far[k]);
    if (k <= 15) REQUIRE(near[k] <= 0.75 * far[k]);
  }
  REQUIRE(far.at(63) == 0);
  REQUIRE(far.at(27) > far.at(9));
  REQUIRE(far.at(27) > far.at(45));
}

TEST_CASE("the excess is greatest between 15 and 39 destinations, its deviation above 1",
          "[paper][lan_1988][long]") {
  const std::map<int, double> deviations{{1, 0},     {3, .39},   {5, .63},   {9, .90},
                                         {15, 1.15}, {21, 1.17}, {25, 1.16}, {31, 1.23},
                                         {41, 1.01}, {51, .68},  {61, .15},  {63, 0}};
  double greatest = 0;
  int at = 0;
  for (const auto& [k, deviation] : deviations) {
    const Means far = means(Cube(6), k, 600, uniform);
    REQUIRE(far.deviation == Approx(deviation).margin(0.12));
    if (far.excess > greatest) at = k;
    greatest = std::max(greatest, far.excess);
    if (k < 3 || k > 31) continue;
    const Means near = means(Cube(6), k, 600, halving);
    REQUIRE(near.excess < far.excess);
    if (k <= 15) REQUIRE(near.excess <= 0.6 * far.excess);
    if (k <= 9) REQUIRE(near.optimal < far.optimal - 1);
  }
  REQUIRE(at >= 15);
  REQUIRE(at <= 39);
}

TEST_CASE("in Q_5 the excess is below one link, and below 0.5 for near destinations",
          "[paper][lan_1988]") {
  for (int k = 1; k <= 31; k += 6) {
    REQUIRE(means(Cube(5), k, 300, uniform).excess < 1);
    REQUIRE(means(Cube(5), k, 300, halving).excess < 0.5);
  }
}

}  // namespace lan_1988_traffic_test
