// testbenches/tests/timed/run/collectives_test.cpp: operations on a simulated network, with their
// data.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "modules/processor/collective_program.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/small_network.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace collectives_test {

using namespace flitwave;

namespace {

Results run(const std::string& topology, const std::string& operation, const std::string& algorithm,
            const std::string& node = "{send_overhead: 5 cycle, receive_overhead: 3 cycle}") {
  const Scenario scenario = Scenario::parse(fmt::format(R"(
scenario: test
topology: {}
channel: {{width: 1 B, vcs: 2}}
node: {}
operation: {}
algorithm: {}
)",
                                                        topology, node, operation, algorithm));
  return simulate(scenario, standard_catalog());
}

struct Pair {
  std::string operation;
  std::vector<std::string> algorithms;
};

const std::vector<Pair> pairs{
    {"{kind: scatter, root: 3, message: 5 B}", {"separate", "recursive_doubling"}},
    {"{kind: gather, root: 3, message: 5 B}", {"separate", "recursive_doubling"}},
    {"{kind: reduce, root: 3, message: 5 B}", {"separate", "recursive_doubling"}},
    {"{kind: all_gather, message: 5 B}",
     {"separate", "recursive_doubling", "ring", "exchange", "shifts", "pairwise"}},
    {"{kind: all_reduce, message: 40 B}", {"recursive_doubling", "ring", "exchange", "shifts"}},
    {"{kind: barrier}", {"recursive_doubling", "ring", "exchange", "shifts"}},
    {"{kind: reduce_scatter, message: 5 B}",
     {"separate", "recursive_doubling", "ring", "exchange"}},
    {"{kind: scan, message: 5 B}", {"ring", "exchange", "shifts"}},
    {"{kind: complete_exchange, message: 5 B}",
     {"separate", "exchange", "shifts", "pairwise", "dimension_wise"}},
    {"{kind: broadcast, root: 3, message: 40 B}", {"fibonacci_tree", "recursive_doubling"}}};

/// The cycles of a reduction over a chain of three nodes.
double chain_of_three(const std::string& combine) {
  const Results results =
      run("{kind: mesh, shape: [3, 1]}", "{kind: scan, message: 16 B}", "{kind: ring}",
          "{send_overhead: 5 cycle, receive_overhead: 3 cycle" + combine + "}");
  REQUIRE(results.outcome == Outcome::complete);
  return results.value("collective.max");
}

class NoLog final : public TransferLog {
 public:
  void ready(int, Cycle) override {}
  void delivered(int, Cycle) override {}
  void send_begins(int, const OverheadStart&) override {}
  void receive_begins(int, const OverheadStart&) override {}
  void sent(int, Cycle) override {}
};

}  // namespace

TEST_CASE("fifteen nodes combine by shifts, with each contribution once", "[timed]") {
  const auto operation =
      GENERATE(as<std::string>{}, "{kind: barrier}", "{kind: all_reduce, message: 40 B}");
  const Results results =
      run("{kind: mesh, shape: [5, 3]}", operation, "{kind: shifts}",
          "{send_overhead: 5 cycle, receive_overhead: 3 cycle, combine_overhead: 1 ns}");

  CHECK(results.outcome == Outcome::complete);
  CHECK(results.value("packets") == 4 * 15);
}

TEST_CASE("every operation ends with the correct data at every node, under every algorithm",
          "[timed][collectives]") {
  for (const std::string topology : {"{kind: mesh, shape: [4, 2]}", "{kind: torus, shape: [4, 2]}",
                                     "{kind: hypercube, dimensions: 3}"})
    for (const Pair& pair : pairs)
      for (const std::string& algorithm : pair.algorithms) {
        const Results results = run(topology, pair.operation, "{kind: " + algorithm + "}");
        INFO(topology << " " << pair.operation << " " << algorithm << " " << results.message);
        CHECK(results.outcome == Outcome::complete);
      }
}

TEST_CASE("multicasts by trees of a cube complete in every cube, with one port and with all ports",
          "[timed][collectives][lan_1988]") {
  for (const std::string algorithm :
       {"greedy_multicast", "spare_global_send", "optimal_multicast", "cube_broadcast", "separate"})
    for (const std::string ports : {"one", "all"})
      for (const std::string operation :
           {"{kind: multicast, source: 6, destinations: [7, 20, 29, 18, 1, 0], message: 40 B}",
            "{kind: broadcast, root: 5, message: 40 B}", "{kind: all_gather, message: 5 B}"}) {
        const Results results =
            run("{kind: hypercube, dimensions: 5}", operation, "{kind: " + algorithm + "}",
                "{ports: " + ports + ", send_overhead: 5 cycle, receive_overhead: 3 cycle}");
        INFO(operation << " " << algorithm << " " << ports << " " << results.message);
        CHECK(results.outcome == Outcome::complete);
      }
}

TEST_CASE("a greedy tree takes the time of one message per hop to a destination",
          "[timed][collectives][lan_1988]") {
  const auto greatest = [](const std::string& destinations) {
    return run("{kind: hypercube, dimensions: 5}",
               "{kind: multicast, source: 6, destinations: " + destinations + ", message: 40 B}",
               "{kind: greedy_multicast}",
               "{ports: all, overhead: overlapped, send_overhead: 5 cycle, receive_overhead: 3 "
               "cycle}")
        .value("collective.max");
  };

  const double hop = greatest("[7]");
  // 29 is four hops away, and on its route no message is sent before it.
  CHECK(greatest("[29]") == 4 * hop);
}

TEST_CASE("a matrix is transposed with both payloads, and the constant one is faster",
          "[timed][collectives]") {
  const auto cycles = [](const std::string& payload) {
    const Results results =
        run("{kind: mesh, shape: [16, 16]}", "{kind: transpose, message: 64 B}",
            "{kind: edn_transposition, payload: " + payload + "}", "{ports: all}");
    REQUIRE(results.outcome == Outcome::complete);
    return results.value("collective.max");
  };

  CHECK(cycles("constant") < cycles("aggregate"));
}

TEST_CASE("combining takes its time per byte, in whole cycles", "[timed][collectives]") {
  const double without = chain_of_three("");

  CHECK(chain_of_three(", combine_overhead: 2 cycle") == without + 2 * 2 * 16);
  // 16 bytes of 0.33 ns are 5.28 ns: five cycles of 1 ns.
  CHECK(chain_of_three(", combine_overhead: 330 ps") == without + 2 * 5);
}

TEST_CASE("data that are corrupted in transit are detected", "[timed][collectives]") {
  const bool corrupted = GENERATE(false, true);

  const std::string fault = in_child([corrupted] {
    SmallNetwork network({});
    const Topology mesh = testing::mesh({3, 3});
    Schedule schedule({"reduce", {{all_nodes(mesh), {NodeId(0)}, Bytes{8}}}});
    Payloads payloads;
    for (int node = 1; node < mesh.nodes(); ++node) {
      schedule.send(Pieces{0}, NodeId(node), NodeId(0), 1, Use::combine);
      payloads.push_back({contribution(0, NodeId(node))});
    }
    if (corrupted) payloads[4][0].sum ^= 1;
    const PacketFormat format({}, Bytes{1});
    NoLog log;
    CollectiveProgram root(NodeId(0), 0, schedule, format, payloads, log);
    for (std::size_t i = 0; i < schedule.transfers().size(); ++i) {
      ArrivedMessage message;
      message.tag = i;
      root.received(network.netlist().processor(NodeId(0)), message, 1);
    }
    root.check_results(mesh);
  });

  CHECK((fault.find("contributions to message 0, or with other ones") != std::string::npos) ==
        corrupted);
}

}  // namespace collectives_test
