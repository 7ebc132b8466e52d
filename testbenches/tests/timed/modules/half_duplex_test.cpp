// testbenches/tests/timed/modules/half_duplex_test.cpp: nodes that send or receive, but not both at
// once.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/by_hand.hpp"

namespace half_duplex_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Fifteen nodes shift a section by two rows and three columns. The sections overlap, so most nodes
/// send and receive (Eberhart 1996, Fig. 3.3 and 3.4).
Scenario shift(bool one_port, const std::string& ejection) {
  return Scenario::parse(R"(
scenario: half_duplex
topology: {kind: mesh, shape: [8, 5]}
channel: {width: 8 B}
router: {kind: wormhole, preset: single_cycle}
operation:
  kind: array_assignment
  source: {section: [0:2, 0:4], block: [1, 1]}
  destination: {section: [2:4, 3:7], block: [1, 1]}
  element: 1 KiB
observe: [{kind: flit_log}, {kind: step_times}]
)")
      .with("algorithm", fmt::format("{{kind: section_diagonal, one_port: {}}}", one_port))
      .with("node", "{ejection: " + ejection + "}");
}

/// The cycles in which the flits of a packet crossed a channel.
using Crossing = std::vector<int>;

/// For each node, the packets on its channel of one kind, in order.
std::map<std::string, std::vector<Crossing>> packets_of(const Results& run,
                                                        const std::string& channel) {
  const Table& log = run.table("flit_log");
  const auto cell = [&](const std::vector<std::string>& row, const char* name) {
    return row[log.column(name, "flit_log")];
  };
  std::map<std::string, std::vector<Crossing>> packets;
  for (const auto& row : log.rows) {
    const std::string name = cell(row, "channel");
    if (name.rfind(channel, 0) != 0) continue;
    auto& of_node = packets[name.substr(channel.size())];
    if (cell(row, "sequence") == "0") of_node.emplace_back();
    of_node.back().push_back(std::stoi(cell(row, "cycle")));
  }
  return packets;
}

}  // namespace

TEST_CASE(
    "a schedule in which no node sends and receives in one step takes no longer on half-duplex "
    "nodes",
    "[timed][eberhart_1996]") {
  const Results full = simulate(shift(true, "drains"));
  const Results half = simulate(shift(true, "half_duplex"));

  REQUIRE(half.outcome == Outcome::complete);
  CHECK(half.value("collective.max") == full.value("collective.max"));
  CHECK(half.value("data.right") == 15);
}

TEST_CASE(
    "a schedule in which nodes send and receive in one step takes longer on half-duplex nodes",
    "[timed][eberhart_1996]") {
  const double full = simulate(shift(false, "drains")).value("collective.max");
  const Results half = simulate(shift(false, "half_duplex"));
  const double avoided = simulate(shift(true, "half_duplex")).value("collective.max");

  REQUIRE(half.outcome == Outcome::complete);
  CHECK(half.value("data.right") == 15);
  CHECK(half.value("collective.max") > full + 128);  // a message's flits
  CHECK(half.value("collective.max") > avoided + 128);
}

TEST_CASE("a half-duplex node receives no packet while it sends one", "[timed]") {
  const Results run =
      simulate(shift(false, "half_duplex").with("operation.destination.section", "[1:3, 1:5]"));
  REQUIRE(run.outcome == Outcome::complete);
  const auto sent = packets_of(run, "injection_");
  const auto taken = packets_of(run, "ejection_");
  REQUIRE(sent.size() == 15);

  // While the node sends, four flits may enter the interface's buffer.
  constexpr std::size_t buffer = 4;
  int both = 0;
  for (const auto& [node, packets] : sent)
    for (const Crossing& out : packets) {
      if (taken.count(node) == 0) continue;
      for (const Crossing& in : taken.at(node)) {
        ++both;
        CAPTURE(node, out.front(), out.back(), in.front(), in.back());
        CHECK((in.back() < out.front() || in[buffer] > out.back()));
      }
    }
  CHECK(both == 8);  // nodes in both areas
}

TEST_CASE("flits cross a half-duplex node one at a time", "[timed]") {
  std::vector<Delivery> deliveries;
  std::vector<Send> sends;
  for (int i = 0; i < 20; ++i)
    for (int node = 0; node < 2; ++node) {
      sends.push_back({static_cast<int>(deliveries.size()), node, 1 - node, i + 1});
      deliveries.push_back({NodeId(node), {NodeId(1 - node)}, Bytes{4}});  // fills a buffer
    }

  const Results half =
      simulate(line("{ejection: half_duplex, ports: all}", "steps"), by_hand(deliveries, sends));

  REQUIRE(half.outcome == Outcome::complete);
  CHECK(half.cycles >= 2 * 20 * 4);
}

TEST_CASE("two half-duplex nodes deadlock if they send each other more than the buffers hold",
          "[timed]") {
  const std::vector<Delivery> deliveries = {{NodeId(0), {NodeId(1)}, Bytes{64}},
                                            {NodeId(1), {NodeId(0)}, Bytes{64}}};
  const Catalog catalog = by_hand(deliveries, {{0, 0, 1, 1}, {1, 1, 0, 1}});

  const Results half = simulate(line("{ejection: half_duplex}", "steps"), catalog);
  const Results full = simulate(line("{ports: one}", "steps"), catalog);

  CHECK(half.outcome == Outcome::deadlock);
  CHECK(full.outcome == Outcome::complete);
}

TEST_CASE("half-duplex nodes give the same results under every scheduling and build order",
          "[timed]") {
  const Results run = simulate(shift(false, "half_duplex"));

  CHECK(simulate(shift(false, "half_duplex").with("clock.scheduling", "per_module")).fingerprint ==
        run.fingerprint);
  CHECK(simulate(shift(false, "half_duplex").with("build_order", "reversed")).fingerprint ==
        run.fingerprint);
}

TEST_CASE("half-duplex nodes reject open-loop traffic", "[timed]") {
  const Scenario loaded = Scenario::parse(R"(
scenario: loaded
topology: {kind: mesh, shape: [4, 4]}
node: {ejection: half_duplex}
traffic: {rate: 0.1 flit/node/cycle}
)");

  CHECK_THROWS_AS(simulate(loaded), ConfigError);
}

}  // namespace half_duplex_test
