// testbenches/crossval/packets_test.cpp: every packet of an overloaded mesh takes the peer's time.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "testbenches/crossval/peer.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace packets_test {

using namespace flitwave;
using namespace flitwave::crossval;
using namespace flitwave::test;

namespace {

struct Expected {
  Shot shot;
  Cycle latency = 0;
};

/// The packets of a file of packets/, in its order. Each line is "cycle source destination flits
/// latency". A packet of the peer's cycle c is handed over in cycle c + 1, as our cycles count from
/// 1.
std::vector<Expected> read(const std::string& name) {
  // Tests run in the source folder.
  std::ifstream file("testbenches/crossval/packets/" + name + ".txt");
  std::vector<Expected> packets;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    Cycle cycle = 0;
    int source = 0;
    int destination = 0;
    std::int64_t flits = 0;
    Cycle latency = 0;
    REQUIRE((words >> cycle >> source >> destination >> flits >> latency));
    packets.push_back({{cycle + 1, NodeId(source), NodeId(destination), flits}, latency});
  }
  return packets;
}

/// "SOURCE to DESTINATION in CYCLE" -> latency; a node creates at most one packet per cycle.
using Latencies = std::map<std::string, Cycle>;

Latencies expected_of(const std::vector<Expected>& packets, const Topology& topology) {
  Latencies latencies;
  for (const Expected& packet : packets)
    latencies[fmt::format("{} to {} in {}", topology.label(packet.shot.from),
                          topology.label(packet.shot.to), packet.shot.at)] = packet.latency;
  return latencies;
}

Latencies latencies_of(const Table& table) {
  const auto created = column(table, "created");
  const auto ejected = column(table, "ejected");
  const std::size_t source = table.column("source", "packets");
  const std::size_t destination = table.column("destination", "packets");
  Latencies latencies;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    latencies[fmt::format("{} to {} in {:.0f}", table.rows[i][source], table.rows[i][destination],
                          created[i])] = static_cast<Cycle>(ejected[i] - created[i]);
  return latencies;
}

/// Descriptions of the packets whose latencies differ, or that are in one of the two only.
std::vector<std::string> differences(const Latencies& expected, const Latencies& ours) {
  std::vector<std::string> different;
  for (const auto& [packet, latency] : expected) {
    const auto found = ours.find(packet);
    if (found == ours.end())
      different.push_back(packet + " was not created");
    else if (found->second != latency)
      different.push_back(fmt::format("{}: {}, not {} cycles", packet, found->second, latency));
  }
  for (const auto& [packet, latency] : ours)
    if (expected.count(packet) == 0) different.push_back(packet + " is not expected");
  return different;
}

}  // namespace

TEST_CASE("in overload each packet takes the time that the peer's rules give", "[crossval]") {
  const int vcs = GENERATE(1, 2);
  const std::vector<Expected> packets = read(fmt::format("mesh_{}vc", vcs));
  Peer peer;
  peer.vcs = vcs;
  peer.buffer = 4;
  const Scenario job = peer.job().with("topology", "{kind: mesh, shape: [8, 8]}");
  std::vector<Shot> shots;
  for (const Expected& packet : packets) shots.push_back(packet.shot);

  const Results results = shoot(job, shots);

  INFO(vcs << " virtual channels; " << results.message);
  REQUIRE(results.outcome == Outcome::complete);
  const Plan plan =
      Plan::make(Job::read(job.with("traffic", "{rate: 0 flit/node/cycle}"), standard_catalog()));
  const Latencies expected = expected_of(packets, *plan.topology);
  REQUIRE(packets.size() > 500);
  REQUIRE(expected.size() == packets.size());
  const std::vector<std::string> different =
      differences(expected, latencies_of(results.table("packets")));
  INFO("first: " << (different.empty() ? "none" : different.front()));
  CHECK(different.size() == 0);
}

}  // namespace packets_test
