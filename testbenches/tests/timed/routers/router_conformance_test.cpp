// testbenches/tests/timed/routers/router_conformance_test.cpp: every kind of router, in every
// scheduling and build order, gives the same results or is rejected before the simulation.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "testbenches/job/plan/plan.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace router_conformance_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr const char* table_file = "testbenches/tests/timed/routers/router_conformance.table";
const std::vector<int> vc_counts = {1, 4};

struct Network {
  std::string name;
  std::string sections;  ///< YAML sections of the job.
};

/// The last four are for kinds that run on none of the first three.
const std::vector<Network> networks = {
    {"mesh", "topology: {kind: mesh, shape: [3, 3]}\n"},
    {"torus", "topology: {kind: torus, shape: [4, 3]}\n"},
    {"custom graph",
     "topology: {kind: custom, channels: [[a, b], [b, c], [c, d], [d, a], [b, d], [d, e]]}\n"
     "routing: shortest_path\n"},
    {"mesh, 1 port", "topology: {kind: mesh, shape: [3, 3]}\nnode: {ports: 1}\n"},
    {"mesh, label order", "topology: {kind: mesh, shape: [3, 3]}\nrouting: label_order\n"},
    {"hypercube", "topology: {kind: hypercube, dimensions: 3}\n"},
    {"complete", "topology: {kind: complete, nodes: 5}\nrouting: shortest_path\n"},
};

/// The channel section. Circuits, with the handshake `acknowledge`, have no buffers.
std::string channel(const std::string& handshake, int vcs) {
  return fmt::format("channel: {{handshake: {}, vcs: {}{}}}\n", handshake, vcs,
                     handshake == "acknowledge" ? "" : ", buffer: 8 flit");
}

/// `router`: its section, as in an example of the kind.
Scenario job_with(const std::string& router, const Network& network, const std::string& channel) {
  return Scenario::parse("scenario: conformance\n" + network.sections + "router: " + router + "\n" +
                         channel +
                         "traffic: {packet: 3 flit, rate: 0.2 flit/node/cycle, warmup: 50 cycle, "
                         "measure: 200 cycle, drain: 1000 cycle}\n"
                         "observe: [{kind: latency, packets: true}, {kind: channel_load}]\n"
                         "stop: {limit: 20000 cycle}\n");
}

std::vector<std::string> loads() {
  return instrumented ? std::vector<std::string>{"0.2"}
                      : std::vector<std::string>{"0.05", "0.2", "0.5", "0.9"};
}

/// The key of the error with which a job is rejected. The error must have a problem and a remedy,
/// too.
std::optional<std::string> rejected(const Scenario& scenario) {
  try {
    const Job job = Job::read(scenario, standard_catalog());
    Plan::make(job);
    return std::nullopt;
  } catch (const ConfigError& error) {
    CHECK_FALSE(error.key().empty());
    CHECK_FALSE(error.problem().empty());
    CHECK_FALSE(error.remedy().empty());
    CHECK(error.place().known());
    return error.key();
  }
}

/// "same", the key of the error, or "different". At all loads packets must arrive, and the network
/// must be empty at the end.
std::string outcome_of(const Scenario& scenario) {
  std::optional<std::string> key;
  for (const std::string& load : loads()) {
    const Scenario loaded = scenario.with("traffic.rate", load + " flit/node/cycle");
    INFO(loaded.tree().to_yaml());
    const std::optional<std::string> found = rejected(loaded);
    if (key || found) {
      // Whether a router suits a network must not depend on the load.
      if (load != loads().front()) CHECK(found == key);
      key = found;
      continue;
    }
    const Results results = simulate(loaded);
    CHECK(results.message == "");
    REQUIRE(results.outcome == Outcome::complete);
    CHECK(results.value("latency.packets") > 0);
    for (const RunVariant& variant : compared_variants()) {
      const std::string differs = difference(simulate(with_variant(loaded, variant)), results);
      INFO(variant.scheduling << ", " << variant.order);
      CHECK(differs == "");
      if (!differs.empty()) return "different";
    }
  }
  return key.value_or("same");
}

/// The router sections to be tested: the examples that the kind's registration gives.
std::vector<std::string> sections_of(const std::string& kind) {
  const std::vector<std::string> examples = standard_catalog().routers.info(kind).about.examples;
  if (!examples.empty()) return examples;
  return {"{kind: " + kind + "}"};
}

std::string row_text(const std::vector<std::string>& cells) {
  std::string text;
  for (std::size_t i = 0; i + 1 < cells.size(); ++i)
    text += fmt::format("{:<{}}", cells[i], i == 1 ? 6 : 29);
  return text + cells.back() + "\n";
}

/// The outcomes on one network: a row for each number of virtual channels, or one for all if they
/// are equal. Adds the number of handshakes with which the router runs to `runs`.
std::string network_rows(const std::string& router, const Network& network, int& runs) {
  std::vector<std::vector<std::string>> rows;
  for (const int vcs : vc_counts) {
    rows.emplace_back();
    for (const std::string& handshake : names_of(Handshake{}))
      rows.back().push_back(outcome_of(job_with(router, network, channel(handshake, vcs))));
    for (const std::string& outcome : rows.back()) runs += outcome == "same" ? 1 : 0;
  }
  const bool alike = rows.front() == rows.back();
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (alike && i > 0) break;
    std::vector<std::string> cells = {
        network.name,
        alike ? fmt::format("{}", fmt::join(vc_counts, ", ")) : std::to_string(vc_counts[i])};
    cells.insert(cells.end(), rows[i].begin(), rows[i].end());
    text += row_text(cells);
  }
  return text;
}

std::string conformance_table() {
  std::vector<std::string> head = {"", "vcs"};
  for (const std::string& handshake : names_of(Handshake{})) head.push_back(handshake);
  std::string text = row_text(head);
  for (const std::string& kind : without_unavailable(standard_catalog()).routers.names())
    for (const std::string& router : sections_of(kind)) {
      text += "\n" + router + "\n";
      int runs = 0;
      for (const Network& network : networks) text += network_rows(router, network, runs);
      INFO(router + " runs on none of the networks of this test: add one that suits it");
      CHECK(runs > 0);
    }
  return text;
}

std::string text_of(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE(
    "every kind of router gives the same results under all schedulings, build orders and loads, or "
    "is rejected with the setting that does not suit it",
    "[timed]") {
  const std::string table = conformance_table();

  if (std::getenv("FLITWAVE_WRITE")) std::ofstream(table_file) << table;
  INFO("set FLITWAVE_WRITE=1 to write " << table_file << ", which docs/conformance.md shows");
  CHECK(text_of(table_file) == table);
}

}  // namespace router_conformance_test
