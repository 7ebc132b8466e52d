// testbenches/tests/timed/relay/lan_blocks_test.cpp: each block of Lan's router as a module.
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "algorithms/cube_multicast/greedy.hpp"
#include "algorithms/cube_multicast/relay/blocks.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/relay/lan_cube.hpp"
#include "testbenches/tests/timed/small_network.hpp"

namespace lan_blocks_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

void settle() { sc_core::sc_start(1, sc_core::SC_NS); }

/// A clock driven by the test.
struct HandClock {
  WireSignal clk{"clk"};
  void edge() {
    clk.write(true);
    settle();
    clk.write(false);
    settle();
  }
};

std::string say(std::uint64_t found, std::uint64_t expected) {
  return std::to_string(found) + " for " + std::to_string(expected);
}
void equal(const BusSignal& bus, std::uint64_t expected) {
  demand(bus.read() == expected,
         std::string(bus.name()) + ": " + say(bus.read().to_uint64(), expected));
}
void equal(const WireSignal& wire, bool expected) {
  demand(wire.read() == expected, std::string(wire.name()) + ": " + say(wire.read(), expected));
}

/// Input Port, Store and Multicaster, as in the Processing Module.
struct StoreBench : HandClock {
  explicit StoreBench(const BlockParams& params)
      : n(params.dimensions),
        m(params.capacity),
        rel("rel", bus_value(n)),
        d_index("d_index", bus_value(wires_for(static_cast<std::uint64_t>(m)))),
        row_clear("row_clear", bus_value(m)),
        a("a", static_cast<std::size_t>(m), of_width(n)),
        column("column", static_cast<std::size_t>(n), of_width(m)),
        a_s("a_s", bus_value(n)),
        faults("faults", bus_value(n)),
        y("y", bus_value(n)),
        r("r", bus_value(m)),
        y_q("y_q", bus_value(n)),
        r_q("r_q", bus_value(m)),
        store("store", params),
        multicaster("multicaster", params) {
    store.clk(clk);
    store.rel(rel);
    store.we_d(we_d);
    store.d_index(d_index);
    store.we_s(we_s);
    store.row_clear(row_clear);
    store.clear_all(clear_all);
    store.a(a);
    store.column(column);
    store.a_s(a_s);
    multicaster.clk(clk);
    multicaster.a(a);
    multicaster.column(column);
    multicaster.fault_vector(faults);
    multicaster.cycle(cycle);
    multicaster.y(y);
    multicaster.r(r);
    multicaster.row_clear(row_clear);
    multicaster.y_q(y_q);
    multicaster.r_q(r_q);
    multicaster.term(term);
  }

  void fill(const std::vector<CubeBits>& rows) {
    we_d.write(true);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      drive(d_index, i + 1);
      drive(rel, rows[i]);
      edge();
    }
    we_d.write(false);
    settle();
  }
  void routing_cycle() {
    cycle.write(true);
    settle();
    edge();
    cycle.write(false);
    settle();
  }
  std::vector<CubeBits> rows() const {
    std::vector<CubeBits> all;
    for (const BusSignal& row : a) all.push_back(cube_bits(row.read()));
    return all;
  }
  /// A bus inside the Multicaster.
  const BusSignal& inside(const std::string& name) const {
    for (const sc_core::sc_object* object : multicaster.get_child_objects())
      if (name == object->basename()) return dynamic_cast<const BusSignal&>(*object);
    throw std::runtime_error("no bus " + name);
  }

  int n;
  int m;
  BusSignal rel;
  WireSignal we_d{"we_d"};
  BusSignal d_index;
  WireSignal we_s{"we_s"};
  BusSignal row_clear;
  WireSignal clear_all{"clear_all"};
  BusSignals a;
  BusSignals column;
  BusSignal a_s;
  BusSignal faults;
  WireSignal cycle{"cycle"};
  BusSignal y;
  BusSignal r;
  BusSignal y_q;
  BusSignal r_q;
  WireSignal term{"term"};
  Store store;
  Multicaster multicaster;
};

struct TraceLine {
  std::vector<CubeBits> rows;
  std::vector<int> counts;  ///< Of columns 2, 1 and 0; -1: no line.
  Lines s_star;
  Lines s;
  CubeBits y_star;
  CubeBits y;
  Lines r;  ///< Row 1 lowest.
};

void follow(StoreBench& bench, const std::vector<TraceLine>& lines, CubeBits faults) {
  drive(bench.faults, faults);
  bench.fill(lines.front().rows);
  for (const TraceLine& line : lines) {
    demand(bench.rows() == line.rows, "rows of the Store");
    for (std::size_t j = 0; j < 3; ++j) {
      const int count = line.counts[2 - j];
      equal(bench.inside("c_" + std::to_string(j)), count < 0 ? 0 : Lines{1} << count);
    }
    equal(bench.inside("s_star"), line.s_star);
    equal(bench.inside("s"), line.s);
    equal(bench.inside("y_star"), line.y_star);
    equal(bench.y, line.y);
    equal(bench.r, line.r);
    equal(bench.term, line.s == 1);
    const bool selects = line.s != 1;
    const std::uint64_t before = bench.y_q.read().to_uint64();
    bench.routing_cycle();
    equal(bench.y_q, selects ? line.y : before);
    if (selects) equal(bench.r_q, line.r);
  }
}

const std::vector<TraceLine> trace_a{
    {{1, 6, 7, 0}, {2, 2, 2}, 0b00100, 0b00100, 0b111, 0b001, 0b0101},
    {{0, 6, 0, 0}, {1, 1, 0}, 0b00011, 0b00010, 0b110, 0b010, 0b0010},
    {{0, 0, 0, 0}, {0, 0, 0}, 0b00001, 0b00001, 0b111, 0b001, 0b0000}};
const std::vector<TraceLine> trace_b{
    {{3, 5, 6, 7}, {3, 3, 3}, 0b01000, 0b01000, 0b111, 0b001, 0b1011},
    {{0, 0, 6, 0}, {1, 1, 0}, 0b00011, 0b00010, 0b110, 0b010, 0b0100},
    {{0, 0, 0, 0}, {0, 0, 0}, 0b00001, 0b00001, 0b111, 0b001, 0b0000}};
const std::vector<TraceLine> trace_b_faulty{
    {{3, 5, 6, 7}, {3, 3, -1}, 0b01000, 0b01000, 0b110, 0b010, 0b1101},
    {{0, 5, 0, 0}, {1, 0, -1}, 0b00011, 0b00010, 0b100, 0b100, 0b0010}};

BlockParams small(bool fault_tolerant) {
  BlockParams params;
  params.fault_tolerant = fault_tolerant;
  return params;
}

/// Compares the selections of the modules for the contents of a Store with those of the algorithm.
void select_all(StoreBench& bench, const std::vector<CubeBits>& rows, CubeBits faults) {
  drive(bench.faults, faults);
  bench.fill(rows);
  for (const GreedySelection& selection :
       greedy_decision(Cube(bench.n), 0, rows, TieRule::lowest(), faults).selections) {
    equal(bench.term, false);
    CubeNodes selected;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if ((bench.r.read().to_uint64() >> i & 1) != 0) selected.push_back(rows[i]);
    equal(bench.y, bit(selection.dimension));
    demand(selected == selection.destinations, "selected rows");
    bench.routing_cycle();
    equal(bench.y_q, bit(selection.dimension));
  }
  equal(bench.term, true);
}

void all_stores(CubeBits faults, bool fault_tolerant) {
  StoreBench bench(small(fault_tolerant));
  for (std::uint32_t contents = 0; contents < 4096; ++contents) {
    std::vector<CubeBits> rows;
    for (int row = 0; row < 4; ++row) rows.push_back(contents >> (3 * row) & 7);
    select_all(bench, rows, faults);
  }
}

}  // namespace

TEST_CASE("the modules of the Multicaster drive the lines of section 6.6, cycle by cycle",
          "[timed][paper][lan_1988][lan_1988-O21]") {
  const bool fault_tolerant = GENERATE(false, true);
  const std::string problem = in_child([&] {
    StoreBench bench(small(fault_tolerant));
    follow(bench, trace_a, 0);
    follow(bench, trace_b, 0);
  });
  REQUIRE(problem == "");
}

TEST_CASE("the column of a faulty dimension drives no line",
          "[timed][paper][lan_1988][lan_1988-O21][lan_1988-O33]") {
  REQUIRE(in_child([] {
            StoreBench bench(small(true));
            follow(bench, trace_b_faulty, 0b001);
          }) == "");
}

TEST_CASE("the modules select as the algorithm does, for all 4096 contents of a Store",
          "[timed][paper][lan_1988][lan_1988-O21][lan_1988-O33]") {
  const auto [faults, fault_tolerant] = GENERATE(
      table<CubeBits, bool>({{0u, false}, {0u, true}, {1u, true}, {2u, true}, {4u, true}}));
  REQUIRE(in_child([faults = faults, fault_tolerant = fault_tolerant] {
            all_stores(faults, fault_tolerant);
          }) == "");
}

TEST_CASE("the modules select as the algorithm does for random cubes and Stores",
          "[timed][paper][lan_1988][lan_1988-O21]") {
  const int n = GENERATE(2, 4, 5, 6);
  const int m = GENERATE(1, 6, 10);
  REQUIRE(in_child([n, m] {
            BlockParams params;
            params.dimensions = n;
            params.capacity = m;
            StoreBench bench(params);
            Random random(static_cast<std::uint64_t>(n), "lan_1988");
            for (int trial = 0; trial < 100; ++trial) {
              std::vector<CubeBits> rows;
              for (int row = 0; row < m; ++row)
                rows.push_back(
                    static_cast<CubeBits>(random.below(std::uint64_t{1} << params.dimensions)));
              select_all(bench, rows, 0);
            }
          }) == "");
}

TEST_CASE("wires are as many as section 6.6 has them", "[timed][paper][lan_1988][lan_1988-O23]") {
  REQUIRE(in_child([] {
            StoreBench bench(small(false));
            demand(bench.a.size() == 4 && bench.a[0].read().length() == 3, "reference array");
            demand(bench.a_s.read().length() == 3, "relative source");
            for (int j = 0; j < 3; ++j)
              demand(bench.inside("c_" + std::to_string(j)).read().length() == 5, "DECR");
            demand(bench.inside("s").read().length() == 5, "MAXC");
            demand(bench.y.read().length() == 3, "CLMS");
            demand(bench.r.read().length() == 4, "ADSC");
            LanRouter router("router", small(false));
            demand(router.in_ch.size() == 4 && router.out_ch.size() == 4, "gateways");
          }) == "");
}

TEST_CASE("a row of the Store is written, cleared alone, and cleared with all others", "[timed]") {
  REQUIRE(in_child([] {
            StoreBench bench(small(false));
            bench.fill({5, 0, 6, 0});
            bench.we_s.write(true);
            drive(bench.rel, 3);
            bench.edge();
            bench.we_s.write(false);
            equal(bench.a_s, 3);
            equal(bench.column[0], 0b0001);
            equal(bench.column[1], 0b0100);
            equal(bench.column[2], 0b0101);
            bench.routing_cycle();
            demand(bench.rows() == std::vector<CubeBits>(4, 0), "rows of dimension 2");
            bench.clear_all.write(true);
            bench.edge();
            equal(bench.a_s, 0);
          }) == "");
  const std::string problem = in_child([] {
    StoreBench bench(small(true));
    drive(bench.faults, 0b010);
    bench.fill({2, 0, 0, 0});
    equal(bench.term, true);
    bench.clear_all.write(true);
    bench.edge();
  });
  REQUIRE_THAT(problem, Catch::Contains("undeliverable: the destination in row 1"));
}

TEST_CASE("addresses become relative, control vectors do not", "[timed][paper][lan_1988]") {
  const auto [fault_tolerant, local, type, last, expected] =
      GENERATE(table<bool, bool, bool, bool, CubeBits>({{false, false, true, false, 0b011},
                                                        {false, true, false, true, 0b011},
                                                        {true, false, true, false, 0b011},
                                                        {true, false, false, true, 0b110},
                                                        {true, true, true, true, 0b110},
                                                        {true, true, false, true, 0b111}}));
  CAPTURE(fault_tolerant, local, type, last);
  REQUIRE(in_child([fault_tolerant = fault_tolerant, local = local, type = type, last = last,
                    expected = expected] {
            AddressInputPort port("port", small(fault_tolerant), local);
            BusSignal fld("fld", bus_value(3, 0b110));
            BusSignal address("address", bus_value(3, 0b101));
            BusSignal rel("rel", bus_value(3));
            WireSignal fld_s{"fld_s", last};
            WireSignal greedy{"type", type};
            port.fld(fld);
            port.fld_s(fld_s);
            port.type(greedy);
            port.local_addr(address);
            port.rel(rel);
            settle();
            equal(rel, expected);
          }) == "");
}

namespace {

struct TypeBench : HandClock {
  explicit TypeBench(const BlockParams& params) : checker("checker", params) {
    checker.clk(clk);
    checker.fld(fld);
    checker.fld_k(fld_k);
    checker.type(type);
    checker.k_reg(k_reg);
    checker.is_bcast(is_bcast);
  }
  void latch(CubeBits k) {
    drive(fld, k);
    fld_k.write(true);
    edge();
    fld_k.write(false);
    drive(fld, 0);
    edge();
    equal(k_reg, k);
  }

  BusSignal fld{"fld", bus_value(3)};
  WireSignal fld_k{"fld_k"};
  WireSignal type{"type"};
  BusSignal k_reg{"k_reg", bus_value(3)};
  WireSignal is_bcast{"is_bcast"};
  TypeChecker checker;
};

}  // namespace

TEST_CASE("messages of up to m destinations are sent to the Multicaster",
          "[timed][paper][lan_1988][lan_1988-O24]") {
  REQUIRE(in_child([] {
            TypeBench bench(small(false));
            for (CubeBits k = 1; k <= 7; ++k) {
              bench.latch(k);
              equal(bench.type, k <= 4);
              equal(bench.is_bcast, k == 7);
            }
          }) == "");
  REQUIRE_THAT(in_child([] { TypeBench(small(false)).latch(0); }),
               Catch::Contains("header.k: a message without destinations"));
}

TEST_CASE("the prototype chip rejects more destinations than its Store has rows",
          "[timed][paper][lan_1988]") {
  REQUIRE(in_child([] {
            TypeBench bench(prototype_chip());
            for (CubeBits k = 1; k <= 4; ++k) {
              bench.latch(k);
              equal(bench.type, true);
            }
          }) == "");
  const CubeBits k = GENERATE(5u, 7u);
  REQUIRE_THAT(in_child([k] { TypeBench(prototype_chip()).latch(k); }),
               Catch::Contains("header.k: " + std::to_string(k) +
                               " destinations, and the router has no broadcaster"));
}

TEST_CASE("a destination at the local node is detected and stored until the next message",
          "[timed][paper][lan_1988]") {
  REQUIRE(in_child([] {
            HandClock clock;
            MatchingChecker checker("checker");
            BusSignal rel("rel", bus_value(3));
            WireSignal fld_d{"fld_d"};
            WireSignal clear{"clear"};
            WireSignal match{"match"};
            checker.clk(clock.clk);
            checker.rel(rel);
            checker.fld_d(fld_d);
            checker.clear(clear);
            checker.match(match);
            clock.edge();
            equal(match, false);  // the field was no destination
            fld_d.write(true);
            for (const CubeBits relative : {3u, 0u, 5u}) {
              drive(rel, relative);
              clock.edge();
              equal(match, relative != 3);
            }
            clear.write(true);
            clock.edge();
            equal(match, false);
          }) == "");
}

TEST_CASE("the Broadcaster's flags are those of BROADCAST.2, taken in ascending order",
          "[timed][paper][lan_1988][lan_1988-O22]") {
  const int n = GENERATE(1, 3, 6);
  REQUIRE(in_child([n] {
            BlockParams params;
            params.dimensions = n;
            HandClock clock;
            Broadcaster block("broadcaster", params);
            FlagSequencer sequencer("sequencer", params);
            BusSignal a_s("a_s", bus_value(n));
            BusSignal g("g", bus_value(n));
            BusSignal next("next", bus_value(n));
            WireSignal cycle{"cycle", true};
            WireSignal clear{"clear"};
            WireSignal left{"left"};
            block.a_s(a_s);
            block.g(g);
            sequencer.clk(clock.clk);
            sequencer.flags(g);
            sequencer.cycle(cycle);
            sequencer.clear(clear);
            sequencer.next(next);
            sequencer.left(left);
            for (CubeBits relative = 0; relative <= Cube(n).all(); ++relative) {
              drive(a_s, relative);
              clear.write(true);
              clock.edge();
              clear.write(false);
              settle();
              for (int j = 0; j < n; ++j) {
                const bool onward = bit(j) > relative;
                demand(has_bit(cube_bits(g.read()), j) == onward, "flag");
                if (!onward) continue;
                equal(left, true);
                equal(next, bit(j));
                clock.edge();
              }
              equal(left, false);
              equal(next, 0);
            }
          }) == "");
}

TEST_CASE("the fault-tolerant Broadcaster drives the control vectors of Fig. 7.10",
          "[timed][paper][lan_1988][lan_1988-O33]") {
  REQUIRE(in_child([] {
            BroadcasterFT block("broadcaster", small(true));
            BusSignal control("control", bus_value(3));
            BusSignal faults("faults", bus_value(3));
            BusSignal send("send", bus_value(3));
            BusSignals onward("onward", 3, of_width(3));
            block.control_i(control);
            block.f(faults);
            block.send(send);
            block.control_o(onward);
            for (CubeBits c = 0; c < 8; ++c)
              for (CubeBits f = 0; f < 8; ++f) {
                drive(control, c);
                drive(faults, f);
                settle();
                equal(send, c & ~f);
                equal(onward[0], c & 0b110);
                equal(onward[1], (c & 0b100) | (c & f & 0b001));
                equal(onward[2], c & f & 0b011);
              }
          }) == "");
}

TEST_CASE("blocks with parameters out of range are rejected", "[timed]") {
  const auto error_of = [](const BlockParams& params) {
    try {
      params.check();
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  BlockParams params;
  REQUIRE(error_of(params) == "");
  REQUIRE(error_of(prototype_chip()) == "");
  params.dimensions = 7;
  REQUIRE(error_of(params) == "dimensions: 7 is out of range; use 1 .. 6");
  params = {};
  params.capacity = 64;
  REQUIRE(error_of(params) == "capacity: 64 is out of range; use 1 .. 63");
  params = {};
  params.selection = {0};
  REQUIRE(error_of(params) == "selection: 0 is out of range; use 1 .. 1048576");
}

}  // namespace lan_blocks_test
