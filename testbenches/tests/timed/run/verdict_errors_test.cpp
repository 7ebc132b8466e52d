// testbenches/tests/timed/run/verdict_errors_test.cpp: how often the verdict on saturation is
// wrong.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>

#include "configs/table.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"

namespace verdict_errors_test {

using namespace flitwave;

namespace {

const std::string folder = "configs/measurements/stability/";

/// The greatest loads that networks carry, measured without the verdict by carried.py, from ten
/// runs of 10^6 cycles at each load.
struct Carried {
  std::string name;
  double rate = 0;
};

std::vector<Carried> carried() {
  const std::string file = folder + "carried.csv";
  const Table table = load_csv(file);
  std::vector<Carried> found;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    found.push_back(
        {table.rows[row][table.column("configuration", file)], table.number(row, "carried", file)});
  return found;
}

/// The share of saturated runs, each with its own seed.
double saturated(const Carried& network, double share, const std::string& measure, int runs) {
  const Scenario job =
      Scenario::load(folder + network.name + ".yaml")
          .with("stop.saturated", "true")
          .with("traffic.measure", measure + " cycle")
          .with("traffic.rate", fmt::format("{:.9f} flit/node/cycle", share * network.rate));
  int count = 0;
  for (int seed = 1; seed <= runs; ++seed)
    count += simulate(job.with("seed", std::to_string(seed))).value("saturated") > 0 ? 1 : 0;
  return static_cast<double>(count) / runs;
}

}  // namespace

TEST_CASE(
    "with the default measurement at most 5 % of verdicts are wrong at 0.9 and 1.05 times the "
    "saturation throughput",
    "[timed][long]") {
  for (const Carried& network : carried()) {
    CAPTURE(network.name);
    CHECK(saturated(network, 0.9, "10000", 100) <= 0.05);
    CHECK(saturated(network, 1.05, "10000", 100) >= 0.95);
  }
}

TEST_CASE("with a tenth of it at most 5 % of verdicts are wrong at 0.9 and 1.15, and 20 % at 1.05",
          "[timed][long]") {
  for (const Carried& network : carried()) {
    CAPTURE(network.name);
    CHECK(saturated(network, 0.9, "1000", 100) <= 0.05);
    CHECK(saturated(network, 1.05, "1000", 100) >= 0.8);
    CHECK(saturated(network, 1.15, "1000", 100) >= 0.95);
  }
}

TEST_CASE("few verdicts are wrong in networks with a known saturation throughput", "[timed]") {
  const std::vector<Carried> networks = carried();
  REQUIRE(!networks.empty());
  int wrong = 0;
  for (const Carried& network : networks) {
    CAPTURE(network.name);
    wrong += saturated(network, 0.9, "3000", 1) > 0 ? 1 : 0;
    wrong += saturated(network, 1.1, "3000", 1) < 1 ? 1 : 0;
  }
  CHECK(wrong <= 1);
}

}  // namespace verdict_errors_test
