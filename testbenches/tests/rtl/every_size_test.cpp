// testbenches/tests/rtl/every_size_test.cpp: the Verilog blocks compute what the C++ functions
// compute.
// SPDX-License-Identifier: Apache-2.0
#include <Vevery_size.h>

#include "algorithms/cube_multicast/relay/blocks.hpp"
#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"

namespace every_size_test {

using namespace flitwave;

namespace {

constexpr int fewest_dimensions = 2;
constexpr int most_dimensions = 6;
constexpr int most_rows = 10;

/// The ports of testbenches/tests/rtl/every_size.sv.
class Blocks {
 public:
  /// Rows that are not given are empty. `word` is a relative source, Control, k or a destination.
  void drive(const std::vector<CubeBits>& rows, CubeBits faults, CubeBits word = 0) {
    for (std::size_t i = 0; i < most_rows; ++i)
      top_.rows[i] = static_cast<CData>(i < rows.size() ? rows[i] : 0);
    top_.faults = static_cast<CData>(faults);
    top_.word = static_cast<CData>(word);
    top_.eval();
  }

  void require_multicaster(bool fault_tolerant, int n, int m, const MulticasterCycle& wanted) {
    const std::size_t f = fault_tolerant ? 1 : 0;
    const std::size_t c = cube(n);
    const std::size_t r = store(m);
    INFO("n = " << n << ", m = " << m << (fault_tolerant ? ", fault-tolerant" : ""));
    for (std::size_t j = 0; j < wanted.counts.size(); ++j)
      REQUIRE(top_.lines[f][c][r][j] == wanted.counts[j]);
    REQUIRE(top_.found[f][c][r] == wanted.maximum.found);
    REQUIRE(top_.highest[f][c][r] == wanted.maximum.highest);
    REQUIRE(top_.fullest[f][c][r] == wanted.column.fullest);
    REQUIRE(top_.selected[f][c][r] == wanted.column.lowest);
    REQUIRE(top_.sublist[f][c][r] == wanted.rows);
    REQUIRE((top_.terminates[f][c][r] != 0) == wanted.terminates());
  }

  CubeBits send(int n) const { return top_.send[cube(n)]; }
  FaultTolerantBroadcast broadcast_f(int n) const {
    FaultTolerantBroadcast broadcast;
    broadcast.send = top_.send_f[cube(n)];
    for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j)
      broadcast.control.push_back(top_.onward[cube(n)][j]);
    return broadcast;
  }
  bool multicast(int n, int m) const { return top_.multicast[cube(n)][store(m)] != 0; }
  bool at_home(int n) const { return top_.at_home[cube(n)] != 0; }

 private:
  static std::size_t cube(int n) { return static_cast<std::size_t>(n - fewest_dimensions); }
  static std::size_t store(int m) { return static_cast<std::size_t>(m - 1); }

  Vevery_size top_;
};

/// The rows that fit in a smaller Store of a smaller cube.
StoreContents part_of(const std::vector<CubeBits>& rows, int n, int m) {
  StoreContents store;
  for (int i = 0; i < m; ++i)
    store.rows.push_back(rows[static_cast<std::size_t>(i)] & Cube(n).all());
  return store;
}

}  // namespace

TEST_CASE(
    "the Multicaster in Verilog equals that in C++ for all 4096 Stores, with and without faults",
    "[rtl][lan_1988][lan_1988-O21][lan_1988-O33]") {
  Blocks blocks;
  for (std::uint32_t contents = 0; contents < 4096; ++contents) {
    StoreContents store;
    for (int row = 0; row < 4; ++row) store.rows.push_back(contents >> (3 * row) & 7);
    for (CubeBits faults = 0; faults < 8; ++faults) {
      blocks.drive(store.rows, faults);
      blocks.require_multicaster(true, 3, 4, multicaster(3, store, faults));
      // The plain router supports no faults, and its block ignores them.
      blocks.require_multicaster(false, 3, 4, multicaster(3, store));
    }
  }
}

TEST_CASE("the Multicasters agree for random contents of Stores of up to ten rows, in Q_2 to Q_6",
          "[rtl][lan_1988][lan_1988-O21][lan_1988-O33]") {
  Blocks blocks;
  Random random(1, "rtl");
  for (int trial = 0; trial < 600; ++trial) {
    std::vector<CubeBits> rows;
    for (int i = 0; i < most_rows; ++i) {
      auto row = static_cast<CubeBits>(random.below(64));
      if (trial % 3 != 0) row &= static_cast<CubeBits>(random.below(64));  // few bits: ends, ties
      if (trial % 3 == 2) row &= static_cast<CubeBits>(random.below(64));
      rows.push_back(row);
    }
    const auto faults = static_cast<CubeBits>(random.below(64));
    blocks.drive(rows, faults);
    for (int n = fewest_dimensions; n <= most_dimensions; ++n)
      for (int m = 1; m <= most_rows; ++m) {
        const StoreContents store = part_of(rows, n, m);
        blocks.require_multicaster(false, n, m, multicaster(n, store));
        blocks.require_multicaster(true, n, m, multicaster(n, store, faults & Cube(n).all()));
      }
  }
}

TEST_CASE("each DECR counts to the number of its rows", "[rtl][lan_1988][lan_1988-O21]") {
  Blocks blocks;
  for (int m = 1; m <= most_rows; ++m)
    for (std::uint32_t column = 0; column < 1u << m; ++column) {
      StoreContents store;
      for (int i = 0; i < m; ++i) store.rows.push_back((column >> i & 1) != 0 ? 0b10 : 0);
      blocks.drive(store.rows, 0);
      blocks.require_multicaster(false, 2, m, multicaster(2, store));
    }
}

TEST_CASE("the Broadcasters in Verilog equal those in C++ for all inputs in Q_2 to Q_6",
          "[rtl][lan_1988][lan_1988-O22][lan_1988-O33]") {
  Blocks blocks;
  for (CubeBits word = 0; word < 64; ++word)
    for (CubeBits faults = 0; faults < 64; ++faults) {
      blocks.drive({}, faults, word);
      for (int n = fewest_dimensions; n <= most_dimensions; ++n) {
        const CubeBits all = Cube(n).all();
        INFO("n = " << n << ", word " << word << ", faults " << faults);
        REQUIRE(blocks.send(n) == broadcaster(n, word & all));
        const FaultTolerantBroadcast wanted = broadcaster_f(n, word & all, faults & all);
        REQUIRE(blocks.broadcast_f(n).send == wanted.send);
        REQUIRE(blocks.broadcast_f(n).control == wanted.control);
      }
    }
}

TEST_CASE("the Type and Matching Checkers in Verilog equal those in C++",
          "[rtl][lan_1988][lan_1988-O24]") {
  Blocks blocks;
  for (CubeBits word = 0; word < 64; ++word) {
    blocks.drive({}, 0, word);
    for (int n = fewest_dimensions; n <= most_dimensions; ++n) {
      const CubeBits seen = word & Cube(n).all();
      REQUIRE(blocks.at_home(n) == matching_checker(seen));
      for (int m = 1; m <= most_rows; ++m) REQUIRE(blocks.multicast(n, m) == type_checker(seen, m));
    }
  }
}

}  // namespace every_size_test
