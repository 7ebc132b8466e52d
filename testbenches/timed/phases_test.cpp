// testbenches/timed/phases_test.cpp: what an observer says of the phases of an algorithm.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <string>

#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/simulate.hpp"
#include "flitwave/testbenches/timed/jobs.hpp"

namespace phases_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Results phased(const std::string& algorithm) {
  return simulate(Scenario::parse(R"(
scenario: phases
topology: {kind: torus, shape: [8, 8]}
channel: {width: 1 B, vcs: 2, buffer: 2 flit}
router: {kind: wormhole, preset: single_cycle}
node: {send_overhead: 50 cycle, overhead: overlapped}
operation: {kind: multicasts, count: 12, placement: distinct, destinations: 30, message: 16 B}
observe: [{kind: phases}, {kind: steps}, {kind: contention}, {kind: channel_load}]
)")
                      .with("algorithm", algorithm));
}

}  // namespace

TEST_CASE("the phases of a collective add up to the whole run", "[timed][wang]") {
  const Results run = phased("{kind: partitioned, h: 4, type: II}");
  const Table& phases = run.table("phases");
  REQUIRE(phases.rows.size() == 3);
  const auto sum = [&](const std::string& name) {
    double all = 0;
    for (double value : column(phases, name)) all += value;
    return all;
  };

  CHECK(sum("messages") == run.value("packets"));
  CHECK(sum("hops") == run.value("steps.traffic"));
  CHECK(sum("blocked_cycles") == run.value("contention.blocked"));
  CHECK(column(phases, "end_cycle").back() == run.value("collective.max"));
  CHECK(column(phases, "begin_cycle").front() == 0);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(column(phases, "begin_cycle")[i] < column(phases, "end_cycle")[i]);
  for (double flits : column(phases, "flits")) CHECK(flits <= run.value("channel_load.max"));
  CHECK(run.lines.size() >= 3);
}

TEST_CASE("an algorithm without phases has none to report", "[timed][wang]") {
  const Results run = phased("{kind: u_torus}");
  CHECK(run.tables.count("phases") == 0);
}

}  // namespace phases_test
