// testbenches/tests/paper/tsai_1997/tsai_1997_same_cycle_test.cpp: steps whose messages are all
// injected at once.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/job/plan/plan.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace tsai_1997_same_cycle_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

struct Network {
  std::string topology;
  std::string operation;
  std::string algorithm;
};

/// Cases for which the dissertation states that no step has contention. Roots are random.
const std::vector<Network> free_of_contention{
    {"{kind: mesh, shape: [8, 8]}", "broadcast", "{kind: edn}"},
    {"{kind: mesh, shape: [10, 10]}", "broadcast", "{kind: edn}"},
    {"{kind: mesh, shape: [12, 12]}", "broadcast", "{kind: edn}"},
    {"{kind: mesh, shape: [14, 14]}", "broadcast", "{kind: edn}"},
    {"{kind: mesh, shape: [4, 4, 12]}", "broadcast", "{kind: edn}"},
    {"{kind: mesh, shape: [4, 4, 5]}", "broadcast", "{kind: edn}"},
    {"{kind: torus, shape: [4, 4]}", "broadcast", "{kind: edn}"},
    {"{kind: torus, shape: [8, 8]}", "broadcast", "{kind: edn}"},
    {"{kind: torus, shape: [16, 16]}", "broadcast", "{kind: edn}"},
    {"{kind: torus, shape: [4, 4, 8]}", "broadcast", "{kind: edn}"},
    {"{kind: torus, shape: [8, 8]}", "broadcast", "{kind: u_torus}"},
    {"{kind: mesh, shape: [8, 8]}", "reduce", "{kind: edn}"},
    {"{kind: mesh, shape: [10, 10]}", "reduce", "{kind: edn}"},
    {"{kind: mesh, shape: [8, 8]}", "gather", "{kind: edn}"},
    {"{kind: mesh, shape: [6, 6]}", "gather", "{kind: edn}"},
    {"{kind: mesh, shape: [16, 16]}", "transpose", "{kind: edn_transposition}"},
    {"{kind: mesh, shape: [8, 8]}", "transpose", "{kind: edn_transposition, scatter: aligned}"},
    {"{kind: mesh, shape: [32, 32]}", "transpose", "{kind: edn_transposition, scatter: aligned}"},
    {"{kind: mesh, shape: [8, 8]}", "broadcast", "{kind: recursive_doubling}"},
    {"{kind: mesh, shape: [8, 8]}", "broadcast", "{kind: single_level_dominating}"},
    {"{kind: mesh, shape: [4, 4]}", "broadcast", "{kind: scatter_collect}"},
    {"{kind: mesh, shape: [8, 8]}", "broadcast", "{kind: fibonacci_tree, packets: 1}"},
    {"{kind: mesh, shape: [8, 8]}", "broadcast", "{kind: fibonacci_tree, packets: 3}"},
};

/// The network alone, for packets that a test injects. A mesh has one virtual channel, so that a
/// packet whose channel is in use waits; a torus needs two.
Scenario bare(const Network& network) {
  return Scenario::parse(R"(
scenario: step
channel: {width: 1 B}
router: {kind: wormhole, preset: single_cycle}
node: {ports: 8}
)")
      .with("topology", network.topology)
      .with("channel.vcs", network.topology.find("torus") == std::string::npos ? "1" : "2");
}

/// Plans for the given number of random roots.
std::vector<Plan> plans(const Network& network, int roots) {
  const Scenario base = bare(network)
                            .with("operation.kind", network.operation)
                            .with("operation.message", "32 B")
                            .with("algorithm", network.algorithm);
  const bool rooted = network.operation != "transpose";
  std::vector<Plan> found;
  for (int seed = 1; seed <= (rooted ? roots : 1); ++seed) {
    const Scenario rooted_job =
        rooted ? base.with("operation.root", "random").with("seed", std::to_string(seed)) : base;
    found.push_back(Plan::make(Job::read(rooted_job, standard_catalog())));
  }
  return found;
}

/// The messages of each step, all to be injected in the same cycle. Shape: [steps][transfers]
std::vector<std::vector<Shot>> steps_of(const Plan& plan) {
  std::vector<std::vector<Shot>> steps(static_cast<std::size_t>(plan.schedule->steps()));
  for (const Transfer& transfer : plan.schedule->transfers())
    steps[static_cast<std::size_t>(transfer.step - 1)].push_back(
        {10, transfer.from, transfer.to, 32});
  return steps;
}

std::vector<ChannelId> channels_of(const Plan& plan, NodeId from, NodeId to) {
  return path(*plan.routing, *plan.topology, {from, to});
}

/// A node and its neighbours that have a channel to it.
std::vector<NodeId> around(NodeId node, const Topology& topology) {
  std::vector<NodeId> nodes{node};
  for (int port = 0; port < topology.port_limit(); ++port) {
    const ChannelId in = topology.channel_in(node, PortId(port));
    if (in.valid()) nodes.push_back(topology.channel(in).from);
  }
  return nodes;
}

/// A message over a channel, between nodes near it, that `may_send` allows.
template <class MaySend>
std::optional<Shot> message_over(ChannelId channel, const Plan& plan, MaySend may_send) {
  const ChannelEnds& ends = plan.topology->channel(channel);
  for (NodeId from : around(ends.from, *plan.topology))
    for (NodeId to : around(ends.to, *plan.topology)) {
      if (from == to || !may_send(from, to)) continue;
      const std::vector<ChannelId> taken = channels_of(plan, from, to);
      if (std::find(taken.begin(), taken.end(), channel) != taken.end())
        return Shot{10, from, to, 32};
    }
  return std::nullopt;
}

/// A message over a channel that a message of the step uses, from a node that sends nothing in the
/// step; if no such node has a path over a used channel, from a node that sends to another node.
std::optional<Shot> planted_in(const Plan& plan, const std::vector<Shot>& step) {
  std::set<NodeId> senders;
  std::set<std::pair<NodeId, NodeId>> sent;
  for (const Shot& shot : step) {
    senders.insert(shot.from);
    sent.insert({shot.from, shot.to});
  }
  for (const bool silent : {true, false})
    for (const Shot& shot : step)
      for (ChannelId channel : channels_of(plan, shot.from, shot.to)) {
        const std::optional<Shot> found = message_over(channel, plan, [&](NodeId from, NodeId to) {
          return silent ? senders.count(from) == 0 : sent.count({from, to}) == 0;
        });
        if (found) return found;
      }
  return std::nullopt;
}

/// Cycles for which flits waited for channels between routers. Waits for ejection channels are not
/// counted: heads that arrive at a node in the same cycle choose the same ejection channel, and all
/// but one choose again.
double waited(const Network& network, const std::vector<Shot>& shots) {
  const Results results = shoot(bare(network), shots, 1000, "{kind: contention}");
  REQUIRE(results.outcome == Outcome::complete);
  const std::vector<double> injected = column(results.tables.at("packets"), "injected");
  REQUIRE(injected.size() == shots.size());
  REQUIRE(*std::min_element(injected.begin(), injected.end()) ==
          *std::max_element(injected.begin(), injected.end()));
  return results.value("contention.blocked") + results.value("contention.slowed") -
         results.value("contention.ejection");
}

void require_free_of_contention(const Network& network, int roots) {
  INFO(network.topology << " " << network.operation << " " << network.algorithm);
  for (const Plan& plan : plans(network, roots))
    for (const std::vector<Shot>& step : steps_of(plan)) {
      CHECK(waited(network, step) == 0);
      const std::optional<Shot> conflict = planted_in(plan, step);
      REQUIRE(conflict);
      std::vector<Shot> planted = step;
      planted.push_back(*conflict);
      CHECK(waited(network, planted) > 0);
    }
}

}  // namespace

TEST_CASE(
    "messages of a step that leave in the same cycle do not wait; with an additional message they "
    "do",
    "[paper]") {
  const int number = GENERATE(range(0, static_cast<int>(free_of_contention.size())));
  const Network& network = free_of_contention[index(number)];
  if (instrumented && number > 0) {  // the first network of each algorithm
    const Network& before = free_of_contention[index(number - 1)];
    if (network.operation == before.operation && network.algorithm == before.algorithm) return;
  }
  require_free_of_contention(network, 1);
}

TEST_CASE("messages of a step from other roots do not wait either", "[paper][long]") {
  require_free_of_contention(GENERATE(from_range(free_of_contention)), 5);
}

}  // namespace tsai_1997_same_cycle_test
