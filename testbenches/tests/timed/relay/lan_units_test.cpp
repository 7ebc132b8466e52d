// testbenches/tests/timed/relay/lan_units_test.cpp: modules around the blocks of Lan's router.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/relay/lan_cube.hpp"
#include "testbenches/tests/timed/small_network.hpp"

namespace lan_units_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

void settle() { sc_core::sc_start(1, sc_core::SC_NS); }

struct HandClock {
  WireSignal clk{"clk"};
  void edge() {
    settle();
    clk.write(true);
    settle();
    clk.write(false);
    settle();
  }
};

void equal(const BusSignal& bus, std::uint64_t expected) {
  demand(bus.read() == expected, std::string(bus.name()) + ": " +
                                     std::to_string(bus.read().to_uint64()) + " for " +
                                     std::to_string(expected));
}
void equal(const WireSignal& wire, bool expected) {
  demand(wire.read() == expected,
         std::string(wire.name()) + (expected ? ": 0 for 1" : ": 1 for 0"));
}

struct InputBench : HandClock {
  explicit InputBench(const BlockParams& params) : input("input", params) {
    input.clk(clk);
    input.flit_i(flit);
    input.valid_i(valid);
    input.eom_i(eom);
    input.state(state);
    input.k_reg(k_reg);
    input.is_bcast(is_bcast);
    input.clear(clear);
    input.fld_k(fld_k);
    input.fld_d(fld_d);
    input.fld_s(fld_s);
    input.fld_data(fld_data);
    input.fld(fld);
    input.d_index(d_index);
    input.hdr_done(hdr_done);
    input.msg_done(msg_done);
    drive(state, static_cast<std::uint64_t>(MhuState::input));
    settle();
  }
  /// Sends a field. Returns: its class and row, as "k", "d1", "s" or "x".
  std::string receive(CubeBits value, bool last = false) {
    drive(flit, value);
    valid.write(true);
    eom.write(last);
    settle();
    equal(fld, value);
    const int strobes = fld_k.read() + fld_d.read() + fld_s.read() + fld_data.read();
    demand(strobes == 1, "one class for each field");
    const std::string row = std::to_string(d_index.read().to_uint64());
    std::string kind = fld_k.read() ? "k" : fld_d.read() ? "d" + row : fld_s.read() ? "s" : "x";
    if (fld_k.read()) {  // as the Type Checker latches it
      drive(k_reg, value);
      is_bcast.write(value == 7);
    }
    edge();
    valid.write(false);
    settle();
    return kind;
  }

  BusSignal flit{"flit", bus_value(3)};
  WireSignal valid{"valid"};
  WireSignal eom{"eom"};
  BusSignal state{"state", bus_value(2)};
  BusSignal k_reg{"k_reg", bus_value(3)};
  WireSignal is_bcast{"is_bcast"};
  WireSignal clear{"clear"};
  WireSignal fld_k{"fld_k"};
  WireSignal fld_d{"fld_d"};
  WireSignal fld_s{"fld_s"};
  WireSignal fld_data{"fld_data"};
  BusSignal fld{"fld", bus_value(3)};
  BusSignal d_index{"d_index", bus_value(3)};
  WireSignal hdr_done{"hdr_done"};
  WireSignal msg_done{"msg_done"};
  InputModule input;
};

}  // namespace

TEST_CASE("fields are classified by their number, and rows end at the Store's last",
          "[timed][paper][lan_1988]") {
  REQUIRE(in_child([] {
            InputBench bench{BlockParams{}};
            const std::vector<std::string> expected{"k", "d1", "d2", "d3", "d4", "d4", "s", "x"};
            std::vector<std::string> found{bench.receive(5)};
            for (CubeBits i = 0; i < 7; ++i) {
              equal(bench.hdr_done, i > 5);
              found.push_back(bench.receive(i, i == 6));
            }
            demand(found == expected, "five destinations");
            equal(bench.msg_done, true);
            bench.clear.write(true);
            bench.edge();
            bench.clear.write(false);
            equal(bench.hdr_done, false);
            equal(bench.msg_done, false);
            demand(bench.receive(7) == "k" && bench.receive(1) == "s" && bench.receive(2) == "x",
                   "no addresses in a message for all");
          }) == "");
}

TEST_CASE("a field without a request is an error", "[timed]") {
  REQUIRE_THAT(in_child([] {
                 InputBench bench{BlockParams{}};
                 drive(bench.state, static_cast<std::uint64_t>(MhuState::wait));
                 bench.receive(1);
               }),
               Catch::Contains("a field arrived that was not requested"));
}

namespace {

struct BufferBench : HandClock {
  BufferBench() : BufferBench(params()) {}
  explicit BufferBench(const BlockParams& params)
      : rd_ptr("rd_ptr", 4, of_width(DataBufferModule::pointer_width(params))),
        level("level", bus_value(DataBufferModule::pointer_width(params))),
        buffer("buffer", params) {
    buffer.clk(clk);
    buffer.wr(wr);
    buffer.din(din);
    buffer.last(last);
    buffer.clear(clear);
    buffer.closed(closed);
    buffer.rd_ptr(rd_ptr);
    buffer.rd_en(rd_en);
    buffer.dout(dout);
    buffer.avail(avail);
    buffer.ends(ends);
    buffer.level(level);
    buffer.empty(empty);
  }
  static BlockParams params() {
    BlockParams small;
    small.data = 3;
    small.broadcaster = false;
    return small;
  }
  void write(CubeBits value, bool ends_message) {
    wr.write(true);
    drive(din, value);
    last.write(ends_message);
    edge();
    wr.write(false);
    settle();
  }

  WireSignal wr{"wr"};
  BusSignal din{"din", bus_value(3)};
  WireSignal last{"last"};
  WireSignal clear{"clear"};
  WireSignal closed{"closed"};
  BusSignals rd_ptr;
  WireSignals rd_en{"rd_en", 4};
  BusSignals dout{"dout", 4, of_width(3)};
  WireSignals avail{"avail", 4};
  WireSignals ends{"ends", 4};
  BusSignal level;
  WireSignal empty{"empty"};
  DataBufferModule buffer;
};

}  // namespace

TEST_CASE("each branch reads the data buffer independently, and the slowest one frees its fields",
          "[timed]") {
  REQUIRE(in_child([] {
            BufferBench bench;
            bench.rd_en[0].write(true);
            bench.rd_en[2].write(true);
            bench.write(5, false);
            bench.write(6, false);
            drive(bench.rd_ptr[0], 1);
            settle();
            equal(bench.dout[0], 6);
            equal(bench.dout[2], 5);
            equal(bench.ends[0], false);
            equal(bench.level, 2);
            bench.write(7, true);
            equal(bench.ends[0], false);
            drive(bench.rd_ptr[0], 2);
            drive(bench.rd_ptr[2], 3);
            settle();
            equal(bench.ends[0], true);
            equal(bench.avail[2], false);
            equal(bench.level, 3);  // a branch that is not open yet would read all of them
            bench.edge();
            bench.closed.write(true);
            settle();
            equal(bench.level, 1);
            bench.rd_en[0].write(false);
            settle();
            equal(bench.level, 0);
            equal(bench.empty, true);
            bench.clear.write(true);
            bench.edge();
            demand(bench.buffer.high_water() == 3, "high-water mark");
          }) == "");
  REQUIRE_THAT(in_child([] {
                 BufferBench bench;
                 for (int i = 0; i < 5; ++i) bench.write(1, false);
               }),
               Catch::Contains("has room for 4 fields"));
}

namespace {

struct GatewayBench : HandClock {
  GatewayBench() {
    gateway.clk(clk);
    gateway.link.bind(link);
    for (std::size_t i = 0; i < 4; ++i) gateway.units[i].bind(units[i]);
  }
  int granted() {
    settle();
    int holder = -1;
    for (int i = 0; i < 4; ++i)
      if (units[static_cast<std::size_t>(i)].gnt.read()) {
        demand(holder < 0, "one grant");
        holder = i;
      }
    return holder;
  }
  /// The granted unit sends a message of one field.
  void serve(std::size_t unit) {
    demand(granted() == static_cast<int>(unit), "unit " + std::to_string(unit) + " is served");
    equal(link.rts, true);
    edge();
    link.ack.write(true);
    settle();
    equal(units[unit].go, true);
    edge();
    equal(link.rts, false);
    units[unit].req.write(false);
    drive(units[unit].flit, unit + 4);
    units[unit].valid.write(true);
    units[unit].eom.write(true);
    settle();
    equal(link.flit, unit + 4);
    equal(link.valid, true);
    equal(link.eom, true);
    edge();
    link.ack.write(false);
    units[unit].valid.write(false);
    units[unit].eom.write(false);
    settle();
    equal(link.valid, false);
  }

  FieldLink link{"link", 3};
  sc_core::sc_vector<BranchLink> units{
      "unit", 4, [](const char* name, std::size_t) { return new BranchLink(name, 3); }};
  OutputGatewayModule gateway{"gateway", BlockParams{}};
};

}  // namespace

TEST_CASE("an output gateway serves units in the order of requests, the lowest of several first",
          "[timed][paper][lan_1988]") {
  REQUIRE(in_child([] {
            GatewayBench bench;
            demand(bench.granted() < 0, "no request");
            bench.units[2].req.write(true);
            demand(bench.granted() == 2, "same cycle");
            bench.edge();
            bench.units[3].req.write(true);
            bench.edge();
            bench.units[0].req.write(true);
            bench.units[1].req.write(true);
            bench.serve(2);
            bench.serve(3);
            bench.serve(0);
            bench.serve(1);
            demand(bench.granted() < 0, "no further request");
          }) == "");
}

namespace {

/// One message unit, whose branches are granted and acknowledged immediately.
struct UnitBench : HandClock {
  explicit UnitBench(const BlockParams& params) : unit("mhu", params, 3) {
    unit.clk(clk);
    unit.local_addr(local_addr);
    unit.fault_vector(faults);
    unit.received.bind(input);
    for (std::size_t b = 0; b < 4; ++b) unit.outputs[b].bind(outputs[b]);
  }
  void edge() {
    settle();
    // Acts as a free gateway and a waiting neighbour.
    for (std::size_t b = 0; b < 4; ++b) {
      outputs[b].gnt.write(outputs[b].req.read());
      outputs[b].go.write(requested_[b]);
      requested_[b] = outputs[b].req.read();
    }
    HandClock::edge();
    for (std::size_t b = 0; b < 4; ++b)
      if (outputs[b].valid.read()) sent[b].push_back(cube_bits(outputs[b].flit.read()));
  }
  void send(const std::vector<CubeBits>& fields) {
    input.rts.write(true);
    for (int i = 0; i < 3 && !input.ack.read(); ++i) edge();
    equal(input.ack, true);
    input.rts.write(false);
    input.valid.write(true);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      drive(input.flit, fields[i]);
      input.eom.write(i + 1 == fields.size());
      edge();
    }
    input.valid.write(false);
    input.eom.write(false);
    equal(input.ack, false);
  }

  BusSignal local_addr{"local_addr", bus_value(3)};
  BusSignal faults{"faults", bus_value(3)};
  FieldLink input{"input", 3};
  sc_core::sc_vector<BranchLink> outputs{
      "output", 4, [](const char* name, std::size_t) { return new BranchLink(name, 3); }};
  Mhu unit;
  std::vector<std::vector<CubeBits>> sent = std::vector<std::vector<CubeBits>>(4);

 private:
  std::vector<bool> requested_ = std::vector<bool>(4);
};

}  // namespace

TEST_CASE("the prototype chip serves four destinations one after the other",
          "[timed][paper][lan_1988][lan_1988-O21]") {
  REQUIRE(in_child([] {
            UnitBench bench(prototype_chip());
            bench.send({3, 1, 6, 7, 0, 4, 5});  // the rows of trace A, from node 0
            for (int i = 0; i < 40; ++i) bench.edge();
            demand(bench.sent[0] == std::vector<CubeBits>{2, 1, 7, 0, 4, 5}, "dimension 0");
            demand(bench.sent[1] == std::vector<CubeBits>{1, 6, 0, 4, 5}, "dimension 1");
            demand(bench.sent[2].empty() && bench.sent[3].empty(), "no other branch");
            bench.send({2, 0, 4, 3, 6});
            for (int i = 0; i < 40; ++i) bench.edge();
            demand(bench.sent[2] == std::vector<CubeBits>{1, 4, 3, 6}, "dimension 2");
            demand(bench.sent[3] == std::vector<CubeBits>{3, 6}, "its own processor");
          }) == "");
}

TEST_CASE("the prototype chip rejects broadcasts: it has no broadcaster",
          "[timed][paper][lan_1988]") {
  REQUIRE_THAT(in_child([] {
                 UnitBench(prototype_chip()).send({5, 1, 2, 3, 4, 5, 0});
               }),
               Catch::Contains("5 destinations, and the router has no broadcaster"));
  REQUIRE_THAT(in_child([] {
                 UnitBench(prototype_chip()).send({7, 0, 1});
               }),
               Catch::Contains("7 destinations, and the router has no broadcaster"));
}

}  // namespace lan_units_test
