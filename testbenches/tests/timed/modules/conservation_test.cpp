// testbenches/tests/timed/modules/conservation_test.cpp: what is lost or doubled on the wires is
// noticed.
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

/// Writes a wire in the middle of one cycle, between two edges.
class Meddler final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Meddler);
  Meddler(const sc_core::sc_module_name& name, ClockDomain& domain,
          sc_core::sc_signal_inout_if<bool>& wire, bool stolen)
      : sc_module(name), wire_(wire), stolen_(stolen) {
    clk(domain.clk());
    SC_METHOD(meddle);
    sensitive << clk.neg();
    dont_initialize();
  }

  sc_core::sc_in<bool> clk{"clk"};

 private:
  /// Waits for a pulse to take away, or for a gap to put one into; once.
  void meddle() {
    if (done_ || ++cycles_ < 20 || wire_.read() != stolen_) return;
    wire_.write(!stolen_);
    done_ = true;
  }

  sc_core::sc_signal_inout_if<bool>& wire_;
  bool stolen_;
  bool done_ = false;
  int cycles_ = 0;
};

/// Makes a packet that is injected younger than it is, by some cycles for each of its flits.
class Rejuvenator final : public TransitListener {
 public:
  Rejuvenator(const PacketPool& packets, Cycle by) : packets_(packets), by_(by) {}

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
    auto rejuvenator = std::make_shared<Rejuvenator>(testbench.packets(), by);
    testbench.listen(ChannelSite::Kind::injection, *rejuvenator);
    return [rejuvenator](Results&) {};
  };
  return options;
}

/// A foreign module with a process that fails in the tenth cycle.
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

/// A run in which one pulse on a wire of a channel is lost, or one too many.
Results meddled(Pulse wire, bool stolen) {
  SimulateOptions options;
  options.attach = [wire, stolen](Testbench& testbench) {
    ChannelEnd& end = testbench.netlist().channels().front().channel->upstream();
    auto meddler = std::make_shared<Meddler>(
        "meddler", testbench.domain(),
        wire == Pulse::valid ? end.forward.wires().valid_wire() : end.back->wires().valid_wire(),
        stolen);
    return [meddler](Results&) {};
  };
  const Scenario scenario =
      uniform_traffic({{"traffic",
                        "{rate: 0.3 flit/node/cycle, packet: 4 flit, warmup: 0 cycle, "
                        "measure: 500 cycle, drain: 500 cycle}"},
                       {"stop.limit", "3000 cycle"}});
  return simulate(scenario, standard_catalog(), options);
}

}  // namespace

TEST_CASE("what a process of a module throws ends the run as the error that it is", "[timed]") {
  const std::string scheduling = GENERATE("batched", "per_module");
  const Results model = failed_by(ModelError("mhu_2: a gap in a message"), scheduling);
  const Results system = failed_by(SystemFailure("the disk is full"), scheduling);

  REQUIRE(model.outcome == Outcome::model_error);
  REQUIRE(model.message == "mhu_2: a gap in a message");
  REQUIRE(system.outcome == Outcome::system_failure);
  REQUIRE(system.message == "the disk is full");
}

TEST_CASE("a flit that is lost on a wire is missed", "[timed]") {
  const Results results = meddled(Pulse::valid, true);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::model_error);
}

TEST_CASE("a flit that comes twice is noticed", "[timed]") {
  const Results results = meddled(Pulse::valid, false);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::model_error);
}

TEST_CASE("a credit that is lost is missed when the network has emptied", "[timed]") {
  const Results results = meddled(Pulse::credit, true);

  INFO(results.message);
  REQUIRE((results.outcome == Outcome::model_error || results.outcome == Outcome::limit));
}

TEST_CASE("a credit too many is noticed when the buffer's slots are all free", "[timed]") {
  const Results results = meddled(Pulse::credit, false);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::model_error);
}

TEST_CASE("a packet with a negative latency ends the run", "[timed]") {
  const char* const scheduling = GENERATE("batched", "per_module");
  // Routers of two sorts have no closed form that would be asked first.
  const Scenario scenario =
      uniform_traffic({{"observe", "[{kind: latency}]"},
                       {"clock.scheduling", scheduling},
                       {"router.at", "[{nodes: [0], kind: wormhole, route_delay: 2 cycle}]"}});

  const Results results = simulate(scenario, standard_catalog(), with_younger_packets(100));

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::model_error);
  REQUIRE(results.message.find("latency: packet 0 of node ") != std::string::npos);
}

TEST_CASE("a packet that is a cycle faster than in an idle network ends the run", "[timed]") {
  // One flit from corner to corner, over six channels or, in the ring, over three: alone.
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
  CHECK(right.value("latency.max") == 1 + 1 + hops + 1);  // hand-over, injection, way, ejection
  CHECK(wrong.outcome == Outcome::model_error);
  CHECK(wrong.message.find(fmt::format("took {} cycles; over {} channels it takes {}", hops + 2,
                                       hops, hops + 3)) != std::string::npos);
}

}  // namespace conservation_test
