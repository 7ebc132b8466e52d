// testbenches/tests/timed/relay/cube_labels_test.cpp: nodes of hypercubes named by binary labels.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace cube_labels_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// The example of Lan 1988, section 5.3, as the shipped scenario, with decimal numbers.
Scenario example() { return Scenario::load("configs/scenarios/multicast_cube_5.yaml"); }

Scenario labelled() {
  return example()
      .with("operation.source", "00110")
      .with("operation.destinations", "[00111, 10100, 11101, 10010, 00001, 00000]");
}

std::string error_of(const Scenario& scenario) {
  try {
    simulate(scenario, standard_catalog());
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE(
    "a job with labels gives the results of the one with decimal numbers, printed with labels",
    "[timed][lan_1988]") {
  const Results decimal = simulate(example(), standard_catalog());
  const Results results = simulate(labelled(), standard_catalog());

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.fingerprint == decimal.fingerprint);
  const Table& packets = results.table("packets");
  REQUIRE(packets.rows.size() == 6);
  for (const std::vector<std::string>& row : packets.rows) CHECK(row[0] == "00110");
  CHECK(decimal.table("packets").rows[0][0] == "0_1_1_0_0");
  bool found = false;
  for (const std::vector<std::string>& row : results.table("channel_load").rows)
    for (const std::string& cell : row) found = found || cell == "channel_00110_to_00100";
  CHECK(found);
}

TEST_CASE("waves of a job with labels name channels and routers by labels", "[timed][lan_1988]") {
  const ScratchFolder folder;
  SimulateOptions options;
  options.wave_path = folder.path("wave.vcd");
  const Results results =
      simulate(labelled()
                   .with("router.detail", "blocks")
                   .with("wave", "{select: [channel_00110_to_*], routers: [00110]}"),
               standard_catalog(), options);
  REQUIRE(results.message.empty());

  const Vcd vcd = read_vcd(options.wave_path);
  const std::string tile = "testbench.netlist.tile_00110.";
  CHECK(vcd.signal(tile + "channel_00110_to_00100.valid").changes.size() > 1);
  CHECK(vcd.signal(tile + "router_00110.in_5.rts").changes.size() > 1);
}

TEST_CASE("errors of a job with labels print labels", "[timed]") {
  CHECK_THAT(error_of(labelled().with("operation.destinations", "[00111, 7]")),
             Catch::Contains("node 00111 is already a destination"));
  CHECK_THAT(error_of(labelled().with("operation.destinations", "[6]")),
             Catch::Contains("node 00110 is the source"));
  CHECK_THAT(
      error_of(labelled().with("router.fault_tolerant", "true").with("faults", "{nodes: [00001]}")),
      Catch::Contains("node 00001 is faulty"));
}

TEST_CASE("faults and scripts of ties accept labels, too", "[timed][lan_1988]") {
  const auto traffic = [](const std::string& script) {
    return simulate(labelled()
                        .with("evaluation", "untimed")
                        .with("observe", "[]")
                        .with("algorithm", "{kind: greedy_multicast, script: " + script + "}")
                        .without("router")
                        .without("channel")
                        .without("expect"),
                    standard_catalog())
        .value("steps.traffic");
  };

  REQUIRE(traffic("{00100: [2]}") == 9);  // Lan 1988, section 7.3.3
  REQUIRE(traffic("{4: [2]}") == 9);
  REQUIRE(traffic("{}") == 10);
}

}  // namespace cube_labels_test
