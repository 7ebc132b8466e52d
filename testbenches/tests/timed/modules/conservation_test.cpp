// testbenches/tests/timed/modules/conservation_test.cpp: flits and credits that are lost or
// duplicated on wires are detected.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <systemc>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace conservation_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Writes a wire once, in the middle of a cycle, between two clock edges.
class WireFault final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(WireFault);
  WireFault(const sc_core::sc_module_name& name, ClockDomain& domain,
            sc_core::sc_signal_inout_if<bool>& wire, bool removed)
      : sc_module(name), wire_(wire), removed_(removed) {
    clk(domain.clk());
    SC_METHOD(inject);
    sensitive << clk.neg();
    dont_initialize();
  }

  sc_core::sc_in<bool> clk{"clk"};

 private:
  /// Waits for a pulse to remove, or for an idle cycle to insert one; once.
  void inject() {
    if (done_ || ++cycles_ < 20 || wire_.read() != removed_) return;
    wire_.write(!removed_);
    done_ = true;
  }

  sc_core::sc_signal_inout_if<bool>& wire_;
  bool removed_;
  bool done_ = false;
  int cycles_ = 0;
};

/// Increases a packet's creation cycle by some cycles for each of its injected flits.
class CreationDelay final : public TransitListener {
 public:
  CreationDelay(const PacketPool& packets, Cycle by) : packets_(packets), by_(by) {}

  void on_transits(Cycle, const std::vector<Transit>& transits) override {
    Packet& packet = const_cast<Packet&>(packets_.packet(transits.front().flit));
    packet.created += by_;
  }

 private:
  const PacketPool& packets_;
  Cycle by_;
};

SimulateOptions with_younger_packets(Cycle by) {
  SimulateOptions options;
  options.attach = [by](Testbench& testbench) {
    auto delay = std::make_shared<CreationDelay>(testbench.packets(), by);
    testbench.listen(ChannelSite::Kind::injection, *delay);
    return [delay](Results&) {};
  };
  return options;
}

/// A foreign module with a process that throws in the tenth cycle.
template <class Error>
class Failing final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Failing);
  Failing(const sc_core::sc_module_name& name, ClockDomain& domain, const Error& error)
      : sc_module(name), error_(error) {
    clk(domain.clk());
    SC_METHOD(sample);
    sensitive << clk.pos();
    dont_initialize();
  }

  sc_core::sc_in<bool> clk{"clk"};

 private:
  void sample() {
    if (++cycles_ == 10) throw error_;
  }

  Error error_;
  int cycles_ = 0;
};

template <class Error>
Results failed_by(const Error& error, const std::string& scheduling) {
  SimulateOptions options;
  options.attach = [&error](Testbench& testbench) {
    auto failing = std::make_shared<Failing<Error>>("failing", testbench.domain(), error);
    return [failing](Results&) {};
  };
  return simulate(uniform_traffic({{"clock.scheduling", scheduling}}), standard_catalog(), options);
}

enum class Pulse { valid, credit };

/// A run in which one pulse on a wire of a channel is removed or inserted.
Results run_with_fault(Pulse wire, bool removed) {
  SimulateOptions options;
  options.attach = [wire, removed](Testbench& testbench) {
    ChannelEnd& end = testbench.netlist().channels().front().channel->upstream();
    auto fault = std::make_shared<WireFault>(
        "fault", testbench.domain(),
        wire == Pulse::valid ? end.forward.wires().valid_wire() : end.back->wires().valid_wire(),
        removed);
    return [fault](Results&) {};
  };
  const Scenario scenario =
      uniform_traffic({{"traffic",
                        "{rate: 0.3 flit/node/cycle, packet: 4 flit, warmup: 0 cycle, "
                        "measure: 500 cycle, drain: 500 cycle}"},
                       {"stop.limit", "3000 cycle"}});
  return simulate(scenario, standard_catalog(), options);
}

}  // namespace

TEST_CASE("an exception in a module's process ends the run with the outcome of its type",
          "[timed]") {
  const std::string scheduling = GENERATE("batched", "per_module");
  const Results model = failed_by(ModelError("mhu_2: a gap in a message"), scheduling);
  const Results system = failed_by(SystemFailure("the disk is full"), scheduling);

  REQUIRE(model.outcome == Outcome::model_error);
  REQUIRE(model.message == "mhu_2: a gap in a message");
  REQUIRE(system.outcome == Outcome::system_failure);
  REQUIRE(system.message == "the disk is full");
}

TEST_CASE("a flit that is lost on a wire is detected", "[timed]") {
  const Results results = run_with_fault(Pulse::valid, true);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::model_error);
}

TEST_CASE("a duplicated flit is detected", "[timed]") {
  const Results results = run_with_fault(Pulse::valid, false);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::model_error);
}

TEST_CASE("a lost credit is detected when the network is empty", "[timed]") {
  const Results results = run_with_fault(Pulse::credit, true);

  INFO(results.message);
  REQUIRE((results.outcome == Outcome::model_error || results.outcome == Outcome::limit));
}

TEST_CASE("a superfluous credit is detected when all slots of the buffer are free", "[timed]") {
  const Results results = run_with_fault(Pulse::credit, false);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::model_error);
}

TEST_CASE("a packet with a negative latency ends the run", "[timed]") {
  const char* const scheduling = GENERATE("batched", "per_module");
  // A network with two kinds of routers has no closed form, which would be checked first.
  const Scenario scenario =
      uniform_traffic({{"observe", "[{kind: latency}]"},
                       {"clock.scheduling", scheduling},
                       {"router.at", "[{nodes: [0], kind: wormhole, route_delay: 2 cycle}]"}});

  const Results results = simulate(scenario, standard_catalog(), with_younger_packets(100));

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::model_error);
  REQUIRE(results.message.find("latency: packet 0 of node ") != std::string::npos);
}

TEST_CASE("a packet that is one cycle faster than in an idle network ends the run", "[timed]") {
  // A packet of one flit, alone in the network: over six channels from corner to corner of the
  // mesh, over three in the ring.
  const char* const topology = GENERATE("{kind: mesh, shape: [4, 4]}", "{kind: ring, nodes: 6}",
                                        "{kind: custom, channels: [[0, 1], [1, 2], [2, 3]]}");
  const bool ring = std::string(topology).find("ring") != std::string::npos;
  const bool mesh = std::string(topology).find("mesh") != std::string::npos;
  const int hops = mesh ? 6 : 3;
  const test::ScratchFolder folder;
  std::ofstream(folder.path("one.txt")) << fmt::format("1 0 {} 1\n", mesh ? 15 : 3);
  const Scenario scenario = Scenario::parse(fmt::format(
      R"(
scenario: alone
topology: {}
router: {{kind: wormhole, preset: single_cycle}}
channel: {{vcs: {}}}
trace: {{file: {}, drain: 100 cycle}}
observe: [{{kind: latency, packets: true}}]
)",
      topology, ring ? 2 : 1, folder.path("one.txt")));

  const Results right = simulate(scenario);
  const Results wrong = simulate(scenario, standard_catalog(), with_younger_packets(1));

  INFO(right.message << wrong.message);
  REQUIRE(right.outcome == Outcome::complete);
  CHECK(right.value("latency.max") == 1 + 1 + hops + 1);  // hand-over, injection, network, ejection
  CHECK(wrong.outcome == Outcome::model_error);
  CHECK(wrong.message.find(fmt::format("took {} cycles; over {} channels it takes {}", hops + 2,
                                       hops, hops + 3)) != std::string::npos);
}

}  // namespace conservation_test
