// testbenches/tests/unit/algorithms/traffic/injection_test.cpp: injection times of sources.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <set>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace injection_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// The cycles of the first packets of one source.
std::vector<std::int64_t> cycles(const InjectionProcess& process, int packets,
                                 std::uint64_t source = 0) {
  Random random(1, "injection", source);
  std::int64_t kept = 0;
  std::vector<std::int64_t> found{process.first(kept, random)};
  while (static_cast<int>(found.size()) < packets)
    found.push_back(found.back() + process.next(kept, random));
  return found;
}

/// Variance over mean of the number of packets in spans of `span` cycles.
double measured_dispersion(const std::vector<std::int64_t>& cycles, std::int64_t span) {
  const auto spans = static_cast<std::size_t>(cycles.back() / span);
  std::vector<double> counts(spans, 0);
  for (const std::int64_t cycle : cycles)
    if (const auto at = static_cast<std::size_t>(cycle / span); at < spans) counts[at] += 1;
  double mean = 0;
  for (double count : counts) mean += count / static_cast<double>(spans);
  double variance = 0;
  for (double count : counts)
    variance += (count - mean) * (count - mean) / static_cast<double>(spans - 1);
  return variance / mean;
}

}  // namespace

TEST_CASE("every injection process offers the mean rate, at least a cycle apart", "[traffic]") {
  const auto kind = GENERATE(as<std::string>{}, "bernoulli", "periodic", "bursty");
  const auto [rate, flits] = GENERATE(table<double, int>({{0.5, 1}, {0.3, 4}, {0.01, 1}}));
  constexpr int packets = 200000;
  const auto process = injection(kind, "", {rate, flits});

  const std::vector<std::int64_t> found = cycles(*process, packets);

  INFO(kind << " at " << rate << " flits per cycle, " << flits << " flits in a packet");
  REQUIRE(found.front() >= 1);
  for (std::size_t i = 1; i < found.size(); ++i) REQUIRE(found[i] > found[i - 1]);
  const double per_cycle = packets / static_cast<double>(found.back());
  const double deviation = std::sqrt(process->dispersion() / packets);
  REQUIRE(std::abs(per_cycle * flits / rate - 1) < 4 * deviation + 1e-4);
}

TEST_CASE("no injection process injects a packet at rate 0", "[traffic]") {
  const auto kind = GENERATE(as<std::string>{}, "bernoulli", "periodic", "bursty");

  REQUIRE(cycles(*injection(kind, "", {0, 4}), 1).front() >= InjectionProcess::never);
}

TEST_CASE("periodic packets are as even as whole cycles allow", "[traffic]") {
  const auto process = injection("periodic", "", {0.3, 4});  // every 13 1/3 cycles

  const std::vector<std::int64_t> found = cycles(*process, 4000);

  for (std::size_t i = 3; i < found.size(); ++i)
    REQUIRE(std::abs(found[i] - found[i - 3] - 40) <= 1);
  REQUIRE(std::abs(found[3999] - found[0] - 53320) <= 1);
  std::set<std::int64_t> starts;
  for (std::uint64_t source = 0; source < 200; ++source)
    starts.insert(cycles(*process, 1, source).front());
  REQUIRE(*starts.begin() == 1);
  REQUIRE(starts.size() == 14);
}

TEST_CASE("a burst has the requested mean length and rate", "[traffic]") {
  // One flit in every cycle of a burst: a gap of more than one cycle ends it.
  const auto process = injection("bursty", "burst: 20 cycle", {0.25, 1});
  const std::vector<std::int64_t> found = cycles(*process, 400000);

  double bursts = 1;
  double silence = 0;
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (found[i] == found[i - 1] + 1) continue;
    ++bursts;
    silence += static_cast<double>(found[i] - found[i - 1] - 1);
  }

  REQUIRE(400000 / bursts == Approx(20).epsilon(0.03));
  REQUIRE(silence / bursts == Approx(60).epsilon(0.03));
}

TEST_CASE("the dispersion of a process is that of its packets", "[traffic]") {
  const auto smooth = injection("bernoulli", "", {0.1, 1});
  REQUIRE(smooth->dispersion() == 1);
  REQUIRE(measured_dispersion(cycles(*smooth, 400000), 2000) == Approx(0.9).epsilon(0.1));

  const auto bursty = injection("bursty", "burst: 50 cycle, peak: 0.8 flit/node/cycle", {0.1, 2});
  REQUIRE(bursty->dispersion() > 20);
  REQUIRE(measured_dispersion(cycles(*bursty, 400000), 5000) ==
          Approx(bursty->dispersion()).epsilon(0.15));
}

TEST_CASE("bursts that cannot reach the mean rate are rejected", "[traffic]") {
  const auto rejected = [](const std::string& parameters, double rate) {
    return rejection([&] { injection("bursty", parameters, {rate, 1}); });
  };

  REQUIRE(has(rejected("peak: 0.3 flit/node/cycle", 0.3), {"peak", "0.3", "greater peak"}));
  REQUIRE(has(rejected("burst: 2 cycle", 0.9), {"burst", "2 cycles", "longer bursts"}));
  REQUIRE(has(rejected("burst: 0 cycle", 0.1), {"burst", "1"}));
}

}  // namespace injection_test
