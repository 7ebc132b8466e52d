// testbenches/tests/timed/verilated/design_parts_test.cpp: the declaration of a design, its pins,
// and the bits and tags of flits.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/routing.hpp"
#include "configs/error.hpp"
#include "routers/verilated/flit_coder.hpp"
#include "routers/verilated/flit_table.hpp"
#include "routers/verilated/pin_frame.hpp"
#include "routers/verilated/pin_signal.hpp"
#include "testbenches/job/catalog.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/small_network.hpp"
#include "testbenches/tests/timed/verilated/toy_router.hpp"

namespace design_parts_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// The error of a toy router after a change; empty if there is none.
std::string error_of(const std::function<void(RouterDesign&)>& change) {
  ToyParams params;
  params.vcs = 2;
  RouterDesign design = toy_router("toy", params);
  change(design);
  try {
    check_design(design);
    return "";
  } catch (const ModelError& error) {
    return error.what();
  }
}

BitField& field_of(RouterDesign& design, FlitField wanted) {
  for (BitField& field : design.flit.fields)
    if (field.field == wanted) return field;
  throw ModelError("no such field");
}

/// For child processes, whose failed checks no module sees.
void must(bool holds, int line) {
  if (!holds) throw ModelError("the check in line " + std::to_string(line) + " fails");
}

}  // namespace

TEST_CASE("bits of words are read and written across the border of two words", "[timed]") {
  std::array<std::uint64_t, 2> words = {~std::uint64_t{0}, 0};
  set_bits_in(words.data(), 60, 8, 0xa5);
  CHECK(words[0] == 0x5fffffffffffffff);
  CHECK(words[1] == 0xa);
  CHECK(bits_in(words.data(), 60, 8) == 0xa5);
  CHECK(bits_in(words.data(), 0, 64) == words[0]);
  set_bits_in(words.data(), 0, 64, 1);
  CHECK(words[0] == 1);
  CHECK(words[1] == 0xa);

  // 100 bits from bit 3 to bit 17.
  std::array<std::uint64_t, 2> from = {0x123456789abcdef0, 0xfedcba987};
  std::array<std::uint64_t, 2> to = {0, 0};
  copy_bits(from.data(), 3, to.data(), 17, 97);
  for (int bit = 0; bit < 97; ++bit)
    CHECK(bits_in(to.data(), 17 + bit, 1) == bits_in(from.data(), 3 + bit, 1));
  CHECK(bits_in(to.data(), 0, 17) == 0);
  CHECK(bits_in(to.data(), 114, 14) == 0);
}

TEST_CASE("a complete declaration of a design is accepted", "[timed]") {
  CHECK(error_of([](RouterDesign&) {}) == "");
}

TEST_CASE("an incomplete declaration of a design is an error that names the pin or field",
          "[timed]") {
  const std::string start = "toy_router.yaml: design toy: ";
  using D = RouterDesign;
  CHECK(error_of([](D& d) { field_of(d, FlitField::tag).width = 4; }) ==
        start + "flit field tag: 4 bits are too few: 65 flits can be inside, or about to enter");
  CHECK(error_of([](D& d) { field_of(d, FlitField::tail).offset = 9; }) ==
        start + "flit field head: bit 9 belongs to another field, too");
  CHECK(error_of([](D& d) { field_of(d, FlitField::tail).width = 2; }) ==
        start + "flit field tail: it has 1 bits, not 2");
  CHECK(error_of([](D& d) { field_of(d, FlitField::payload).width = 41; }) ==
        start + "flit field payload: bits 40 .. 80 are not in a flit of 80 bits");
  CHECK(error_of([](D& d) { field_of(d, FlitField::vc).field = FlitField::source; }) ==
        start + "flit: several virtual channels need the field vc");
  CHECK(error_of([](D& d) { field_of(d, FlitField::tag).field = FlitField::payload; }) ==
        start + "flit: there is no field tag, by which flits are recognized");
  CHECK(error_of([](D& d) { d.inputs[2].valid.pin = -1; }) ==
        start + "inputs[2] valid: there is no pin for it");
  CHECK(error_of([](D& d) { d.inputs[2].valid.pin = d.outputs[2].valid.pin; }) ==
        start + "inputs[2] valid: pin out_valid is an output");
  CHECK(error_of([](D& d) { d.inputs[2].valid.lsb = 5; }) ==
        start + "inputs[2] valid: bits 5 .. 5 are not in pin in_valid of 5 bits");
  CHECK(error_of([](D& d) { d.inputs[2].valid.lsb = 1; }) ==
        start + "inputs[2] valid: bit 1 of pin in_valid is used twice");
  CHECK(error_of([](D& d) { d.outputs[1].flit.width = 79; }) ==
        start + "outputs[1] flit: pin out_flit: 80 bits, not 79");
  CHECK(error_of([](D& d) { d.outputs[1].credit.vc.pin = -1; }) ==
        start + "outputs[1] credit: the number of the virtual channel is missing");
  CHECK(error_of([](D& d) { d.outputs.pop_back(); }) ==
        start + "ports: 5 inputs and 4 outputs are declared for 5 ports");
  CHECK(error_of([](D& d) { d.evaluated = nullptr, d.signals = nullptr; }) ==
        start + "design: it is built for no adapter");
}

TEST_CASE("tags are handed out in turn, and a flit that has left is remembered", "[timed]") {
  FlitTable table(2, 2, 8, 1);  // four tags, two of them reserved for the ports
  const auto first = table.next(0);
  const Flit flit(NodeId(3), 0, 0, true, true, 0);
  table.reserved(0).flit = flit;
  REQUIRE(table.enter(0, 5));
  CHECK(table.find(first)->inside);
  CHECK(table.find(first)->flit == flit);
  CHECK(table.find(first)->entered == 5);
  CHECK(table.next(0) != first);

  REQUIRE(table.enter(1, 6));
  CHECK(table.inside() == 2);
  CHECK_FALSE(table.enter(1, 7));  // no tag is left for the flit after it

  table.leave(first, 4, 8);
  CHECK(table.inside() == 1);
  CHECK_FALSE(table.find(first)->inside);
  CHECK(table.find(first)->left == 8);
  CHECK(table.find(first)->output == 4);
  REQUIRE(table.enter(1, 9));
  CHECK(table.next(1) == first);
  CHECK(table.find(17) == nullptr);
}

TEST_CASE("there are as many tags as the slots of a large design need", "[timed]") {
  constexpr int slots = 6000;
  FlitTable table(5, 14, slots, 1);
  bool all = true;
  for (int flit = 0; flit < slots; ++flit) all = all && table.enter(flit % 5, flit);
  CHECK(all);
  CHECK(table.inside() == slots);
}

TEST_CASE("a flit's fields are those of its packet, and differences name the field", "[timed]") {
  CHECK(in_child([] {
          const Catalog catalog = standard_catalog();
          const ConfigNode job = ConfigNode::parse("mesh: {kind: mesh, shape: [5, 4]}\n", "job");
          const Topology topology = catalog.topologies.bind(job.at("mesh")).build();
          const auto routing =
              catalog.routings.bind(ConfigNode::scalar("dimension_order")).build(topology);
          ClockDomain domain("domain", Duration{1000}, Scheduling::batched);
          PacketPool packets(topology.nodes());
          Packet packet;
          packet.header.source = NodeId(2);        // [2, 0]
          packet.header.destination = NodeId(13);  // [3, 2]
          packet.length = 2;
          const int slot = packets.add(packet, 0);

          RouterDesign design = toy_router("toy", {});
          RouterSite site{domain,   NodeId(7), 4, {},      {},
                          *routing, packets,   1, nullptr, {}};  // [2, 1]
          site.topology = &topology;
          const FlitCoder coder(design, site);
          must(coder.words() == 2, __LINE__);

          const Flit tail(NodeId(2), slot, 1, false, true, 0);
          FlitCoder::Words bits(2);
          coder.encode(tail, 4, 0x5a, bits.data());
          must(coder.tag(bits.data()) == 0x5a, __LINE__);
          must(coder.vc(bits.data()) == 0, __LINE__);
          must(bits_in(bits.data(), 8, 1) == 1, __LINE__);  // tail
          must(bits_in(bits.data(), 9, 1) == 0, __LINE__);  // head
          must(bits_in(bits.data(), 12, 4) == 0,
               __LINE__);  // route: towards greater coordinates of 0
          must(bits_in(bits.data(), 16, 4) == 3, __LINE__);  // coordinates of the destination
          must(bits_in(bits.data(), 20, 4) == 2, __LINE__);
          must(bits_in(bits.data(), 24, 8) == 2, __LINE__);   // source
          must(bits_in(bits.data(), 32, 8) == 13, __LINE__);  // destination
          must(coder.text(tail) == "packet 0 from 2_0 to 3_2, flit 1 of 2", __LINE__);

          // Another flit of the packet has another payload.
          FlitCoder::Words head(2);
          coder.encode(Flit(NodeId(2), slot, 0, true, false, 0), 4, 0x5a, head.data());
          must(bits_in(head.data(), 40, 40) != bits_in(bits.data(), 40, 40), __LINE__);
          must(bits_in(head.data(), 9, 1) == 1, __LINE__);

          FlitCoder::Words leaving = bits;
          set_bits_in(leaving.data(), 0, 8, 0x11);  // tag, vc and route may differ
          set_bits_in(leaving.data(), 10, 2, 1);
          set_bits_in(leaving.data(), 12, 4, 3);
          must(!coder.difference(bits.data(), leaving.data()), __LINE__);
          set_bits_in(leaving.data(), 20, 4, 1);
          const auto differs = coder.difference(bits.data(), leaving.data());
          must(differs.has_value(), __LINE__);
          must(differs->field == "coordinate[1]", __LINE__);
          must(differs->expected == "2", __LINE__);
          must(differs->found == "1", __LINE__);
          leaving = bits;
          set_bits_in(leaving.data(), 40, 40, 0x12345);
          must(coder.difference(bits.data(), leaving.data())->found == "0x0000012345", __LINE__);
        }) == "");
}

TEST_CASE("pins of all types pass words, and find unknown bits", "[timed]") {
  CHECK(in_child([] {
          PinSignalOf<sc_dt::sc_lv<100>> lv("lv");
          PinSignalOf<sc_dt::sc_bv<33>> bv("bv");
          PinSignalOf<bool> one("one");
          PinSignalOf<sc_dt::sc_uint<7>> number("number");
          PinSignalOf<std::uint32_t> word("word");
          PinSignalOf<sc_dt::sc_logic> logic("logic");
          const std::array<std::uint64_t, 2> value = {0x8123456789abcdef, 0xf00000012};
          std::array<std::uint64_t, 2> read{};
          for (PinSignal* pin : std::vector<PinSignal*>{&lv, &bv, &one, &number, &word, &logic})
            pin->write(value.data());
          sc_core::sc_start(sc_core::SC_ZERO_TIME);

          must(lv.read(read.data()) == -1, __LINE__);
          must(read == value, __LINE__);
          must(bv.read(read.data()) == -1, __LINE__);
          must(read[0] == 0x189abcdef, __LINE__);
          must(one.read(read.data()) == -1, __LINE__);
          must(read[0] == 1, __LINE__);
          must(number.read(read.data()) == -1, __LINE__);
          must(read[0] == 0x6f, __LINE__);
          must(word.read(read.data()) == -1, __LINE__);
          must(read[0] == 0x89abcdef, __LINE__);
          must(logic.read(read.data()) == -1, __LINE__);
          must(read[0] == 1, __LINE__);

          sc_dt::sc_lv<100> unknown(0);
          unknown[70] = sc_dt::SC_LOGIC_Z;
          unknown[90] = sc_dt::SC_LOGIC_X;
          unknown[1] = sc_dt::SC_LOGIC_1;
          lv.signal().write(unknown);
          logic.signal().write(sc_dt::SC_LOGIC_X);
          sc_core::sc_start(sc_core::SC_ZERO_TIME);
          must(lv.read(read.data()) == 70, __LINE__);
          must(read[0] == 2, __LINE__);
          must(read[1] == 0, __LINE__);
          must(lv.digit(70) == 'Z', __LINE__);
          must(lv.digit(90) == 'X', __LINE__);
          must(lv.digit(1) == '1', __LINE__);
          must(logic.read(read.data()) == 0, __LINE__);
          must(logic.digit(0) == 'X', __LINE__);
        }) == "");
}

}  // namespace design_parts_test
