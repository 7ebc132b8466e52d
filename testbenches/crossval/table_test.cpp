// testbenches/crossval/table_test.cpp: latencies and saturation of loaded networks.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "testbenches/crossval/measure.hpp"
#include "testbenches/job/job.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"

namespace table_test {

using namespace flitwave;
using namespace flitwave::crossval;

namespace {

/// Up to this share queues are short, and a run of a few thousand cycles gives the mean.
constexpr double compared_share = 0.6;

void compare_latencies(const Effort& effort) {
  const Row& row = GENERATE(from_range(rows()));
  for (std::size_t i = 0; i < row.latency.size(); ++i) {
    const double rate = 0.1 * static_cast<double>(i + 1);
    if (rate > compared_share * row.saturation || (test::instrumented && i > 0)) break;
    const std::optional<double> ours = latency_at(row, rate, effort);
    INFO(row.name << " at " << rate);
    REQUIRE(ours.has_value());
    CHECK(*ours == Approx(*row.latency[i]).epsilon(0.05));
  }
}

}  // namespace

TEST_CASE("packets at a very low load take the peer's mean time", "[crossval]") {
  const Row& row = GENERATE(from_range(rows()));
  const double routers = mean_routers(row);

  const std::optional<double> ours = latency_at(row, 0.002, {200000, 1});

  // The peer's mean is over fewer packets; it is compared with the formula at the H that the peer
  // printed. Our mean is over some 25,000 packets of a flit or 6,000 of four, whose hops have a
  // standard deviation of about 2.5: at 4 cycles per hop the standard error is 0.06 or 0.13 cycles.
  const double per_router =
      static_cast<double>(row.peer.zero_load(2, row.packet) - row.peer.zero_load(1, row.packet));
  const double formula = static_cast<double>(row.peer.zero_load(1, row.packet)) - per_router;
  INFO(row.name << ", " << routers << " routers");
  REQUIRE(ours.has_value());
  CHECK(row.zero_load == Approx(formula + per_router * row.mean_routers).margin(0.15));
  CHECK(*ours == Approx(formula + per_router * routers).margin(0.3));
}

TEST_CASE("the experiments of configs/ are the compared configurations", "[crossval]") {
  const auto network_of = [](const Scenario& scenario) {
    std::string text;
    const ConfigNode resolved = Job::read(scenario, standard_catalog()).resolved();
    for (const char* section : {"topology", "routing", "channel", "router", "node"})
      text += Codec<ConfigNode>::print(resolved.at(section)) + "\n";
    return text + Codec<ConfigNode>::print(resolved.at("traffic").at("pattern")) +
           Codec<ConfigNode>::print(resolved.at("traffic").at("packet"));
  };
  const auto in_file = [](const std::string& name) {
    const Scenario file = Scenario::load("configs/experiments/crossval/" + name + ".yaml");
    return Scenario(ConfigNode::map({{"scenario", ConfigNode::scalar("peer")}})
                        .merged(file.tree().at("scenario")));
  };
  for (const Row& row : rows()) REQUIRE(network_of(in_file(row.file)) == network_of(row.job()));
  REQUIRE(network_of(in_file("line")) == network_of(line_rows().front().job()));
}

TEST_CASE("mean latencies are within 5 % of the peer's up to 60 % of saturation", "[crossval]") {
  compare_latencies({4000, 1});
}

TEST_CASE("mean latencies of long runs are within 5 % of the peer's up to 60 % of saturation",
          "[crossval][long]") {
  compare_latencies({40000, 1});
}

TEST_CASE("saturation is within 0.02 or 5 % of the peer's", "[crossval][long]") {
  const Row& row = GENERATE(from_range(rows()));

  const double ours = saturation_of(row, {10000, 3});

  INFO(row.name);
  CHECK(std::abs(ours - row.saturation) <= std::max(0.02, 0.05 * row.saturation) + 1e-9);
}

TEST_CASE("the slowest and the least balanced network saturate where the peer's do", "[crossval]") {
  if (test::instrumented) return;
  const Row& row = rows()[GENERATE(0u, 3u)];

  const double ours = saturation_of(row, {4000, 1});

  INFO(row.name);
  CHECK(std::abs(ours - row.saturation) <= 0.02 + 1e-9);
}

namespace {

/// Near saturation, and on large networks, short runs of either simulator vary by more than 5 %.
bool settles_soon(const OtherRun& run) {
  return run.width <= 8 && run.latency <= 50 && run.rate <= 0.15;
}

void compare_others(const Effort& effort, bool those_that_settle) {
  const OtherRun& run = GENERATE_COPY(
      filter([=](const OtherRun& any) { return settles_soon(any) == those_that_settle; },
             from_range(other_runs())));

  const std::optional<double> ours = latency_of(run, effort);

  INFO(run.name() << " at " << run.rate);
  REQUIRE(ours.has_value());
  CHECK(*ours == Approx(run.latency).epsilon(0.05));
}

}  // namespace

TEST_CASE(
    "other configurations, with speculation and with a routing stage, agree with the peer, too",
    "[crossval]") {
  compare_others({4000, 1}, true);
}

TEST_CASE(
    "other configurations near saturation and on larger meshes agree with the peer in long runs",
    "[crossval][long]") {
  compare_others({40000, 1}, false);
}

}  // namespace table_test
