// testbenches/crossval/bounds_test.cpp: bounds that no network exceeds.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "testbenches/crossval/measure.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"

namespace bounds_test {

using namespace flitwave;
using namespace flitwave::crossval;

namespace {

/// Counts channels that carried two flits in one cycle.
class Crowding final : public TransitListener {
 public:
  void on_transits(Cycle, const std::vector<Transit>& transits) override {
    seen_.clear();
    for (const Transit& transit : transits) seen_.push_back(transit.channel);
    std::sort(seen_.begin(), seen_.end());
    crowded_ += std::adjacent_find(seen_.begin(), seen_.end()) == seen_.end() ? 0 : 1;
    busiest_ = std::max(busiest_, static_cast<int>(seen_.size()));
  }
  int crowded() const { return crowded_; }
  int busiest() const { return busiest_; }

 private:
  std::vector<int> seen_;
  int crowded_ = 0;
  int busiest_ = 0;
};

}  // namespace

TEST_CASE("no channel carries more than a flit per cycle, whatever load is offered", "[crossval]") {
  const Row& row = GENERATE(from_range(rows()));
  SimulateOptions options;
  options.attach = [](Testbench& testbench) {
    auto crowding = std::make_shared<Crowding>();
    for (const auto kind :
         {ChannelSite::Kind::network, ChannelSite::Kind::injection, ChannelSite::Kind::ejection})
      testbench.listen(kind, *crowding);
    return [crowding](Results& results) {
      results.add("crowded", crowding->crowded(), "");
      results.add("busiest", crowding->busiest(), "");
    };
  };

  const Results results = simulate(row.job()
                                       .with("traffic.rate", "1 flit/node/cycle")
                                       .with("traffic.measure", "500 cycle")
                                       .with("traffic.drain", "0 cycle"),
                                   standard_catalog(), options);

  INFO(row.name << " " << results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("crowded") == 0);
  REQUIRE(results.value("busiest") > 32);
}

TEST_CASE("beyond the load bound of channels some source's accepted load is below its offered load",
          "[crossval]") {
  const auto [pattern, expected] = GENERATE(table<std::string, double>(
      {{"uniform", 0.5}, {"transpose", 1.0 / 7}, {"bit_complement", 0.25}, {"tornado", 1.0 / 3}}));
  const Row row = mesh_under(pattern);
  const double bound = bound_of(row);
  REQUIRE(bound == Approx(expected));

  if (test::instrumented) return;  // in short runs, packets under way at the end have that effect
  const Results beyond = rates_at(row, 1.03 * bound, {10000, 1});

  INFO(pattern);
  REQUIRE(beyond.value("throughput.worst_share") < 0.985);
}

TEST_CASE("transposed traffic is carried up to 3 % below one seventh", "[crossval]") {
  if (test::instrumented) return;
  const Results below = run_at(mesh_under("transpose"), 0.97 / 7, {20000, 1});

  REQUIRE(below.value("saturated") == 0);
  REQUIRE(below.value("throughput.worst_share") > 0.97);
}

TEST_CASE("neighbour traffic is accepted as offered up to 0.99 flit per cycle", "[crossval]") {
  if (test::instrumented) return;
  const Row row = mesh_under("neighbor");
  REQUIRE(bound_of(row) == Approx(1));

  const Results nearly_all = run_at(row, 0.99, {10000, 1});

  CHECK(nearly_all.value("saturated") == 0);
  CHECK(nearly_all.value("throughput.accepted") ==
        Approx(nearly_all.value("throughput.offered")).epsilon(0.002));
  CHECK(nearly_all.value("throughput.worst_share") > 0.99);
}

TEST_CASE("the rate at which a source first falls short never exceeds the load bound",
          "[crossval][long]") {
  const auto pattern =
      GENERATE(as<std::string>{}, "uniform", "transpose", "bit_complement", "tornado", "neighbor");
  const Row row = mesh_under(pattern);
  const double bound = bound_of(row);

  const std::optional<double> found = falls_short_at(row, {40000, 1});

  // At most 99 % of the load offered there is carried.
  INFO(pattern);
  REQUIRE(found.value_or(1) <= bound / 0.99 + bound / 200);
  // With a channel for every pair no source falls short, whatever load is offered.
  REQUIRE(found.has_value() == (pattern != "neighbor"));
  if (pattern == "transpose") REQUIRE(*found == Approx(1.0 / 7).epsilon(0.03));
}

}  // namespace bounds_test
