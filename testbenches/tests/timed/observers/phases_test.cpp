// testbenches/tests/timed/observers/phases_test.cpp: the reported phases of an algorithm.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "testbenches/job/plan/plan.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace phases_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Scenario multicasts(const std::string& algorithm) {
  return Scenario::parse(R"(
scenario: phases
topology: {kind: torus, shape: [8, 8]}
channel: {width: 1 B, vcs: 2, buffer: 2 flit}
router: {kind: wormhole, preset: single_cycle}
node: {send_overhead: 50 cycle, overhead: overlapped}
operation: {kind: multicasts, count: 12, placement: distinct, destinations: 30, message: 16 B}
observe: [{kind: phases}, {kind: steps}, {kind: contention}, {kind: channel_load}]
)")
      .with("algorithm", algorithm);
}

}  // namespace

TEST_CASE("the phases of a collective sum to the whole run", "[timed][wang]") {
  const Results run = simulate(multicasts("{kind: partitioned, h: 4, type: II}"));
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

TEST_CASE("an algorithm without phases reports none", "[timed][wang]") {
  const Results run = simulate(multicasts("{kind: u_torus}"));
  CHECK(run.tables.count("phases") == 0);
}

TEST_CASE("at phased pace no message of a phase begins before the preceding phase is complete",
          "[timed][wang]") {
  for (const std::string evaluation : {"timed", "message_level"})
    for (const int cost : {0, 25}) {
      INFO(evaluation << " " << cost);
      const Scenario job = multicasts("{kind: partitioned, h: 4, type: III}")
                               .with("pace", "phased")
                               .with("barrier_cost", std::to_string(cost) + " cycle")
                               .with("evaluation", evaluation)
                               .with("observe", "[{kind: steps}]");
      const Results run = simulate(job);
      REQUIRE(run.outcome == Outcome::complete);
      for (const std::string& note : run.notes) CHECK(note.find("barrier") == std::string::npos);
      std::map<int, std::pair<double, double>> spans;  // begin and end of each phase
      const Job read = Job::read(job, standard_catalog());
      const Plan plan = Plan::make(read);
      const Table& transfers = run.table("transfers");
      const std::vector<double> ready = column(transfers, "ready_cycle");
      const std::vector<double> done = column(transfers, "done_cycle");
      REQUIRE(ready.size() == plan.schedule->transfers().size());
      for (std::size_t i = 0; i < ready.size(); ++i) {
        const auto [entry, is_new] =
            spans.try_emplace(plan.schedule->transfers()[i].phase, std::pair(ready[i], done[i]));
        entry->second.first = std::min(entry->second.first, ready[i]);
        entry->second.second = std::max(entry->second.second, done[i]);
      }
      REQUIRE(spans.size() == 3);
      CHECK(spans[1].first == 0);
      // A simulated processor receives a message one cycle after its last flit.
      const int delay = evaluation == "timed" ? 1 : 0;
      CHECK(spans[2].first == spans[1].second + delay + 1 + cost);
      CHECK(spans[3].first == spans[2].second + delay + 1 + cost);
    }
}

}  // namespace phases_test
