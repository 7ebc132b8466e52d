// testbenches/tests/paper/experiments_test.cpp: the experiments of configs/ run, and their claims
// hold.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/job/catalog.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace experiments_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;

enum class Claims { all, relative };

/// Whether an experiment that sweeps a setting sweeps exactly these values of it, single or in
/// lists.
bool has_points(const Scenario& experiment, const ConfigNode* settings, bool lists) {
  if (!settings) return true;
  for (const auto& [path, written] : settings->entries()) {
    const ConfigNode* swept = experiment.tree().at("sweep").find(path);
    if (!swept || !swept->is_list()) continue;
    const std::vector<ConfigNode> wanted =
        lists ? written.items() : std::vector<ConfigNode>{written};
    for (const ConfigNode& value : wanted)
      if (std::none_of(swept->items().begin(), swept->items().end(),
                       [&](const ConfigNode& other) { return same_setting(other, value); }))
        return false;
  }
  return true;
}

/// Leaves out claims on absolute times, which hold for flits of one byte, and claims on points that
/// are not swept.
Scenario relative_claims(const Scenario& experiment) {
  std::vector<ConfigNode> kept;
  for (const ConfigNode& claim : experiment.tree().at("expect").items()) {
    const bool relative = claim.find("less_than") || claim.find("more_than") ||
                          claim.find("minus") || claim.find("relative_to");
    if (relative && has_points(experiment, claim.find("of"), false) &&
        has_points(experiment, claim.find("for"), true))
      kept.push_back(claim);
  }
  return Scenario(experiment.tree().with("expect", ConfigNode::list(std::move(kept))));
}

/// Runs an experiment of configs/experiments (tests run in the source folder) and requires that
/// every point ends successfully and every claim holds.
void require_claims(const std::string& file, const Overrides& overrides = {},
                    Claims claims = Claims::all) {
  const ScratchFolder folder;
  Scenario experiment = Scenario::load("configs/experiments/" + file);
  for (const auto& [path, value] : overrides) experiment = with_override(experiment, path, value);
  if (claims == Claims::relative) experiment = relative_claims(experiment);
  ExperimentOptions options;
  options.out = folder.path("out");

  const ExperimentOutcome outcome = run_experiment(experiment, standard_catalog(), options);

  INFO(outcome.text());
  REQUIRE(outcome.points > 1);
  REQUIRE(outcome.finished == outcome.points);
  REQUIRE(outcome.verdicts.size() > 1);
  REQUIRE(outcome.exit_code() == 0);
}

/// The jobs of a paper in configs/experiments, ascending, without file extension.
std::set<std::string> jobs_of(const std::string& paper) {
  std::set<std::string> jobs;
  for (const auto& entry : std::filesystem::directory_iterator("configs/experiments/" + paper))
    jobs.insert(entry.path().stem().string());
  return jobs;
}

Overrides sources(int count) {
  return {{"sweep.operation.root", "{sample_nodes: " + std::to_string(count) + "}"}};
}

}  // namespace

TEST_CASE("the quickstart's claims hold", "[paper]") { require_claims("quickstart.yaml"); }

TEST_CASE("load raises latency, and virtual channels lower it", "[paper]") {
  require_claims("latency_against_load.yaml");
}

TEST_CASE("packets wait for virtual channels or for the switch", "[paper]") {
  require_claims("latency_anatomy.yaml");
}

TEST_CASE("background traffic slows every broadcast, and EDN remains the fastest", "[paper]") {
  require_claims("broadcast_beside_traffic.yaml");
}

TEST_CASE("the claims of figure 3.14 hold for some sources", "[paper][Q4]") {
  require_claims("tsai_1997/fig_3_14.yaml", sources(3));
}

TEST_CASE("the claims of figure 3.15 hold for one source and wide flits", "[paper][Q4][Q5]") {
  require_claims("tsai_1997/fig_3_15.yaml",
                 {{"set.clock.period", "7200 ns"},
                  {"set.channel.width", "16 B"},
                  {"sweep.operation.root", "{sample_nodes: 1}"}},
                 Claims::relative);
}

TEST_CASE("the claims of figure 3.16 hold for some sources", "[paper][Q4]") {
  require_claims("tsai_1997/fig_3_16.yaml", sources(3));
}

TEST_CASE("the claims of figure 3.25 (a) hold for some sources", "[paper][Q8]") {
  require_claims("tsai_1997/fig_3_25a.yaml", sources(1));
}

TEST_CASE("the claims of figure 3.25 (b) hold for some sources", "[paper][Q8]") {
  require_claims("tsai_1997/fig_3_25b.yaml", sources(1));
}

TEST_CASE("the shorter the start-up, the greater the advantage of EDN on 3D meshes",
          "[paper][Q9]") {
  const std::string shape = GENERATE("[4, 4, 4]", "[8, 8, 4]");
  const auto advantage = [&](const std::string& node) {
    const auto time = [&](const std::string& algorithm) {
      return simulate(Scenario::load("configs/scenarios/ncube2_broadcast.yaml")
                          .without("expect")
                          .with("clock", "{period: 3300 ps}")
                          .with("routing.order", "[0, 1, 2]")
                          .with("topology.shape", shape)
                          .with("node", node)
                          .with("operation", "{kind: broadcast, root: 21, message: 2 KiB}")
                          .with("algorithm.kind", algorithm))
          .value("collective.max_us");
    };
    return 1 - time("edn") / time("recursive_doubling");
  };

  const double slow = advantage("{ports: 4, send_overhead: 750 ns, receive_overhead: 750 ns}");
  const double fast = advantage("{ports: 4, send_overhead: 75 ns, receive_overhead: 75 ns}");

  REQUIRE(slow > 0.2);
  REQUIRE(fast > slow + 0.03);
}

// Flits of 16 bytes that take as long as 16 flits of one byte, and no meshes of 16x16.
TEST_CASE("the claims of figure 3.29 hold for wide flits", "[paper][Q12]") {
  require_claims("tsai_1997/fig_3_29.yaml",
                 {{"set.clock.period", "7200 ns"},
                  {"set.channel.width", "16 B"},
                  {"sweep.topology.shape", "[[8, 8], [32, 32]]"},
                  {"sweep.operation.message", "[2 KiB]"}},
                 Claims::relative);
}

TEST_CASE("the claims of figure 4.14 hold for some sources", "[paper][Q15]") {
  require_claims("tsai_1997/fig_4_14.yaml", sources(2));
}

TEST_CASE("the claims of figure 4.16 hold on 8x8", "[paper][Q16]") {
  require_claims("tsai_1997/fig_4_16.yaml",
                 {{"set.topology.shape", "[8, 8]"}, {"sweep.operation.root", "{sample_nodes: 4}"}});
}

TEST_CASE("the claims of figure 5.3 hold", "[paper]") { require_claims("tsai_1997/fig_5_3.yaml"); }

TEST_CASE("the claims on multicasts by unicasts under load hold", "[paper][lan_1988]") {
  require_claims("lan_1988/load_unicast_based.yaml",
                 {{"sweep.operation.gap", "[16000 cycle, 2500 cycle, 1000 cycle, 400 cycle]"}},
                 Claims::relative);
}

TEST_CASE("the claims on multicasts by routers and by processors under load hold",
          "[paper][lan_1988]") {
  require_claims("lan_1988/load.yaml",
                 {{"sweep.operation.gap", "[16000 cycle, 2500 cycle, 1000 cycle, 400 cycle]"}},
                 Claims::relative);
}

TEST_CASE("the claims on deadlocks with one buffer per channel hold", "[paper][lan_1988]") {
  require_claims("lan_1988/deadlock.yaml", {{"sweep.seed", "[1, 2]"}});
}

TEST_CASE("the claims on multicasts by unicasts under load hold at every rate",
          "[paper][lan_1988][long]") {
  require_claims("lan_1988/load_unicast_based.yaml");
}

TEST_CASE("every figure, table and section of Tsai 1997 with numbers to reproduce has its job",
          "[paper]") {
  // Figures that only show a construction are covered by tests: docs/papers.md.
  const std::set<std::string> catalogue{
      "fig_3_3",   "fig_3_4",   "fig_3_12",                                 //
      "table_3_1", "table_3_2", "table_3_3", "table_3_4", "fig_3_13",       //
      "fig_3_14",  "fig_3_15",  "fig_3_16",  "fig_3_17",  "section_3_3_5",  //
      "table_3_5", "fig_3_24",  "fig_3_25a", "fig_3_25b", "section_3_4_5",  //
      "table_3_6", "table_3_7",                                             //
      "fig_3_27",  "fig_3_28",  "fig_3_29",                                 //
      "fig_4_1",   "fig_4_13a", "fig_4_13b", "fig_4_14",  "fig_4_15",       //
      "fig_4_16",                                                           //
      "fig_5_3",
      "fig_5_4",                                          // table 5.1
      "fig_5_8",   "fig_5_9",   "fig_5_10",  "fig_5_11",  //
      "fig_5_12a", "fig_5_12b", "fig_5_13",  "fig_5_14",
      "table_5_6",  // figure 5.15
      "fig_5_16",   // figure 5.17
      "table_5_7",  // figure 5.18
  };

  REQUIRE(jobs_of("tsai_1997") == catalogue);
}

TEST_CASE("the claims of every experiment of Tsai 1997 hold",
          "[paper][Q4][Q5][Q6][Q8][Q12][Q15][Q16][long]") {
  for (const std::string& job : jobs_of("tsai_1997")) {
    DYNAMIC_SECTION(job) { require_claims("tsai_1997/" + job + ".yaml"); }
  }
}

TEST_CASE("the claims on machines, small trees and faults of Lan 1988 hold",
          "[paper][lan_1988][O3][O4][O7][O9][O27][O29][O31][O32][Q10][Q11][Q13]") {
  const std::string job =
      GENERATE("table_1_1", "table_3_1", "fig_3_3", "fig_4_7", "fig_4_8", "fig_4_10", "fig_4_12",
               "fig_7_1", "fig_7_1_a", "fig_7_4", "fig_7_6", "fig_7_8", "table_7_1");
  require_claims("lan_1988/" + job + ".yaml");
}

TEST_CASE("the claims of the examples of Lan 1988 hold", "[paper][lan_1988][O5][O6][O11]") {
  const std::string job = GENERATE("fig_4_1", "fig_4_2", "fig_4_2_b", "fig_5_2");
  require_claims("lan_1988/" + job + ".yaml");
}

TEST_CASE("the claims of figures 5.4 to 5.7 of Lan 1988 hold in a 5-cube",
          "[paper][lan_1988][Q5][Q6][Q7][Q8][Q9]") {
  const std::string job = GENERATE("fig_5_4_q5", "fig_5_5_q5", "fig_5_6_q5", "fig_5_7_q5");
  require_claims("lan_1988/" + job + ".yaml");
}

TEST_CASE("every figure of Lan 1988 with data has its job", "[paper][lan_1988]") {
  const std::set<std::string> catalogue{
      "table_1_1",                //
      "table_3_1", "fig_3_3",     // and Fig. 3.1, 3.2
      "fig_4_1",   "fig_4_2",     //
      "fig_4_2_b",                //
      "fig_4_7",                  //
      "fig_4_8",   "fig_4_10",    // and Fig. 4.9, 4.11
      "fig_4_12",                 //
      "fig_5_2",                  // tables 5.1 to 5.4
      "fig_5_3",                  //
      "fig_5_4",   "fig_5_4_q5",  // the dissertation does not state which cube it is
      "fig_5_5",   "fig_5_5_q5",  //
      "fig_5_6",   "fig_5_6_q5",  //
      "fig_5_7",   "fig_5_7_q5",  //
      "fig_7_1",   "fig_7_1_a",   //
      "fig_7_2",                  //
      "fig_7_4",   "fig_7_6",     //
      "table_7_1", "fig_7_8",
  };
  const std::set<std::string> jobs = jobs_of("lan_1988");

  REQUIRE(std::includes(jobs.begin(), jobs.end(), catalogue.begin(), catalogue.end()));
}

TEST_CASE("the claims of every experiment of Lan 1988 hold",
          "[paper][lan_1988][Q1][Q2][Q3][Q4][Q5][Q6][Q7][Q8][Q9][long]") {
  for (const std::string& job : jobs_of("lan_1988")) {
    DYNAMIC_SECTION(job) { require_claims("lan_1988/" + job + ".yaml"); }
  }
}

TEST_CASE("the claims of Eberhart 1996 on half-duplex nodes, regions, step lengths and pace hold",
          "[paper][eberhart_1996]") {
  const std::string job = GENERATE("section_3_1_4", "section_3_2_4", "section_2_1_4_lengths",
                                   "section_2_1_4_barriers", "dataflow_pace", "region_routines");
  require_claims("eberhart_1996/" + job + ".yaml");
}

TEST_CASE("the claims of every experiment of Eberhart 1996 hold", "[paper][eberhart_1996][long]") {
  for (const std::string& job : jobs_of("eberhart_1996")) {
    DYNAMIC_SECTION(job) { require_claims("eberhart_1996/" + job + ".yaml"); }
  }
}

TEST_CASE("every figure of Eberhart 1996 with numbers to reproduce has its job, and one with worms",
          "[paper][eberhart_1996]") {
  std::set<std::string> catalogue{"section_3_1_4", "section_5_3_switching", "section_6_3_switching",
                                  "section_2_1_4_barriers", "dataflow_pace"};
  for (const char* figure :
       {"fig_5_1a", "fig_5_1b", "fig_5_1c", "fig_5_1d", "fig_5_2_left", "fig_5_2_right", "fig_5_4a",
        "fig_5_4b", "fig_5_4c", "fig_5_4d", "fig_5_5_left", "fig_5_5_right", "fig_5_6_left",
        "footnote_5_2_2", "section_2_1_4_lengths", "section_3_2_4", "section_5_2_3_startup",
        "section_5_3_square", "region_routines"}) {
    catalogue.insert(figure);
    catalogue.insert(figure + std::string("_worms"));
  }

  REQUIRE(jobs_of("eberhart_1996") == catalogue);
}

TEST_CASE("every figure of Wang et al. 2001 with data has its job, and so has table 1",
          "[paper][wang]") {
  const std::set<std::string> catalogue{
      "table_1",
      "fig_5",
      "fig_6",
      "section_4_4_startup",  // figures 5 and 6 beside each other
      "fig_7",
      "fig_8",
      "fig_9",
      "fig_10",  //
      "fig_11",
      "fig_12",
      "section_5_2_startup",  // likewise
      "fig_13",
      "fig_14",
      "fig_15",
      "fig_16",  //
  };
  const std::set<std::string> jobs = jobs_of("wang_2001");

  REQUIRE(std::includes(jobs.begin(), jobs.end(), catalogue.begin(), catalogue.end()));
}

TEST_CASE("the claims of table 1 of Wang et al. 2001 hold", "[paper][wang]") {
  require_claims("wang_2001/table_1.yaml");
}

TEST_CASE("the claims of every experiment of Wang et al. 2001 hold", "[paper][wang][long]") {
  for (const std::string& job : jobs_of("wang_2001")) {
    DYNAMIC_SECTION(job) { require_claims("wang_2001/" + job + ".yaml"); }
  }
}

}  // namespace experiments_test
