// testbenches/tests/paper/lan_1988/lan_1988_blocks_test.cpp: the blocks of the router of Lan 1988,
// chapter 6.
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "algorithms/cube_multicast/broadcast.hpp"
#include "algorithms/cube_multicast/relay/blocks.hpp"
#include "algorithms/cube_multicast/relay/relay.hpp"
#include "configs/random.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988_cycles.hpp"

namespace lan_1988_blocks_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// Row by row, three bits each.
StoreContents store_of(std::uint32_t contents) {
  StoreContents store;
  for (int row = 0; row < 4; ++row) store.rows.push_back(contents >> (3 * row) & 7);
  return store;
}

/// Cycles until the termination signal.
std::vector<MulticasterCycle> cycles_of(int n, StoreContents store, CubeBits faults = 0) {
  std::vector<MulticasterCycle> cycles;
  do {
    cycles.push_back(multicaster(n, store, faults));
    clear_rows(store, cycles.back().rows);
  } while (!cycles.back().terminates());
  return cycles;
}

/// Whether the cycles select the same as the algorithm at node 0, and then stop.
bool selects_greedily(int n, const StoreContents& store, CubeBits faults = 0) {
  const GreedyDecision decision =
      greedy_decision(Cube(n), 0, store.rows, TieRule::lowest(), faults);
  const std::vector<MulticasterCycle> cycles = cycles_of(n, store, faults);
  if (cycles.size() != decision.selections.size() + 1) return false;
  for (std::size_t i = 0; i + 1 < cycles.size(); ++i) {
    CubeNodes rows;
    for (std::size_t row = 0; row < store.rows.size(); ++row)
      if ((cycles[i].rows >> row & 1) != 0) rows.push_back(store.rows[row]);
    const GreedySelection& selection = decision.selections[i];
    if (cycles[i].column.lowest != bit(selection.dimension)) return false;
    if (rows != selection.destinations) return false;
  }
  return cycles.back().rows == 0;
}

void require_trace(const MessageTrace& message) {
  StoreContents store{message.cycles.front().rows, 0};
  for (const CycleTrace& trace : message.cycles) {
    REQUIRE(store.rows == trace.rows);
    const MulticasterCycle cycle = multicaster(3, store, message.faults);
    for (std::size_t j = 0; j < 3; ++j) REQUIRE(cycle.counts[j] == lines_of(trace.counts[2 - j]));
    REQUIRE(cycle.maximum.found == trace.found);
    REQUIRE(cycle.maximum.highest == trace.highest);
    REQUIRE(cycle.column.fullest == trace.fullest);
    REQUIRE(cycle.column.lowest == trace.lowest);
    REQUIRE(cycle.rows == sublist_of(trace));
    REQUIRE(cycle.terminates() == (trace.highest == 1));
    clear_rows(store, cycle.rows);
  }
}

}  // namespace

TEST_CASE("the Multicaster of Q_3 for four destinations, cycle by cycle",
          "[paper][lan_1988][lan_1988-O21]") {
  require_trace(message_traces()[0]);
  require_trace(message_traces()[1]);
}

TEST_CASE("with a faulty neighbour along dimension 0 another dimension is selected",
          "[paper][lan_1988][lan_1988-O21][lan_1988-O33]") {
  require_trace(message_traces()[2]);
}

TEST_CASE("the Multicaster selects the same as the algorithm for all 4096 contents of its Store",
          "[paper][lan_1988][lan_1988-O21][lan_1988-O39]") {
  for (std::uint32_t contents = 0; contents < 4096; ++contents) {
    REQUIRE(selects_greedily(3, store_of(contents)));
    REQUIRE(cycles_of(3, store_of(contents)).size() <= 4);  // three selections and the end
  }
}

TEST_CASE("the Multicaster selects the same as the algorithm for random cubes and Stores",
          "[paper][lan_1988][lan_1988-O21]") {
  Random random(3, "lan_1988");
  for (int trial = 0; trial < 3000; ++trial) {
    const int n = 2 + static_cast<int>(random.below(6));
    StoreContents store;
    for (std::uint64_t row = 1 + random.below(10); row > 0; --row)
      store.rows.push_back(static_cast<CubeBits>(random.below(std::uint64_t{1} << n)));
    REQUIRE(selects_greedily(n, store));
  }
}

TEST_CASE("MAXC as printed, with n for m, is wrong for 2765 of the 4096 contents",
          "[paper][lan_1988]") {
  int wrong = 0;
  for (std::uint32_t contents = 0; contents < 4096; ++contents) {
    const Fullest fullest = multicaster(3, store_of(contents)).maximum;
    // Equation of section 6.6.2: no line above 2, and line 2 is s*_2.
    const Lines found = fullest.found & 0b111;
    const Lines printed = found == 0 ? 0 : Lines{1} << highest_bit(static_cast<CubeBits>(found));
    if (printed != fullest.highest) ++wrong;
  }
  REQUIRE(wrong == 2765);
}

TEST_CASE("the example of section 5.3 takes three cycles at node 6, and one more to end",
          "[paper][lan_1988][lan_1988-O39]") {
  StoreContents store;
  for (CubeAddress node : example_destinations()) store.rows.push_back(node ^ example_source);
  const std::vector<MulticasterCycle> cycles = cycles_of(5, store);

  REQUIRE(cycles.size() == 4);
  REQUIRE(cycles[0].column.lowest == 0b00010);
  REQUIRE(cycles[0].rows == 0b110110);  // rows 2, 3, 5 and 6
  REQUIRE(cycles[1].column.lowest == 0b00001);
  REQUIRE(cycles[1].rows == 0b000001);
  REQUIRE(cycles[2].column.lowest == 0b00100);
  REQUIRE(cycles[2].rows == 0b001000);
}

TEST_CASE("the blocks of Q_3 for four destinations have the widths of section 6.6",
          "[paper][lan_1988][lan_1988-O23]") {
  Lines counts = 0;
  Lines highest = 0;
  Lines rows = 0;
  CubeBits column = 0;
  for (std::uint32_t contents = 0; contents < 4096; ++contents) {
    const MulticasterCycle cycle = multicaster(3, store_of(contents));
    REQUIRE(cycle.counts.size() == 3);
    for (Lines count : cycle.counts) {
      REQUIRE(ones(static_cast<CubeBits>(count)) == 1);
      counts |= count;
    }
    REQUIRE(ones(static_cast<CubeBits>(cycle.maximum.highest)) == 1);
    REQUIRE(ones(cycle.column.lowest) == 1);
    highest |= cycle.maximum.highest;
    column |= cycle.column.lowest;
    rows |= cycle.rows;
  }
  REQUIRE(counts == 0b11111);   // DECR: five lines for each of three columns, 15 into MAXC
  REQUIRE(highest == 0b11111);  // MAXC: five
  REQUIRE(column == 0b111);     // CLMS: three
  REQUIRE(rows == 0b1111);      // ADSC: four
}

TEST_CASE("with four rows, messages with up to four destinations are sent to the Multicaster",
          "[paper][lan_1988][lan_1988-O24]") {
  for (CubeBits k = 1; k <= 7; ++k) REQUIRE(type_checker(k, 4) == (k <= 4));
  const RelayRules rules;
  REQUIRE(rules.greedy({4, {1, 2, 3, 4}, 0}));
  REQUIRE_FALSE(rules.greedy({5, {1, 2, 3, 4, 5}, 0}));
  REQUIRE_FALSE(rules.greedy({7, {}, 0}));
  REQUIRE(matching_checker(5 ^ 5));
  REQUIRE_FALSE(matching_checker(5 ^ 4));
}

TEST_CASE("the fault-tolerant Multicaster equals MULTICAST.F1 for all contents and single faults",
          "[paper][lan_1988][lan_1988-O33]") {
  for (CubeBits faults : {0u, 1u, 2u, 4u})
    for (std::uint32_t contents = 0; contents < 4096; ++contents)
      REQUIRE(selects_greedily(3, store_of(contents), faults));
}

TEST_CASE("the fault-tolerant Broadcaster equals BROADCAST.F3", "[paper][lan_1988][lan_1988-O33]") {
  for (int n = 1; n <= 5; ++n)
    for (CubeBits control = 0; control <= Cube(n).all(); ++control)
      for (CubeBits faults = 0; faults <= Cube(n).all(); ++faults) {
        const FaultTolerantBroadcast block = broadcaster_f(n, control, faults);
        CubeBits sent = 0;
        for (const CubeBranch<CubeBits>& branch :
             broadcast_f3(Cube(n), false, control, faults).branches) {
          sent |= bit(branch.dimension);
          REQUIRE(block.control[static_cast<std::size_t>(branch.dimension)] == branch.message);
        }
        REQUIRE(block.send == sent);
      }
}

TEST_CASE("the control vectors of Fig. 7.10 in Q_3", "[paper][lan_1988][lan_1988-O33]") {
  for (CubeBits c = 0; c < 8; ++c)
    for (CubeBits f = 0; f < 8; ++f) {
      const std::vector<CubeBits> control = broadcaster_f(3, c, f).control;
      REQUIRE(control[0] == (c & 0b110));
      REQUIRE(control[1] == ((c & 0b100) | (c & f & 0b001)));
      REQUIRE(control[2] == (c & f & 0b011));
      REQUIRE(broadcaster_f(3, c, f).send == (c & ~f));
    }
}

TEST_CASE("without faults the fault-tolerant router decides as the plain one",
          "[paper][lan_1988]") {
  const Cube cube(4);
  RelayRules plain{5, false, true, TieRule::lowest()};
  RelayRules tolerant = plain;
  tolerant.fault_tolerant = true;
  visit_sets(cube, [&](const CubeNodes& list) {
    const CubeWalk walk = relay_walk(cube, plain, 0, header_for(cube, 0, list));
    REQUIRE(serves(walk, list));
    const CubeHeader header = header_for(cube, 0, list, HeaderFormat::control);
    REQUIRE(links_of(relay_walk(cube, tolerant, 0, header)) == links_of(walk));
    REQUIRE(serves(relay_walk(cube, tolerant, 0, header), list));
    if (list.size() > 5) REQUIRE(walk.traffic() == 15);
  });
}

}  // namespace lan_1988_blocks_test
