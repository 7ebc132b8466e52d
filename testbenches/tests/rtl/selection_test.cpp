// testbenches/tests/rtl/selection_test.cpp: Store and Multicaster in Verilog as a SystemC module.
// SPDX-License-Identifier: Apache-2.0
#include <Vselection.h>
#include <cstdlib>
#include <verilated_vcd_sc.h>

#include <systemc>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988_cycles.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/small_network.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace selection_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

constexpr int dimensions = 3;
constexpr int rows = 4;
constexpr int period = 1000;  // ps

/// testbenches/tests/rtl/selection.sv, with a signal at each port.
struct Selection {
  using Address = sc_dt::sc_bv<dimensions>;

  Selection() {
    top.clk(clk);
    top.clear_all(clear_all);
    top.relative(relative);
    top.write_destination(write_destination);
    top.index(index);
    top.write_source(write_source);
    top.run(run);
    top.faults(faults);
    top.rows(contents);
    top.source(source);
    top.lines(lines);
    top.found(found);
    top.highest(highest);
    top.fullest(fullest);
    top.selected(selected);
    top.sublist(sublist);
    top.terminates(terminates);
  }

  Vselection top{"selection"};
  sc_core::sc_signal<bool> clk{"clk"};
  sc_core::sc_signal<bool> clear_all{"clear_all"};
  sc_core::sc_signal<Address> relative{"relative"};
  sc_core::sc_signal<bool> write_destination{"write_destination"};
  sc_core::sc_signal<sc_dt::sc_bv<3>> index{"index"};
  sc_core::sc_signal<bool> write_source{"write_source"};
  sc_core::sc_signal<bool> run{"run"};
  sc_core::sc_signal<Address> faults{"faults"};
  sc_core::sc_signal<sc_dt::sc_bv<rows * dimensions>> contents{"contents"};
  sc_core::sc_signal<Address> source{"source"};
  sc_core::sc_signal<sc_dt::sc_bv<dimensions*(rows + 1)>> lines{"lines"};
  sc_core::sc_signal<sc_dt::sc_bv<rows + 1>> found{"found"};
  sc_core::sc_signal<sc_dt::sc_bv<rows + 1>> highest{"highest"};
  sc_core::sc_signal<Address> fullest{"fullest"};
  sc_core::sc_signal<Address> selected{"selected"};
  sc_core::sc_signal<sc_dt::sc_bv<rows>> sublist{"sublist"};
  sc_core::sc_signal<bool> terminates{"terminates"};
};

/// One period; the clock rises in the middle of it, and inputs change at its beginning.
void tick(Selection& selection) {
  selection.clk = false;
  sc_core::sc_start(period / 2, sc_core::SC_PS);
  selection.clk = true;
  sc_core::sc_start(period / 2, sc_core::SC_PS);
}

constexpr int periods_to_fill = 1 + rows + 1;  ///< Clear, write the rows, write the source.
constexpr unsigned relative_source = 0b101;

void fill(Selection& selection, const std::vector<CubeBits>& destinations) {
  selection.clear_all = true;
  tick(selection);
  selection.clear_all = false;
  selection.write_destination = true;
  for (int i = 0; i < rows; ++i) {
    selection.relative = destinations[static_cast<std::size_t>(i)];
    selection.index = i + 1;
    tick(selection);
  }
  selection.write_destination = false;
  selection.write_source = true;
  selection.relative = relative_source;
  tick(selection);
  selection.write_source = false;
}

/// Sends messages one after another and records every wire.
void record(const std::vector<MessageTrace>& messages, const std::string& path) {
  // [record]
  Selection selection;
  Verilated::traceEverOn(true);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // the wires exist from here on
  VerilatedVcdSc vcd;
  selection.top.trace(&vcd, 99);
  vcd.open(path.c_str());
  // [record]

  for (const MessageTrace& message : messages) {
    selection.faults = message.faults;
    fill(selection, message.cycles.front().rows);
    selection.run = true;
    for (std::size_t cycle = 0; cycle < message.cycles.size(); ++cycle) tick(selection);
    selection.run = false;
  }
  vcd.close();
}

/// The rows of a Store as one number, the first row in the lowest bits.
std::uint64_t packed(const std::vector<CubeBits>& contents) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < contents.size(); ++i) bits |= std::uint64_t{contents[i]} << (3 * i);
  return bits;
}

void require_cycle(const Vcd& vcd, std::int64_t time, const CycleTrace& wanted) {
  const auto number = [&](const std::string& name) {
    return vcd.signal("selection.selection." + name).number(time);
  };
  INFO("at " << time << " ps");
  REQUIRE(number("store.rows") == packed(wanted.rows));
  REQUIRE(number("store.source") == relative_source);
  for (std::size_t j = 0; j < dimensions; ++j)
    REQUIRE(number("multicaster.dimension[" + std::to_string(j) + "].gated.decr.lines") ==
            lines_of(wanted.counts[2 - j]));
  REQUIRE(number("multicaster.maxc.found") == wanted.found);
  REQUIRE(number("multicaster.maxc.highest") == wanted.highest);
  REQUIRE(number("multicaster.clms.fullest") == wanted.fullest);
  REQUIRE(number("multicaster.clms.selected") == wanted.lowest);
  REQUIRE(number("multicaster.adsc.sublist") == sublist_of(wanted));
  REQUIRE(number("terminates") == (wanted.highest == 1 ? 1 : 0));
}

/// Of a port of the verilated module.
template <class Port>
struct Width;
template <int bits>
struct Width<sc_core::sc_out<sc_dt::sc_bv<bits>>&> {
  static constexpr int value = bits;
};

}  // namespace

TEST_CASE("in SystemC the Verilog selects cycle by cycle what the router of Q_3 selects",
          "[rtl][lan_1988][lan_1988-O21][lan_1988-O33]") {
  const test::ScratchFolder folder;
  const char* kept = std::getenv("FLITWAVE_RTL_WAVE");
  const std::string path = kept ? kept : folder.path("selection.vcd");
  REQUIRE(in_child([&] { record(message_traces(), path); }) == "");

  const Vcd vcd = read_vcd(path);
  std::int64_t time = period / 4;  // inputs are set before the edge
  for (const MessageTrace& message : message_traces()) {
    time += periods_to_fill * period;
    for (const CycleTrace& cycle : message.cycles) {
      require_cycle(vcd, time, cycle);
      time += period;
    }
  }
}

TEST_CASE("the wires between the verilated blocks of Q_3 are those of section 6.6",
          "[rtl][lan_1988][lan_1988-O23]") {
  REQUIRE(Width<decltype(Vselection::rows)>::value + Width<decltype(Vselection::source)>::value ==
          5 * 3);                                              // Store
  REQUIRE(Width<decltype(Vselection::lines)>::value == 15);    // three DECR into MAXC
  REQUIRE(Width<decltype(Vselection::highest)>::value == 5);   // MAXC
  REQUIRE(Width<decltype(Vselection::selected)>::value == 3);  // CLMS
  REQUIRE(Width<decltype(Vselection::sublist)>::value == 4);   // ADSC
}

}  // namespace selection_test
