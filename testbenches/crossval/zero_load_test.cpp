// testbenches/crossval/zero_load_test.cpp: a packet alone in the network takes the peer's time.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "testbenches/crossval/peer.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace zero_load_test {

using namespace flitwave;
using namespace flitwave::crossval;
using namespace flitwave::test;

namespace {

const char* const mesh = "{kind: mesh, shape: [8, 8]}";
const char* const torus = "{kind: torus, shape: [8, 8]}";
const char* const cube = "{kind: hypercube, dimensions: 6}";

Peer with(int vcs, int buffer) {
  Peer peer;
  peer.vcs = vcs;
  peer.buffer = buffer;
  return peer;
}

/// Sends a packet between every pair, including each node and itself, one after the other.
/// Returns: the number of pairs whose packet took another time than the peer's.
int pairs_that_differ(const Peer& peer, const std::string& topology, std::int64_t flits) {
  const Scenario job = peer.job().with("topology", topology);
  const Plan plan =
      Plan::make(Job::read(job.with("traffic", "{rate: 0 flit/node/cycle}"), standard_catalog()));
  const Grid& grid = *plan.topology->grid();
  std::vector<Shot> shots;
  Cycle at = 1;
  for (int from = 0; from < grid.nodes(); ++from)
    for (int to = 0; to < grid.nodes(); ++to) {
      shots.push_back({at, NodeId(from), NodeId(to), flits});
      at += peer.zero_load(grid.distance(NodeId(from), NodeId(to)) + 1, flits) + 20;
    }

  const Results results = shoot(job, shots);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  const auto created = column(results.table("packets"), "created");
  const auto ejected = column(results.table("packets"), "ejected");
  REQUIRE(created.size() == shots.size());
  int different = 0;
  for (std::size_t i = 0; i < shots.size(); ++i) {
    const int routers = grid.distance(shots[i].from, shots[i].to) + 1;
    const auto took = static_cast<Cycle>(ejected[i] - created[i]);
    different += took == peer.zero_load(routers, flits) ? 0 : 1;
  }
  return different;
}

}  // namespace

TEST_CASE("the formula of the peer gives its printed latency", "[crossval]") {
  // 8x8, one flit: 32.593 at H = 6.1176 with a routing stage, 20.353 there with speculation.
  Peer staged;
  staged.routing_delay = 1;
  staged.credit_delay = 0;
  Peer fast;
  fast.speculative = true;
  REQUIRE(staged.zero_load(6, 1) == 5 * 6 + 2);
  REQUIRE(staged.zero_load(6, 4) - staged.zero_load(6, 1) == 3 + 0);
  REQUIRE(fast.zero_load(6, 1) == 3 * 6 + 2);
  REQUIRE(with(1, 4).zero_load(6, 8) - with(1, 8).zero_load(6, 8) == 2);
}

TEST_CASE("a packet alone in the network takes the peer's time between every pair", "[crossval]") {
  const auto topology = GENERATE(as<std::string>{}, mesh, torus, cube);
  const auto flits = GENERATE(as<std::int64_t>{}, 1, 4);
  const auto vcs = GENERATE(2, 4);

  INFO(topology << " " << flits << " flits");
  REQUIRE(pairs_that_differ(with(vcs, 8), topology, flits) == 0);
}

TEST_CASE("a buffer below the credit round trip of six cycles costs the same time as in the peer",
          "[crossval]") {
  const auto [flits, buffer, more] = GENERATE(
      table<std::int64_t, int, Cycle>({{8, 4, 2}, {16, 4, 6}, {8, 2, 12}, {16, 7, 0}, {16, 8, 0}}));
  const Peer peer = with(1, buffer);
  REQUIRE(peer.zero_load(5, flits) - with(1, 64).zero_load(5, flits) == more);

  INFO(flits << " flits, buffers of " << buffer);
  REQUIRE(pairs_that_differ(peer, mesh, flits) == 0);
}

TEST_CASE("delays and speculation change a packet's time as in the peer", "[crossval]") {
  Peer peer = with(2, 16);
  SECTION("a routing stage") { peer.routing_delay = 1; }
  SECTION("speculation") { peer.speculative = true; }
  SECTION("both") {
    peer.routing_delay = 2;
    peer.speculative = true;
  }
  SECTION("longer stages") {
    peer.routing_delay = 3;
    peer.vc_alloc_delay = 2;
    peer.st_delay = 2;
  }
  SECTION("a longer switch allocation under speculation") {
    peer.speculative = true;
    peer.sw_alloc_delay = 3;
  }
  SECTION("longer channels") { peer.link = 2; }
  SECTION("no credit delay") { peer.credit_delay = 0; }
  SECTION("another allocator") { peer.allocator = "islip"; }
  const std::int64_t flits = peer.sw_alloc_delay > 1 ? 1 : 5;

  REQUIRE(pairs_that_differ(peer, "{kind: torus, shape: [4, 3]}", flits) == 0);
}

}  // namespace zero_load_test
