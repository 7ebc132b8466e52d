// testbenches/paper/experiments_test.cpp: the experiments of configs/ run, and their claims hold.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "flitwave/testbenches/catalog.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/experiment.hpp"
#include "flitwave/testbenches/simulate.hpp"
#include "flitwave/testbenches/timed/scratch_folder.hpp"

using namespace flitwave;
using namespace flitwave::test;

namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;

/// Leaves out the claims beside the figures of another model, which are for flits of one byte.
Scenario without_reference(const Scenario& experiment) {
  std::vector<ConfigNode> kept;
  for (const ConfigNode& claim : experiment.tree().at("expect").items())
    if (claim.at("about").text().find(" model") == std::string::npos) kept.push_back(claim);
  return Scenario(experiment.tree().with("expect", ConfigNode::list(std::move(kept))));
}

/// Runs an experiment of configs/experiments (tests run in the source folder) and requires every
/// point to end well and every claim to hold.
void require_claims(const std::string& file, const Overrides& overrides = {},
                    bool with_reference = true) {
  const ScratchFolder folder;
  Scenario experiment = Scenario::load("configs/experiments/" + file);
  if (!with_reference) experiment = without_reference(experiment);
  for (const auto& [path, value] : overrides) experiment = with_override(experiment, path, value);
  ExperimentOptions options;
  options.out = folder.path("out");

  const ExperimentOutcome outcome = run_experiment(experiment, standard_catalog(), options);

  INFO(outcome.text());
  REQUIRE(outcome.points > 3);
  REQUIRE(outcome.finished == outcome.points);
  REQUIRE(outcome.verdicts.size() > 2);
  REQUIRE(outcome.exit_code() == 0);
}

Overrides sources(int count) {
  return {{"sweep.operation.root", "{sample_nodes: " + std::to_string(count) + "}"}};
}

}  // namespace

TEST_CASE("the quickstart's claims hold", "[paper]") { require_claims("quickstart.yaml"); }

TEST_CASE("load raises latency, and virtual channels lower it", "[paper]") {
  require_claims("latency_against_load.yaml");
}

TEST_CASE("packets wait for virtual channels, or for the switch", "[paper]") {
  require_claims("latency_anatomy.yaml");
}

TEST_CASE("the claims of figure 3.14 hold for some sources", "[paper][Q4]") {
  require_claims("tsai_1997/fig_3_14.yaml", sources(3));
}

TEST_CASE("the claims of figure 3.15 hold for one source and broad flits", "[paper][Q4][Q5]") {
  require_claims("tsai_1997/fig_3_15.yaml",
                 {{"set.clock.period", "7200 ns"},
                  {"set.channel.width", "16 B"},
                  {"sweep.operation.root", "{sample_nodes: 1}"}},
                 false);
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

TEST_CASE("the shorter the start-up, the more EDN is ahead on 3D meshes", "[paper][Q9]") {
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

// Flits of 16 bytes, as long in time as 16 of one byte, and no meshes of 16x16.
TEST_CASE("the claims of figure 3.29 hold for broad flits", "[paper][Q12]") {
  require_claims("tsai_1997/fig_3_29.yaml",
                 {{"set.clock.period", "7200 ns"},
                  {"set.channel.width", "16 B"},
                  {"sweep.topology.shape", "[[8, 8], [32, 32]]"},
                  {"sweep.operation.message", "[2 KiB]"}},
                 false);
}

TEST_CASE("the claims of figure 4.14 hold for some sources", "[paper][Q15]") {
  require_claims("tsai_1997/fig_4_14.yaml", sources(2));
}

TEST_CASE("the claims of figure 4.16 hold on 8x8", "[paper][Q16]") {
  require_claims("tsai_1997/fig_4_16.yaml",
                 {{"set.topology.shape", "[8, 8]"}, {"sweep.operation.root", "{sample_nodes: 4}"}});
}

TEST_CASE("the claims of figure 5.3 hold", "[paper]") { require_claims("tsai_1997/fig_5_3.yaml"); }

TEST_CASE("the claims of every experiment of Tsai 1997 hold",
          "[paper][Q4][Q5][Q6][Q8][Q12][Q15][Q16][long]") {
  const std::string folder = "configs/experiments/";
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "tsai_1997")) {
    if (entry.path().extension() != ".yaml") continue;
    ++found;
    DYNAMIC_SECTION(entry.path().filename().string()) {
      require_claims("tsai_1997/" + entry.path().filename().string());
    }
  }
  REQUIRE(found > 20);
}
