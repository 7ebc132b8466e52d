// testbenches/paper/wang_2001_timed_test.cpp: Wang et al. 2001's schemes on the simulated network.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/instrumented.hpp"
#include "flitwave/testbenches/simulate.hpp"

namespace wang_2001_timed_test {

using namespace flitwave;

namespace {

/// As section 6.1 of the specification has it, model M2.
Scenario network(const std::string& topology) {
  const bool wraps = topology.find("torus") != std::string::npos;
  return Scenario::parse(R"(
scenario: wang
clock: {period: 1 us}
channel: {buffer: 2 flit, width: 1 B}
router: {kind: wormhole, preset: single_cycle, arbitration: first_come, vc_reallocation: atomic}
)")
      .with("topology", topology)
      .with("channel.vcs", wraps ? "2" : "1");
}

struct Setting {
  std::string overhead = "overlapped";
  int send = 300;
  int multicasts = 1;
  int destinations = 1;
  double hot_spot = 0;
};

Scenario job(const std::string& topology, const std::string& algorithm, const Setting& setting,
             int seed) {
  return network(topology)
      .with("node", fmt::format("{{send_overhead: {} cycle, overhead: {}, ejection_sharing: "
                                "packets}}",
                                setting.send, setting.overhead))
      .with("operation",
            fmt::format("{{kind: multicasts, count: {}, placement: distinct, destinations: {}, "
                        "hot_spot: {}, message: 32 B}}",
                        setting.multicasts, setting.destinations, setting.hot_spot))
      .with("algorithm", algorithm)
      .with("seed", std::to_string(seed));
}

const std::string torus_16 = "{kind: torus, shape: [16, 16]}";
const std::string torus_8 = "{kind: torus, shape: [8, 8]}";
const std::string mesh_16 = "{kind: mesh, shape: [16, 16]}";
const std::string u_torus = "{kind: u_torus, larger_half: upper, direction: minimal}";
const std::string positive_torus = "{kind: u_torus, larger_half: upper, direction: positive}";
const std::string spu = "{kind: recursive_doubling, chain: rotated, larger_half: upper}";
const std::string u_mesh = "{kind: recursive_doubling, larger_half: upper}";

std::string scheme(const std::string& name) {
  const int h = name[0] - '0';
  const bool balanced = name.back() == 'B';
  const std::string type = name.substr(1, name.size() - (balanced ? 2 : 1));
  return fmt::format("{{kind: partitioned, h: {}, type: {}, phase1: {}}}", h, type,
                     balanced ? "balanced" : "none");
}

/// The mean latency of multicasts over some seeds.
double mean(const std::string& topology, const std::string& algorithm, const Setting& setting,
            int seeds) {
  double sum = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Results run = simulate(job(topology, algorithm, setting, seed));
    REQUIRE(run.outcome == Outcome::complete);
    sum += run.value("delivery.mean");
  }
  return sum / seeds;
}

}  // namespace

TEST_CASE("one multicast in the simulated network exceeds the paper's time by its ways alone",
          "[paper][wang][O-20]") {
  const std::map<int, int> table{{1, 332}, {7, 996}, {15, 1328}, {80, 2324}, {240, 2656}};
  for (const auto& [destinations, time] : table)
    for (const std::string overhead : {"overlapped", "serialized"})
      for (int seed = 1; seed <= (test::instrumented ? 1 : 6); ++seed) {
        Setting setting;
        setting.overhead = overhead;
        setting.destinations = destinations;
        for (const auto& [topology, algorithm] :
             {std::pair(torus_16, u_torus), {torus_16, positive_torus}, {mesh_16, spu}}) {
          const double took =
              simulate(job(topology, algorithm, setting, seed)).value("delivery.max");
          CHECK(took >= time);
          CHECK(took <= time + 120);
        }
      }
}

TEST_CASE("the mean over destinations tells the start-ups apart in the simulated network, too",
          "[paper][wang][O-22]") {
  // The tabled means are without distance; a destination is served up to 120 cycles later.
  const std::map<int, std::pair<double, double>> table{{80, {1826.00, 1218.50}},
                                                       {240, {2314.32, 1449.32}}};
  for (const auto& [destinations, means] : table)
    for (const auto& [overhead, expected] :
         {std::pair<std::string, double>{"serialized", means.first},
          {"overlapped", means.second}}) {
      Setting setting;
      setting.overhead = overhead;
      setting.destinations = destinations;
      const double took =
          simulate(job(torus_16, u_torus, setting, 1)).value("delivery.destination.mean");
      CHECK(took >= expected);
      CHECK(took <= expected + 120);
    }
}

TEST_CASE("on 8 x 8 the directed networks win, and both of h = 2 alike", "[paper][wang][6.8]") {
  if (test::instrumented) return;
  Setting setting;
  setting.send = 30;
  setting.multicasts = 60;
  setting.destinations = 60;
  const int seeds = 10;
  const double baseline = mean(torus_8, u_torus, setting, seeds);
  const double third = mean(torus_8, scheme("2IIIB"), setting, seeds);
  const double fourth = mean(torus_8, scheme("2IVB"), setting, seeds);
  CHECK(baseline / third >= 1.5);
  CHECK(baseline / mean(torus_8, scheme("4IIIB"), setting, seeds) >= 1.3);
  CHECK(std::abs(third / fourth - 1) <= 0.03);
}

}  // namespace wang_2001_timed_test
