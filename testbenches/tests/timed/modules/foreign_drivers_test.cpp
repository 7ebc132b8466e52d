// testbenches/tests/timed/modules/foreign_drivers_test.cpp: modules outside the clock domain drive
// the wires.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "modules/router.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/kernel_trace.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace foreign_drivers_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// How the wires of a foreign router reach their values after a clock edge.
struct Settling {
  /// Number of delta cycles after the edge; 0 drives the wires in the clocked process.
  int deltas = 0;
  /// Whether the wires have wrong values before: inverted valid and ready, flits of others.
  bool toggles = false;
  /// Whether registers have random values until the edge of cycle 0, as before a reset.
  bool starts_random = false;
};

/// The values of all wires of a pin router in one cycle. Shape of each: [ports]
struct Pins {
  explicit Pins(int ports)
      : valid(static_cast<std::size_t>(ports)), back(valid), flit(valid.size()) {}

  std::vector<char> valid;
  std::vector<char> back;  ///< Credit, or ready.
  std::vector<Flit> flit;
};

/// A wormhole router as hardware is described: ports, a clocked process, and outputs that settle
/// some delta cycles after the edge. It has one virtual channel and a buffer per input; the lowest
/// input wins an output and keeps it until its tail has left.
class PinRouter final : public Router {
 public:
  SC_HAS_PROCESS(PinRouter);
  PinRouter(const char* name, const RouterSite& site, Settling settling)
      : Router(name, site, 0, VcReallocation::non_atomic, false),
        settling_(settling),
        pins_(site.ports()),
        opposite_pins_(site.ports()),
        random_(site.seed, "pins", static_cast<std::uint64_t>(site.node.value())),
        inputs_(static_cast<std::size_t>(site.ports())) {
    clk_(site.domain.clk());
    for (int port = 0; port < site.ports(); ++port) bind(port);
    SC_METHOD(on_clock);
    sensitive << clk_.pos();
    dont_initialize();
    if (settling.deltas == 0) return;
    SC_METHOD(settle);
    sensitive << settles_;
  }

  int flits_inside() const override {
    int flits = 0;
    for (const Input& input : inputs_) flits += static_cast<int>(input.flits.size());
    return flits;
  }
  bool at_rest() const override { return flits_inside() == 0; }

 private:
  static constexpr int none = -1;

  struct Input {
    std::unique_ptr<sc_core::sc_in<bool>> valid;
    std::unique_ptr<sc_core::sc_in<Flit>> flit;
    std::unique_ptr<sc_core::sc_out<bool>> back;
    int depth = 0;
    std::deque<Flit> flits;
    int output = none;  // of the packet at the front
  };
  struct Output {
    std::unique_ptr<sc_core::sc_out<bool>> valid;
    std::unique_ptr<sc_core::sc_out<Flit>> flit;
    std::unique_ptr<sc_core::sc_in<bool>> back;
    int credits = 0;
    int holder = none;  // the input whose packet has this output
  };

  void bind(int port) {
    outputs_.emplace_back();
    const auto index = static_cast<std::size_t>(port);
    if (Channel* channel = site().inputs[index]) {
      ChannelEnd& end = channel->downstream();
      Input& input = inputs_[index];
      input.valid = std::make_unique<sc_core::sc_in<bool>>();
      input.flit = std::make_unique<sc_core::sc_in<Flit>>();
      input.back = std::make_unique<sc_core::sc_out<bool>>();
      (*input.valid)(end.forward.wires().valid_wire());
      (*input.flit)(end.forward.wires().payload_wire());
      (*input.back)(end.ready ? end.ready->wire(0) : end.back->wires().valid_wire());
      input.depth = channel->params().depth();
    }
    if (Channel* channel = site().outputs[index]) {
      ChannelEnd& end = channel->upstream();
      Output& output = outputs_.back();
      output.valid = std::make_unique<sc_core::sc_out<bool>>();
      output.flit = std::make_unique<sc_core::sc_out<Flit>>();
      output.back = std::make_unique<sc_core::sc_in<bool>>();
      (*output.valid)(end.forward.wires().valid_wire());
      (*output.flit)(end.forward.wires().payload_wire());
      (*output.back)(end.ready ? end.ready->wire(0) : end.back->wires().valid_wire());
      output.credits = channel->params().depth();
      ready_valid_ = end.ready != nullptr;
    }
  }

  void tick() override {}

  void on_clock() {
    if (is_random()) return drive(random_pins());
    if (settling_.starts_random && site().domain.reset.read()) return drive(pins_started());
    sample();
    for (std::size_t port = 0; port < inputs_.size(); ++port) advance(static_cast<int>(port));
    for (std::size_t port = 0; port < inputs_.size(); ++port)
      if (ready_valid_)
        pins_.back[port] = static_cast<int>(inputs_[port].flits.size()) < inputs_[port].depth;
    deltas_left_ = settling_.deltas;
    if (deltas_left_ == 0) return drive(pins_);
    settles_.notify(sc_core::SC_ZERO_TIME);
  }

  /// Samples the wires as they were before the edge.
  void sample() {
    for (std::size_t port = 0; port < inputs_.size(); ++port) {
      Input& input = inputs_[port];
      if (input.valid && input.valid->read() && (!ready_valid_ || pins_.back[port] != 0))
        input.flits.push_back(input.flit->read());
      Output& output = outputs_[port];
      if (!output.valid) continue;
      if (!ready_valid_) {
        output.credits += output.back->read() ? 1 : 0;
        pins_.valid[port] = 0;
        pins_.back[port] = 0;
      } else if (output.back->read()) {
        pins_.valid[port] = 0;  // the offered flit was taken
      }
    }
  }

  void advance(int port) {
    Input& input = inputs_[static_cast<std::size_t>(port)];
    if (input.flits.empty()) return;
    const Flit front = input.flits.front();
    if (input.output == none) {
      const int requested = route(port, front);
      Output& output = outputs_[static_cast<std::size_t>(requested)];
      if (output.holder != none) return;
      output.holder = port;
      input.output = requested;
    }
    const auto wanted = static_cast<std::size_t>(input.output);
    Output& output = outputs_[wanted];
    if (pins_.valid[wanted] != 0 || (!ready_valid_ && output.credits == 0)) return;
    input.flits.pop_front();
    --output.credits;
    pins_.valid[wanted] = 1;
    pins_.flit[wanted] = front;
    if (!ready_valid_) pins_.back[static_cast<std::size_t>(port)] = 1;
    if (front.tail()) output.holder = input.output = none;
  }

  int route(int port, Flit head) const {
    Route route;
    site().routing.route(node(), {port >= site().network_ports ? PortId() : PortId(port), 0},
                         site().packets.packet(head).header, route);
    const Candidate& first = route.candidates().front();
    return first.local() ? site().network_ports : first.port.value();
  }

  /// Runs once in the first delta cycle of the simulation and after each edge.
  void settle() {
    if (--deltas_left_ > 0) {
      if (settling_.toggles) drive(opposite());
      return settles_.notify(sc_core::SC_ZERO_TIME);
    }
    drive(is_random() ? random_pins() : pins_started());
  }
  /// Before the first edge a receiver is ready, as all buffers are empty.
  const Pins& pins_started() {
    if (ready_valid_ && site().domain.reset.read()) pins_.back.assign(pins_.back.size(), 1);
    return pins_;
  }
  bool is_random() const {
    return settling_.starts_random && picoseconds_now() < site().domain.time_of_edge(0);
  }
  const Pins& random_pins() {
    for (std::size_t port = 0; port < pins_.valid.size(); ++port) {
      opposite_pins_.valid[port] = random_.below(2) == 0;
      opposite_pins_.back[port] = random_.below(2) == 0;
    }
    return opposite_pins_;
  }
  /// A flit that is valid only now is one of another port.
  const Pins& opposite() {
    const std::size_t ports = pins_.valid.size();
    for (std::size_t port = 0; port < ports; ++port) {
      opposite_pins_.valid[port] = pins_.valid[port] == 0;
      opposite_pins_.flit[port] = pins_.valid[port] != 0 ? Flit() : pins_.flit[(port + 1) % ports];
      opposite_pins_.back[port] = pins_.back[port] == 0;
    }
    return opposite_pins_;
  }
  void drive(const Pins& pins) {
    for (std::size_t port = 0; port < inputs_.size(); ++port) {
      if (inputs_[port].back) inputs_[port].back->write(pins.back[port] != 0);
      if (!outputs_[port].valid) continue;
      outputs_[port].valid->write(pins.valid[port] != 0);
      outputs_[port].flit->write(pins.flit[port]);
    }
  }

  Settling settling_;
  bool ready_valid_ = false;
  Pins pins_;
  Pins opposite_pins_;
  Random random_;
  int deltas_left_ = 1;
  std::vector<Input> inputs_;    // Shape: [ports]
  std::vector<Output> outputs_;  // Shape: [ports]
  sc_core::sc_in<bool> clk_;
  sc_core::sc_event settles_;
};

struct NoParams {};

/// The standard catalogue and a kind of router `pins`.
Catalog with_pin_routers(Settling settling) {
  Catalog catalog = standard_catalog();
  catalog.routers.add("pins", {"for tests", ""}, Schema<NoParams>{}, [settling](const NoParams&) {
    RouterModel model;
    model.build = [settling](const char* name, const RouterSite& site) -> std::unique_ptr<Router> {
      return std::make_unique<PinRouter>(name, site, settling);
    };
    return model;
  });
  return catalog;
}

/// Traffic on a 4x3 mesh. `routers`: the section of the job.
Scenario traffic(const std::string& routers, const std::string& handshake) {
  return Scenario::parse(
      "scenario: pins\ntopology: {kind: mesh, shape: [4, 3]}\nrouter: " + routers +
      "\nchannel: {buffer: 3 flit, handshake: " + handshake +
      "}\ntraffic: {packet: 3 flit, rate: 0.15 flit/node/cycle, warmup: 50 cycle, "
      "measure: 600 cycle}\n"
      "observe: [{kind: latency, packets: true}, {kind: channel_load}, {kind: flit_log}]\n");
}

constexpr const char* every_router = "{kind: pins}";
constexpr const char* some_routers =
    "{kind: wormhole, at: [{nodes: [[0, 0], [1, 1], [2, 1], [3, 2]], kind: pins}]}";

Vcd wave_of(const Scenario& job, const Catalog& catalog, const std::string& scheduling) {
  const test::ScratchFolder folder;
  SimulateOptions options;
  options.wave_path = folder.path("wave.vcd");
  const Results results =
      simulate(job.with("clock.scheduling", scheduling).with("wave", "{}"), catalog, options);
  REQUIRE(results.outcome == Outcome::complete);
  return read_vcd(options.wave_path);
}

}  // namespace

TEST_CASE(
    "wires of foreign modules are reported in the cycle in which they are driven, under all "
    "schedulings",
    "[timed]") {
  const std::string routers = GENERATE(as<std::string>{}, every_router, some_routers);
  const std::string handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const int deltas = GENERATE(0, 1, 3);
  const bool toggles = deltas > 1 && GENERATE(false, true);
  const Catalog catalog = with_pin_routers({deltas, toggles});
  const Scenario job =
      traffic(routers, handshake).with("traffic.measure", instrumented ? "100 cycle" : "600 cycle");
  CAPTURE(routers, handshake, deltas, toggles);

  const Results results = simulate(job, catalog);
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("packets") > (instrumented ? 20 : 100));
  REQUIRE(difference_between(job, compared_variants(), catalog) == "");
}

TEST_CASE("the number of delta cycles in which foreign wires settle changes no result", "[timed]") {
  const std::string handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const Scenario job = traffic(every_router, handshake);

  const Results at_once = simulate(job, with_pin_routers({0, false}));
  REQUIRE(difference(simulate(job, with_pin_routers({1, false})), at_once) == "");
  REQUIRE(difference(simulate(job, with_pin_routers({4, true})), at_once) == "");
}

TEST_CASE("a packet alone among foreign routers takes one cycle per channel", "[timed]") {
  const std::string handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const Scenario job = traffic(every_router, handshake)
                           .with("traffic.rate", "0.002 flit/node/cycle")
                           .with("traffic.measure", "6000 cycle");
  const Results results = simulate(job, with_pin_routers({2, false}));

  const Table& packets = results.table("packets");
  REQUIRE(packets.rows.size() > 20);
  const auto injected = column(packets, "injected");
  const auto head_ejected = column(packets, "head_ejected");
  for (std::size_t i = 0; i < packets.rows.size(); ++i) {
    const std::string &from = packets.rows[i][0], &to = packets.rows[i][1];
    const int hops = std::abs(from[0] - to[0]) + std::abs(from[2] - to[2]);
    INFO("from " << from << " to " << to << " at " << injected[i]);
    REQUIRE(head_ejected[i] - injected[i] == hops + 2);  // injection and ejection
  }
}

TEST_CASE("waves of foreign drivers are the same under both schedulings", "[timed]") {
  const std::string handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const Catalog catalog = with_pin_routers({3, true});
  const Scenario job = traffic(some_routers, handshake).with("traffic.measure", "100 cycle");

  const Vcd batched = wave_of(job, catalog, "batched");
  std::size_t changes = 0;
  for (const auto& entry : batched.signals) changes += entry.second.changes.size();
  REQUIRE(changes > 1'000);
  REQUIRE(difference(batched, wave_of(job, catalog, "per_module")) == "");
}

TEST_CASE("a wave of foreign drivers equals SystemC's trace, however their wires settle",
          "[timed]") {
  const std::string handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const bool toggles = GENERATE(false, true);
  const Scenario job =
      traffic(some_routers, handshake).with("traffic.measure", "100 cycle").with("wave", "{}");

  const TracedRun run = trace_beside_wave(job, with_pin_routers({toggles ? 3 : 0, toggles}));
  CAPTURE(handshake, toggles);
  CHECK(run.difference == "");
  CHECK(run.changes > 1'000);
  CHECK(run.transits > 500);
}

TEST_CASE("what a foreign router drives before its reset is not received", "[timed]") {
  const std::string routers = GENERATE(as<std::string>{}, every_router, some_routers);
  const std::string handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const int reset = GENERATE(2, 20);
  CAPTURE(routers, handshake, reset);
  const Scenario job = traffic(routers, handshake).with("traffic.measure", "100 cycle");
  const Catalog random = with_pin_routers({0, false, true});
  const Scenario later = job.with("clock.reset", std::to_string(reset) + " cycle");

  const Results expected = simulate(job, with_pin_routers({0, false}));
  REQUIRE(expected.outcome == Outcome::complete);
  CHECK(difference(simulate(later, random), expected) == "");
  CHECK(difference_between(later, compared_variants(), random) == "");
}

}  // namespace foreign_drivers_test
