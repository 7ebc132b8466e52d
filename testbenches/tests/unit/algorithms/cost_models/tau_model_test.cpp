// testbenches/tests/unit/algorithms/cost_models/tau_model_test.cpp: costs of a message and points
// of a tau-plot.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/tau_model.hpp"

#include <cmath>

#include "algorithms/cost_models/alpha_beta_gamma.hpp"
#include "configs/error.hpp"
#include "testbenches/reference/papers/latency_models.hpp"
#include "testbenches/reference/papers/tau_regions.hpp"
#include "testbenches/tests/catch.hpp"

namespace tau_model_test {

using namespace flitwave;

TEST_CASE("a message costs its overheads, its bytes and, hop-aware, its channels",
          "[cost_models]") {
  const AlphaBetaGamma machine{8, 0.5, 4};

  REQUIRE(hop_aware(machine, 6, 100) == 8 + 0.5 * 106 + 4);
  REQUIRE(hop_blind(machine, 100) == 8 + 0.5 * 100 + 4);
  REQUIRE(multi_send(machine, 3, 6, 100) == 3 * 8 + 0.5 * 106 + 4);
  REQUIRE(multi_send(machine, 1, 6, 100) == hop_aware(machine, 6, 100));
}

TEST_CASE("store and forward pays the whole cost at every node, wormhole switching once",
          "[cost_models]") {
  const Transmission machine{8, 0.5, 4};

  REQUIRE(store_and_forward(machine, 3, 100) == 3 * (8 + 50 + 4));
  REQUIRE(wormhole(machine, 3, 100) == 8 + 103 * 0.5 + 4);
}

TEST_CASE("a latency may grow with any non-decreasing function of the length that is 0 at length 0",
          "[cost_models]") {
  const GeneralLatency squared(10, 0.25, [](double bytes) { return bytes * bytes; });

  REQUIRE(squared.at(0) == 10);
  REQUIRE(squared.at(8) == 10 + 16);
  REQUIRE(squared.length_of(64) == 8);
  REQUIRE(GeneralLatency(3, 2).at(5) == 13);
  REQUIRE_THROWS_AS(GeneralLatency(1, 1, [](double bytes) { return bytes + 1; }), ConfigError);
  REQUIRE_THROWS_AS(GeneralLatency(1, 1, [](double bytes) { return bytes > 4 ? 1 : bytes; }),
                    ConfigError);
  REQUIRE_THROWS_AS(GeneralLatency(-1, 1), ConfigError);
}

TEST_CASE("a crossover is the length of equal latency, in whichever order the two are given",
          "[cost_models]") {
  const TauPoint quick{10, 0.5};
  const TauPoint steady{40, 0.2};

  REQUIRE(*crossover(quick, steady) == Approx(100));
  REQUIRE(*crossover(steady, quick) == Approx(100));
  REQUIRE(quick.at(*crossover(quick, steady)) == Approx(steady.at(*crossover(quick, steady))));
  REQUIRE(relation(quick, steady) == Relation::better_short);
  REQUIRE(relation(steady, quick) == Relation::better_long);
}

TEST_CASE("where one latency is better for all lengths there is no crossover", "[cost_models]") {
  const TauPoint good{10, 0.2};

  for (const TauPoint& worse : {TauPoint{40, 0.5}, TauPoint{10, 0.5}, TauPoint{40, 0.2}}) {
    REQUIRE_FALSE(crossover(good, worse));
    REQUIRE(relation(good, worse) == Relation::dominates);
    REQUIRE(relation(worse, good) == Relation::dominated);
  }
  REQUIRE_FALSE(crossover(good, good));
  REQUIRE(relation(good, good) == Relation::equal);
}

TEST_CASE("the regions of a tau-plot and its hyperbola show which latency is better",
          "[cost_models]") {
  const TauPoint x{10, 0.1};  // tau 0.01
  const auto at = [](double tau, double startup) { return TauPoint{startup, tau * startup}; };

  REQUIRE(region(at(0.005, 5), x) == Region::a);
  REQUIRE(region(at(0.02, 20), x) == Region::b);
  REQUIRE(region(at(0.002, 20), x) == Region::c_below);  // T_n 0.04
  REQUIRE(region(at(0.008, 20), x) == Region::c_above);  // T_n 0.16
  REQUIRE(region(at(0.05, 5), x) == Region::d_above);    // T_n 0.25
  REQUIRE(region(at(0.0125, 5), x) == Region::d_below);  // T_n 0.0625
  REQUIRE(region(x, x) == Region::same);
}

TEST_CASE("a region and a relation never contradict each other", "[cost_models]") {
  const TauPoint x{8, 0.25};
  for (double startup : {1.0, 4.0, 8.0, 16.0, 64.0})
    for (double per_byte : {0.03125, 0.125, 0.25, 0.5, 2.0, 8.0}) {
      const TauPoint y{startup, per_byte};
      switch (region(y, x)) {
        case Region::same:
          REQUIRE(relation(y, x) == Relation::equal);
          break;
        case Region::a:
        case Region::d_below:
          REQUIRE(relation(y, x) == Relation::dominates);
          break;
        case Region::b:
        case Region::c_above:
          REQUIRE(relation(y, x) == Relation::dominated);
          break;
        case Region::c_below:
          REQUIRE(relation(y, x) == Relation::better_long);
          break;
        case Region::d_above:
          REQUIRE(relation(y, x) == Relation::better_short);
          break;
      }
    }
}

TEST_CASE("latencies of equal tau differ by a constant factor at every length",
          "[cost_models][O22]") {
  const TauPoint one{28, 0.0084};
  const TauPoint other{7, 0.0021};

  for (double bytes : {0.0, 1.0, 100.0, 1e6}) REQUIRE(one.at(bytes) / other.at(bytes) == Approx(4));
}

TEST_CASE("the point of least latency is reported for each range of lengths, from length 0 upward",
          "[cost_models]") {
  const std::vector<TauPoint> points{{40, 0.2}, {10, 0.5}, {50, 0.5}, {30, 0.4}, {100, 0.1}};

  const std::vector<Stretch> stretches = least_latency(points);

  REQUIRE(stretches.size() == 3);  // the fourth would be least only beyond 200, where the fifth is
                                   // less
  REQUIRE(stretches[0].point == 1);
  REQUIRE(stretches[0].from == 0);
  REQUIRE(stretches[1].point == 0);
  REQUIRE(stretches[1].from == Approx(100));
  REQUIRE(stretches[2].point == 4);
  REQUIRE(stretches[2].from == Approx(600));
  for (double bytes : {0.0, 50.0, 99.0, 101.0, 250.0, 599.0, 601.0, 1e5}) {
    std::size_t at = 0;
    while (at + 1 < stretches.size() && stretches[at + 1].from < bytes) ++at;
    for (const TauPoint& point : points)
      REQUIRE(points[stretches[at].point].at(bytes) <= point.at(bytes));
  }
  REQUIRE(least_latency({}).empty());
}

TEST_CASE("least squares recover the line of clean data, and minima the line under noise",
          "[cost_models]") {
  std::vector<MeasuredTime> clean;
  std::vector<MeasuredTime> noisy;
  for (double bytes : {64.0, 128.0, 512.0, 2048.0}) {
    clean.push_back({bytes, 170 + 0.45 * bytes});
    for (double noise : {30.0, 0.0, 400.0}) noisy.push_back({bytes, 170 + 0.45 * bytes + noise});
  }

  for (const TauPoint& fitted : {fit_line(clean), fit_minima(noisy)}) {
    REQUIRE(fitted.startup == Approx(170));
    REQUIRE(fitted.per_byte == Approx(0.45));
  }
  REQUIRE(fit_line(noisy).startup > 300);
  const TauPoint by_hand = fit_line({{0, 1}, {1, 3}, {2, 4}});
  REQUIRE(by_hand.startup == Approx(7.0 / 6));
  REQUIRE(by_hand.per_byte == Approx(1.5));
  REQUIRE_THROWS_AS(fit_line({{64, 1}, {64, 2}}), ConfigError);
  REQUIRE_THROWS_AS(fit_line({}), ConfigError);
}

TEST_CASE("a tau-plot is read back as it was written", "[cost_models]") {
  const std::vector<TauTrace> written{{"edn", {{"a", {10, 0.5}}, {"b", {20, 0.1}}}},
                                      {"", {{"c", {1, 0}}}}};

  const Table table = tau_table(written);
  const std::vector<TauTrace> read = tau_traces(parse_csv(to_csv(table), "t.csv"), "t.csv");

  REQUIRE(table.rows[0] == std::vector<std::string>{"edn", "a", "10", "0.5", "0.05"});
  REQUIRE(read.size() == 2);
  REQUIRE(read[0].name == "edn");
  REQUIRE(read[0].points[1].name == "b");
  REQUIRE(read[0].points[1].at.per_byte == 0.1);
  REQUIRE(read[1].points[0].at.startup == 1);
  REQUIRE_THROWS_AS(tau_traces(parse_csv("startup,per_byte\n0,1\n", "t.csv"), "t.csv"),
                    ConfigError);
  REQUIRE_THROWS_AS(tau_traces(parse_csv("startup\n1\n", "t.csv"), "t.csv"), SystemFailure);
  REQUIRE_THROWS_AS(tau_traces(parse_csv("startup,per_byte\n", "t.csv"), "t.csv"), SystemFailure);
}

}  // namespace tau_model_test
