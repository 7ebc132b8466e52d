// testbenches/tests/paper/wang_2001/wang_2001_timed_test.cpp: Wang et al. 2001's single multicasts
// in clock cycles.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/paper/wang_2001/wang_2001_rows.hpp"
#include "testbenches/tests/paper/wang_2001/wang_2001_runs.hpp"

// Criterion 8 of section 6.8 of the specification, and other tests that need the clock. The
// tabulated times are without distance. On 16 x 16 the paths add up to 120 cycles (section 4.5).
namespace wang_2001_timed_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

constexpr double longest_paths = 120;

WangSetting alone(const std::string& topology, const std::string& overhead, int destinations) {
  WangSetting setting;
  setting.topology = topology;
  setting.overhead = overhead;
  setting.multicasts = 1;
  setting.destinations = destinations;
  return setting;
}

/// Whether the representative of balanced phase 1 differs from the source. The first multicast gets
/// network 0, which has the first node of each block.
bool has_phase_one(const WangSetting& setting, const std::string& scheme, int seed) {
  const Plan plan = Plan::make(Job::read(wang_job(setting, scheme, seed), standard_catalog()));
  const NodeId source = plan.schedule->demand().deliveries.front().source();
  const int h = scheme[0] - '0';
  return plan.topology->grid()->coordinate(source, 0) % h != 0 ||
         plan.topology->grid()->coordinate(source, 1) % h != 0;
}

void check_excess(double took, double expected) {
  CHECK(took >= expected);
  CHECK(took <= expected + longest_paths);
}

/// 60 multicasts on 8 x 8 with one class of virtual channels.
Scenario one_class(const std::string& scheme, const std::string& direction) {
  return wang_job({"torus", 8, "overlapped", 30, 60, 60, 0}, scheme, 1)
      .with("channel.vcs", "1")
      .with("routing",
            fmt::format("{{kind: dimension_order, direction: {}, vc_rule: none}}", direction));
}

/// One multicast with an algorithm of section 4.5. Rings without classes have one virtual channel.
Scenario multicast_of(const WangRow& row, int destinations, int seed) {
  const WangSetting setting = alone(row.wraps ? "torus" : "mesh", "overlapped", destinations);
  const Scenario job =
      wang_job(setting, row.wraps ? "UT" : "SPU", seed)
          .with("algorithm", fmt::format("{{kind: {}, {}}}", row.kind, row.parameters))
          .with("routing", "{kind: dimension_order, " + row.routing + "}")
          .with("observe", "[{kind: contention, packets: true}]");
  if (row.routing.find("vc_rule: none") == std::string::npos) return job;
  return job.with("channel.vcs", "1").with("allow_deadlock", "true");
}

/// The number of heads that waited for a virtual channel held by a packet of another source.
/// Packets of the same source are not counted: the next one waits a cycle or two for the credit of
/// the last.
int heads_blocked(const WangRow& row, int destinations, int seed) {
  const Results run = simulate(multicast_of(row, destinations, seed));
  CHECK(run.outcome == Outcome::complete);
  const Table& heads = run.table("blocked_packets");
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(heads.columns.begin(), heads.columns.end(), name) -
                                    heads.columns.begin());
  };
  int blocked = 0;
  for (const auto& head : heads.rows)
    if (head.at(column("cause")) == "vc_taken" &&
        head.at(column("source")) != head.at(column("blocker_source")))
      ++blocked;
  return blocked;
}

}  // namespace

TEST_CASE("one multicast in the simulated network exceeds the paper's time by 120 cycles at most",
          "[paper][wang][6.8][O-20]") {
  const std::map<int, int> table{{1, 332}, {7, 996}, {15, 1328}, {80, 2324}, {240, 2656}};
  for (const auto& [destinations, time] : table)
    for (const std::string overhead : {"overlapped", "serialized"})
      for (int seed = 1; seed <= (test::instrumented ? 1 : 6); ++seed) {
        for (const std::string scheme : {"UT", "UT+"})
          check_excess(wang_run(alone("torus", overhead, destinations), scheme, seed).makespan,
                       time);
        const WangSetting mesh = alone("mesh", overhead, destinations);
        check_excess(wang_run(mesh, "SPU", seed).makespan, time);
        if (overhead == "serialized") check_excess(wang_run(mesh, "U-mesh", seed).makespan, time);
      }
}

TEST_CASE(
    "packets of one multicast block each other in the rows with conflicts, and in no other rows",
    "[paper][wang][O-18]") {
  const std::vector<int> destinations =
      test::instrumented ? std::vector<int>{100} : std::vector<int>{30, 60, 100, 140, 180, 240};
  const auto blocked_in_all = [&](const WangRow& row) {
    int blocked = 0;
    for (int count : destinations)
      for (int seed = 1; seed <= 2; ++seed) blocked += heads_blocked(row, count, seed);
    return blocked;
  };
  for (const WangRow& row : wang_rows::without_conflict()) {
    INFO(row.kind << " {" << row.parameters << "} under {" << row.routing << "}");
    CHECK(blocked_in_all(row) == 0);
  }
  for (const WangConflict& conflict : wang_rows::with_conflicts()) {
    INFO(conflict.row.kind << " {" << conflict.row.parameters << "} under {" << conflict.row.routing
                           << "}");
    CHECK(blocked_in_all(conflict.row) > 0);
  }
}

TEST_CASE("a scheme takes 2988 cycles plus its paths for one multicast, or 2656 without phase 1",
          "[paper][wang][6.8][O-21]") {
  const WangSetting setting = alone("torus", "serialized", 240);
  int moved = 0;
  for (int seed = 1; seed <= (test::instrumented ? 1 : 6); ++seed) {
    for (const std::string scheme : {"4IIIB", "4IVB", "4IIB", "2IIIB"}) {
      CAPTURE(scheme, seed);
      const bool moves = has_phase_one(setting, scheme, seed);
      moved += moves ? 1 : 0;
      check_excess(wang_run(setting, scheme, seed).makespan, moves ? 2988 : 2656);
    }
    check_excess(wang_run(setting, "4IV", seed).makespan, 2656);
  }
  CHECK(moved > 0);
}

TEST_CASE("the means of 7 to 240 destinations distinguish the start-ups in the simulated network",
          "[paper][wang][6.8][O-22]") {
  const std::map<int, std::pair<double, double>> table{{7, {806.29, 592.00}},
                                                       {15, {1084.53, 744.53}},
                                                       {80, {1826.00, 1218.50}},
                                                       {240, {2314.32, 1449.32}}};
  const auto mean = [](const WangSetting& setting, const std::string& scheme, int seed) {
    return wang_run(setting, scheme, seed).destination_mean;
  };
  for (const auto& [destinations, means] : table)
    for (int seed = 1; seed <= (test::instrumented ? 1 : 6); ++seed) {
      const double rounding = 0.005;  // of the table
      CHECK(means.second + longest_paths < means.first);
      for (const auto& [topology, scheme] :
           {std::pair<std::string, std::string>{"torus", "UT"}, {"mesh", "SPU"}}) {
        check_excess(mean(alone(topology, "serialized", destinations), scheme, seed) + rounding,
                     means.first);
        check_excess(mean(alone(topology, "overlapped", destinations), scheme, seed) + rounding,
                     means.second);
      }
      check_excess(mean(alone("mesh", "serialized", destinations), "U-mesh", seed) + rounding,
                   means.first);
    }
}

TEST_CASE("the T3D's start-up of 1.5 us is 45 times the 0.033 us of a flit",
          "[paper][wang][O-27]") {
  const auto took = [](const std::string& overhead) {
    const Results run = simulate(wang_job(alone("torus", "serialized", 1), "UT", 1)
                                     .with("clock.period", "0.033 us")
                                     .with("node.send_overhead", overhead));
    REQUIRE(run.outcome == Outcome::complete);
    return run.value("delivery.max");
  };
  CHECK(took("1.5 us") == took("0 us") + 45);
}

TEST_CASE("60 multicasts with U-torus over rings with one class of virtual channels deadlock",
          "[paper][wang][O-19]") {
  for (const std::string scheme : {"UT", "UT+"}) {
    const Scenario job = one_class(scheme, "minimal");
    CHECK_THROWS_AS(simulate(job), ConfigError);
    const Results run = simulate(job.with("allow_deadlock", "true"));
    CHECK(run.outcome == Outcome::deadlock);
    CHECK(run.message.find("waits for") != std::string::npos);
  }
  // Without rings one class is sufficient, and with rings two classes are.
  CHECK(simulate(one_class("SPU", "mesh")).outcome == Outcome::complete);
  for (const std::string scheme : {"UT", "UT+"})
    CHECK(wang_run({"torus", 8, "overlapped", 30, 60, 60, 0}, scheme, 1).makespan > 0);
}

}  // namespace wang_2001_timed_test
