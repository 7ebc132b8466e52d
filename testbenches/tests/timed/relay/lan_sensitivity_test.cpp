// testbenches/tests/timed/relay/lan_sensitivity_test.cpp: outputs of the blocks of Lan's router
// respond to each of their inputs without a clock edge.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "configs/random.hpp"
#include "routers/relay/mhu/lan_router.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/relay/lan_cube.hpp"
#include "testbenches/tests/timed/small_network.hpp"

namespace lan_sensitivity_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr int n = 3;
constexpr int m = 4;

/// Data of such a length that every value of a pointer is a field or the number of fields.
BlockParams params(bool fault_tolerant = false) {
  BlockParams params;
  params.dimensions = n;
  params.capacity = m;
  params.data = 23;  // and 8 more fields in the buffer: 31
  params.fault_tolerant = fault_tolerant;
  return params;
}

/// Lets combinational processes settle without advancing the time.
void settle() {
  const sc_core::sc_time before = sc_core::sc_time_stamp();
  do sc_core::sc_start(sc_core::SC_ZERO_TIME);
  while (sc_core::sc_pending_activity_at_current_time());
  demand(sc_core::sc_time_stamp() == before, "time passes");
}

/// A signal of a block that is an input or an output.
class Point {
 public:
  explicit Point(WireSignal& wire) : wire_(&wire) {}
  explicit Point(BusSignal& bus) : bus_(&bus) {}

  int width() const { return wire_ ? 1 : bus_->read().length(); }
  std::uint64_t value() const {
    return wire_ ? static_cast<std::uint64_t>(wire_->read()) : bus_->read().to_uint64();
  }
  void write(std::uint64_t value) {
    if (wire_)
      wire_->write((value & 1) != 0);
    else
      drive(*bus_, value);
  }

 private:
  WireSignal* wire_ = nullptr;
  BusSignal* bus_ = nullptr;
};

/// The width of the bus behind a port, by the port's name without its number.
int width_of(std::string port) {
  while (!port.empty() && port.back() >= '0' && port.back() <= '9') port.pop_back();
  if (!port.empty() && port.back() == '_') port.pop_back();
  if (port == "state") return 2;
  if (port == "phase" || port == "d_index") return 3;
  if (port == "rd_ptr" || port == "level") return DataBufferModule::pointer_width(params());
  if (port == "c" || port == "s" || port == "s_star") return m + 1;
  if (port == "column" || port == "a_col" || port == "r" || port == "r_q" || port == "row_clear")
    return m;
  return n;
}

bool is_link(const sc_core::sc_object& object) {
  return dynamic_cast<const FieldInput*>(&object) || dynamic_cast<const FieldOutput*>(&object) ||
         dynamic_cast<const BranchInput*>(&object) || dynamic_cast<const BranchOutput*>(&object);
}

/// A block, the signals bound to its ports, and its registers. A register that is an output, named
/// in `registers`, is an input of the gates behind it. `gates`: internal signals that gates drive.
class Bench {
 public:
  Bench(const std::string& name, sc_core::sc_module& block, const std::set<std::string>& registers,
        const std::set<std::string>& gates)
      : name_(name), registers_(registers), gates_(gates) {
    const std::size_t prefix = std::string(block.name()).size() + 1;
    bind(block, prefix);
  }

  std::vector<Point> inputs;
  std::vector<Point> outputs;
  std::vector<std::string> names;  ///< Of the inputs, within the block.
  WireSignal clk{sc_core::sc_gen_unique_name("clk")};

  void edge() {
    clk.write(true);
    settle();
    clk.write(false);
    settle();
  }

 private:
  void bind(sc_core::sc_object& module, std::size_t prefix) {
    for (sc_core::sc_object* object : module.get_child_objects()) {
      const std::string local = std::string(object->name()).substr(prefix);
      const bool is_register = registers_.count(local) != 0;
      if (auto* in = dynamic_cast<WireIn*>(object))
        local == "clk" ? (*in)(clk) : (*in)(input(wire(local), local));
      else if (auto* bus_in = dynamic_cast<BusIn*>(object))
        (*bus_in)(input(bus(local), local));
      else if (auto* out = dynamic_cast<WireOut*>(object))
        (*out)(is_register ? input(wire(local), local) : output(wire(local)));
      else if (auto* bus_out = dynamic_cast<BusOut*>(object))
        (*bus_out)(is_register ? input(bus(local), local) : output(bus(local)));
      else if (gates_.count(local) != 0)
        continue;
      else if (auto* kept = dynamic_cast<WireSignal*>(object))
        input(*kept, local);
      else if (auto* kept_bus = dynamic_cast<BusSignal*>(object))
        input(*kept_bus, local);
      else if (is_link(*object))
        bind(*object, prefix);
    }
  }
  template <class Signal>
  Signal& input(Signal& signal, const std::string& local) {
    inputs.emplace_back(signal);
    names.push_back(local);
    return signal;
  }
  template <class Signal>
  Signal& output(Signal& signal) {
    outputs.emplace_back(signal);
    return signal;
  }
  std::string unique(const std::string& local) const {
    std::string name = name_ + "_" + local;
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
  }
  WireSignal& wire(const std::string& local) {
    wires_.push_back(std::make_unique<WireSignal>(unique(local).c_str()));
    return *wires_.back();
  }
  BusSignal& bus(const std::string& local) {
    const std::string port = local.substr(local.rfind('.') + 1);
    buses_.push_back(std::make_unique<BusSignal>(unique(local).c_str(), bus_value(width_of(port))));
    return *buses_.back();
  }

  std::string name_;
  std::set<std::string> registers_;
  std::set<std::string> gates_;
  std::vector<std::unique_ptr<WireSignal>> wires_;
  std::vector<std::unique_ptr<BusSignal>> buses_;
};

/// Changes one bit of one input at a time and compares the outputs with those of a second block.
/// All inputs of the second block change at once, so each of its processes runs, whatever its
/// sensitivity.
class Comparison {
 public:
  Comparison(Bench& block, Bench& other) : block_(block), other_(other) {}

  /// Returns: the inputs that changed an output.
  std::set<std::string> run(int trials) {
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<std::uint64_t> values;
      for (Point& input : block_.inputs)
        values.push_back(random_.below(std::uint64_t{1} << input.width()));
      set(block_, values);
      settle();
      for (std::size_t i = 0; i < values.size(); ++i) toggle(i, values);
    }
    return effective_;
  }

 private:
  static void set(Bench& bench, const std::vector<std::uint64_t>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) bench.inputs[i].write(values[i]);
  }
  static std::vector<std::uint64_t> outputs(const Bench& bench) {
    std::vector<std::uint64_t> values;
    for (const Point& output : bench.outputs) values.push_back(output.value());
    return values;
  }
  void toggle(std::size_t i, std::vector<std::uint64_t>& values) {
    const std::vector<std::uint64_t> before = outputs(block_);
    values[i] ^=
        std::uint64_t{1} << random_.below(static_cast<std::uint64_t>(block_.inputs[i].width()));
    block_.inputs[i].write(values[i]);
    settle();
    std::vector<std::uint64_t> others;
    for (const std::uint64_t value : values) others.push_back(~value);
    set(other_, others);
    settle();
    set(other_, values);
    settle();
    demand(outputs(block_) == outputs(other_), "outputs do not respond to " + block_.names[i]);
    if (outputs(block_) != before) effective_.insert(block_.names[i]);
  }

  Bench& block_;
  Bench& other_;
  Random random_{7, "sensitivity"};
  std::set<std::string> effective_;
};

/// `make`: makes a block with a given name. `clocked`: inputs that are read at the edge only.
/// Returns: the error; empty if there is none.
template <class Make>
std::string response_error(Make make, const std::set<std::string>& clocked = {},
                           const std::set<std::string>& registers = {}, bool fill = false,
                           const std::set<std::string>& gates = {}) {
  return in_child([&] {
    const auto block = make("block");
    const auto other = make("other");
    Bench bench("wires", *block, registers, gates);
    Bench others("others", *other, registers, gates);
    if (fill)
      for (Bench* each : {&bench, &others}) {
        // The memory of a data buffer: one value per field.
        for (std::size_t i = 0; i < each->names.size(); ++i)
          if (each->names[i] == "wr") each->inputs[i].write(1);
        for (std::uint64_t field = 0; field < 31; ++field) {
          for (std::size_t i = 0; i < each->names.size(); ++i)
            if (each->names[i] == "din") each->inputs[i].write(field * 5 % 8);
          each->edge();
        }
      }
    const std::set<std::string> effective = Comparison(bench, others).run(400);
    std::string unused;
    for (const std::string& name : bench.names)
      if (effective.count(name) == 0 && clocked.count(name) == 0) unused += " " + name;
    demand(unused.empty(), "no output responds to" + unused);
    for (const std::string& name : clocked)
      demand(effective.count(name) == 0 &&
                 std::count(bench.names.begin(), bench.names.end(), name) == 1,
             name + " is read without an edge");
  });
}

template <class Block, class... Args>
auto maker(Args... args) {
  return [args...](const char* name) { return std::make_unique<Block>(name, args...); };
}

}  // namespace

TEST_CASE("combinational blocks respond to each input", "[timed][lan_1988]") {
  CHECK(response_error(maker<Decr>()) == "");
  CHECK(response_error(maker<Maxc>(params())) == "");
  CHECK(response_error(maker<Clms>(params())) == "");
  CHECK(response_error(maker<Adsc>(params())) == "");
  CHECK(response_error(maker<Broadcaster>(params())) == "");
  CHECK(response_error(maker<BroadcasterFT>(params(true))) == "");
  CHECK(response_error(maker<AddressInputPort>(params(true), true)) == "");
  CHECK(response_error(maker<InputGatewayModule>()) == "");
  CHECK(response_error(maker<DecrFT>(1)) == "");
}

TEST_CASE("the gates of clocked blocks respond to each input and register", "[timed][lan_1988]") {
  CHECK(response_error(maker<FlagSequencer>(params()), {"cycle", "clear"}) == "");
  CHECK(response_error(maker<Store>(params()),
                       {"rel", "we_d", "d_index", "we_s", "row_clear", "clear_all"},
                       {"a_0", "a_1", "a_2", "a_3"}) == "");
  CHECK(response_error(maker<DataBufferModule>(params()), {"wr", "din", "last", "clear"}, {},
                       true) == "");
  CHECK(response_error(maker<InputModule>(params()), {"eom_i", "state", "clear"}) == "");
  CHECK(response_error(maker<MhuController>(params(), false),
                       {"rts", "valid", "eom", "fld_s", "answer", "headed"}) == "");
  CHECK(response_error(maker<OutputBranch>(params(), false),
                       {"sel_k",      "sel_addr_0",     "sel_addr_1", "sel_addr_2", "sel_addr_3",
                        "sel_ctrl",   "k_reg",          "type",       "is_bcast",   "gnt",
                        "go",         "dout",           "avail",      "ends",       "count",
                        "addresses",  "list_in_buffer", "selected_0", "selected_1", "selected_2",
                        "selected_3", "control",        "sent",       "last",       "beats"},
                       {"phase"}) == "");
}

TEST_CASE("the Multicaster and the Output Module respond to each input", "[timed][lan_1988]") {
  CHECK(response_error(maker<Multicaster>(params()), {"fault_vector"}, {}, false,
                       {"c_0", "c_1", "c_2", "s", "s_star", "y_star"}) == "");
  BlockParams in_turn = params();
  in_turn.selecting = Selecting::sequential;
  in_turn.branching = Branching::serial;
  std::set<std::string> clocked{"sel_k", "sel_ctrl", "k_reg", "type", "is_bcast"};
  std::set<std::string> gates;
  for (const char* const number : {"_0", "_1", "_2", "_3"}) {
    for (const char* const name : {"sel_addr", "dout", "avail", "ends"})
      clocked.insert(std::string(name) + number);
    for (const char* const name : {".gnt", ".go"})
      clocked.insert("outputs" + std::string(number) + name);
    for (const char* const name : {"open", "hold"}) gates.insert(std::string(name) + number);
  }
  CHECK(response_error(maker<OutputModule>(in_turn, 3), clocked, {}, false, gates) == "");
}

TEST_CASE("an output gateway responds to each input under each of its rules", "[timed][lan_1988]") {
  const auto rule = GENERATE(GatewayRule::fcfs, GatewayRule::round_robin, GatewayRule::fixed);
  BlockParams with_rule = params();
  with_rule.arbitration = rule;
  std::set<std::string> clocked;
  if (rule != GatewayRule::round_robin) clocked.insert("last");
  if (rule != GatewayRule::fcfs) clocked.insert({"turn_0", "turn_1", "turn_2", "turn_3"});
  CHECK(response_error(maker<OutputGatewayModule>(with_rule), clocked) == "");
}

}  // namespace lan_sensitivity_test
