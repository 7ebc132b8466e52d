// testbenches/tests/rtl/relay/message_unit_test.cpp: the message handling unit in Verilog equals
// that in SystemC in every cycle.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/random.hpp"
#include "routers/relay/mhu/mhu.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/rtl/relay/verilog_models.hpp"
#include "testbenches/tests/timed/small_network.hpp"

namespace message_unit_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// The parameters of a unit, with the dimension of its link: n for that of the processor.
struct UnitCase {
  explicit UnitCase(const VerilogUnitModel& model, Random& random) : parameters(model.parameters) {
    parameters.local_answer_cycles = parameters.answer_cycles;  // T_hs, as of a latency of 1
    params = parameters.blocks();
    const auto n = static_cast<std::uint64_t>(params.dimensions);
    port = parameters.local ? params.dimensions : static_cast<int>(random.below(n));
    address = static_cast<CubeBits>(random.below(std::uint64_t{1} << n));
    if (parameters.fault_tolerant && random.below(2) == 0)
      faults = bit(static_cast<int>(random.below(n))) & ~incoming();
  }

  /// The dimension along which no message may return.
  CubeBits incoming() const { return parameters.local ? 0 : bit(port); }

  VerilogParameters parameters;
  BlockParams params;
  int port = 0;
  CubeBits address = 0;
  CubeBits faults = 0;
};

/// The fields of a message that a router may send to this unit.
std::vector<CubeBits> draw_message(const UnitCase& unit, Random& random) {
  const Cube cube(unit.params.dimensions);
  // A greedy multicast does not list nodes behind the link by which it comes.
  CubeNodes nodes;
  for (CubeAddress node = 0; node <= cube.all(); ++node)
    if (((node ^ unit.address) & unit.incoming()) == 0) nodes.push_back(node);
  for (std::size_t i = nodes.size(); i > 1; --i) std::swap(nodes[i - 1], nodes[random.below(i)]);
  const std::uint64_t most = unit.params.broadcaster
                                 ? nodes.size()
                                 : std::min<std::uint64_t>(nodes.size(), unit.parameters.rows);
  nodes.resize(std::min<std::uint64_t>(1 + random.below(most), cube.all() - 1));
  const bool everybody = unit.params.broadcaster && random.below(4) == 0;
  // The highest dimension of a broadcast that has been crossed is that of the link.
  CubeBits source = unit.address;
  if (!unit.parameters.local)
    source ^= unit.incoming() | static_cast<CubeBits>(random.below(unit.incoming()));
  std::vector<CubeBits> fields{everybody ? cube.all() : static_cast<CubeBits>(nodes.size())};
  if (!everybody) fields.insert(fields.end(), nodes.begin(), nodes.end());
  fields.push_back(unit.params.fault_tolerant
                       ? static_cast<CubeBits>(random.below(cube.all() + 1)) & ~unit.incoming()
                       : source);
  const std::uint64_t least = unit.params.fault_tolerant ? 1 : 0;
  for (std::uint64_t data = least + random.below(20); data > 0; --data)
    fields.push_back(static_cast<CubeBits>(random.below(cube.all() + 1)));
  return fields;
}

/// Sends messages to a unit by the handshake of links, with random pauses before them.
class Sender {
 public:
  Sender(const UnitCase& unit, Random& random) : unit_(unit), random_(random) {}

  /// Of the next cycle. `ack`: in this one.
  void drive(UnitPins& pins, bool ack) {
    if (beats_ > 0 && ++beats_ <= unit_.params.field) {
      show(pins);
    } else if (next_ > 0 && next_ < fields_.size()) {
      begin_field(pins);
    } else if (next_ > 0) {
      next_ = 0;
      beats_ = 0;
      fields_.clear();
      pins.valid = pins.eom = false;
      ++messages;
    } else if (pins.rts && ack) {
      pins.rts = false;
      fields_ = draw_message(unit_, random_);
      begin_field(pins);
    } else {
      pins.rts = pins.rts || random_.below(5) == 0;
    }
  }

  int messages = 0;

 private:
  void begin_field(UnitPins& pins) {
    pins.flit = fields_[next_++];
    beats_ = 1;
    show(pins);
  }
  void show(UnitPins& pins) {
    pins.valid = beats_ == unit_.params.field;
    pins.eom = pins.valid && next_ == fields_.size();
  }

  const UnitCase& unit_;
  Random& random_;
  std::vector<CubeBits> fields_;
  std::size_t next_ = 0;
  int beats_ = 0;
};

/// Acts as an output gateway that is busy at times, and as the neighbour behind it.
class Receiver {
 public:
  void drive(UnitPins& pins, std::size_t b, Random& random) {
    pins.go[b] = false;
    if (phase_ == Phase::free) {
      pins.grant[b] = pins.request[b] && random.below(3) == 0;
    } else {
      pins.grant[b] = true;
      pins.go[b] = phase_ == Phase::request && random.below(4) == 0;
    }
  }
  void edge(const UnitPins& pins, std::size_t b) {
    if (phase_ == Phase::free && pins.grant[b])
      phase_ = Phase::request;
    else if (phase_ == Phase::request && pins.go[b])
      phase_ = Phase::stream;
    else if (phase_ == Phase::stream && pins.out_valid[b] && pins.out_eom[b])
      phase_ = Phase::free;
  }

 private:
  enum class Phase { free, request, stream };
  Phase phase_ = Phase::free;
};

std::string text_of(const UnitPins& pins) {
  return fmt::format(
      "ack {} request {} flit {} valid {} eom {} state {} level {} select {} along {} copy {} to "
      "{} "
      "control {} store {} source {}",
      pins.ack, fmt::join(pins.request, ""), fmt::join(pins.out_flit, " "),
      fmt::join(pins.out_valid, ""), fmt::join(pins.out_eom, ""), pins.state, pins.level,
      pins.select, pins.dimension, pins.copy, fmt::join(pins.addresses, " "), pins.control,
      fmt::join(pins.rows, " "), pins.source);
}

/// The unit in SystemC.
class SystemCUnit {
 public:
  explicit SystemCUnit(const UnitCase& unit)
      : address_("address", bus_value(unit.params.dimensions, unit.address)),
        faults_("faults", bus_value(unit.params.dimensions, unit.faults)),
        input_("input", unit.params.dimensions),
        outputs_("output", static_cast<std::size_t>(unit.params.outputs()),
                 [&unit](const char* name, std::size_t) {
                   return new BranchLink(name, unit.params.dimensions);
                 }),
        mhu_("mhu", unit.params, unit.port) {
    mhu_.clk(clk_);
    mhu_.local_addr(address_);
    mhu_.fault_vector(faults_);
    mhu_.received.bind(input_);
    for (std::size_t b = 0; b < outputs_.size(); ++b) mhu_.outputs[b].bind(outputs_[b]);
  }

  void settle(UnitPins& pins) {
    input_.rts.write(pins.rts);
    drive(input_.flit, pins.flit);
    input_.valid.write(pins.valid);
    input_.eom.write(pins.eom);
    for (std::size_t b = 0; b < outputs_.size(); ++b) {
      outputs_[b].gnt.write(pins.grant[b]);
      outputs_[b].go.write(pins.go[b]);
    }
    wait();
    read(pins);
  }

  void edge() {
    clk_.write(true);
    wait();
    clk_.write(false);
    wait();
  }

 private:
  static void wait() { sc_core::sc_start(1, sc_core::SC_NS); }

  void read(UnitPins& pins) {
    pins.ack = input_.ack.read();
    for (std::size_t b = 0; b < outputs_.size(); ++b) {
      pins.request[b] = outputs_[b].req.read();
      pins.out_flit[b] = cube_bits(outputs_[b].flit.read());
      pins.out_valid[b] = outputs_[b].valid.read();
      pins.out_eom[b] = outputs_[b].eom.read();
    }
    pins.state = static_cast<int>(mhu_.state());
    pins.level = mhu_.level();
    pins.select = mhu_.selected() >= 0;
    pins.dimension = pins.select ? bit(mhu_.selected()) : 0;
    pins.addresses = pins.select ? mhu_.selected_nodes() : CubeNodes{};
    pins.copy = inside("sel_copy") != 0;
    pins.control = pins.select ? static_cast<CubeBits>(inside("sel_ctrl")) : 0;
    for (std::size_t i = 0; i < pins.rows.size(); ++i)
      pins.rows[i] = static_cast<CubeBits>(inside("a_" + std::to_string(i), "processing"));
    pins.source = static_cast<CubeBits>(inside("a_s", "processing"));
  }

  /// A wire or bus in the unit, or in one of its modules.
  std::uint64_t inside(const std::string& name, const std::string& module = "") {
    const std::string path = std::string(mhu_.name()) + (module.empty() ? "." : "." + module + ".");
    sc_core::sc_object* const object = sc_core::sc_find_object((path + name).c_str());
    if (const auto* wire = dynamic_cast<const WireSignal*>(object)) return wire->read();
    if (const auto* bus = dynamic_cast<const BusSignal*>(object)) return bus->read().to_uint64();
    throw std::runtime_error("no wire " + path + name);
  }

  WireSignal clk_{"clk"};
  BusSignal address_;
  BusSignal faults_;
  FieldLink input_;
  sc_core::sc_vector<BranchLink> outputs_;
  Mhu mhu_;
};

/// Runs both units on the same inputs. Throws: std::runtime_error on the first difference.
void compare(const VerilogUnitModel& model, std::uint64_t seed, int cycles) {
  Random random(seed, model.name);
  const UnitCase unit(model, random);
  SystemCUnit blocks(unit);
  const std::unique_ptr<VerilogUnit> verilog = model.make();
  verilog->start(unit.address, unit.faults);

  const auto outputs = static_cast<std::size_t>(unit.params.outputs());
  UnitPins pins;
  pins.grant.resize(outputs);
  pins.go.resize(outputs);
  pins.request.resize(outputs);
  pins.out_flit.resize(outputs);
  pins.out_valid.resize(outputs);
  pins.out_eom.resize(outputs);
  pins.rows.resize(static_cast<std::size_t>(unit.params.capacity));
  Sender sender(unit, random);
  std::vector<Receiver> receivers(outputs);
  std::vector<int> states(4);
  for (int cycle = 0; cycle < cycles; ++cycle) {
    // Requests depend on no grant: one more pass would not change them.
    blocks.settle(pins);
    for (std::size_t b = 0; b < outputs; ++b) receivers[b].drive(pins, b, random);
    UnitPins found = pins;
    blocks.settle(pins);
    verilog->settle(found);
    // Wires that nothing reads may have any value.
    for (std::size_t b = 0; b < outputs; ++b)
      if (!pins.out_valid[b]) found.out_flit[b] = pins.out_flit[b];
    if (!unit.params.fault_tolerant) found.control = pins.control;
    if (text_of(found) != text_of(pins))
      throw std::runtime_error(fmt::format("{}, seed {}, cycle {}:\n{}\nfor\n{}", model.name, seed,
                                           cycle, text_of(found), text_of(pins)));
    ++states[static_cast<std::size_t>(pins.state)];
    for (std::size_t b = 0; b < outputs; ++b) receivers[b].edge(pins, b);
    const bool ack = pins.ack;
    blocks.edge();
    verilog->edge();
    sender.drive(pins, ack);
  }
  if (sender.messages < cycles / 200)
    throw std::runtime_error(fmt::format("{} messages only", sender.messages));
  if (*std::min_element(states.begin(), states.end()) == 0)
    throw std::runtime_error("a state was never entered");
}

}  // namespace

TEST_CASE(
    "the message handling unit in Verilog equals that in SystemC in every cycle, for each set of "
    "parameters",
    "[rtl][lan_1988]") {
  REQUIRE(verilog_units().size() >= 6);
  for (const VerilogUnitModel& model : verilog_units())
    for (std::uint64_t seed = 1; seed <= (test::instrumented ? 1 : 5); ++seed)
      REQUIRE(in_child([&] { compare(model, seed, 3000); }) == "");
}

}  // namespace message_unit_test
