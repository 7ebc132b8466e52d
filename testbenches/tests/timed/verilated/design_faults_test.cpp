// testbenches/tests/timed/verilated/design_faults_test.cpp: planted faults of routers with pins end
// the run with an error that names cycle, port and field.
// SPDX-License-Identifier: Apache-2.0
#include <regex>
#include <string>
#include <vector>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/verilated/toy_jobs.hpp"

namespace design_faults_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

struct PlantedFault {
  ToyFault fault;
  std::string text;  ///< A regular expression for the whole message.
  Handshake handshake = Handshake::credit;
  int vcs = 1;
  bool on_evaluated = true;
};

const std::string start = "cycle [0-9]+: router_1_1 \\(toy\\)[,:] ";
const std::string packet = "packet [0-9]+ from [0-2]_[0-2] to [0-2]_[0-2], flit [0-2] of 3";
const std::string subject = " \\(" + packet + "\\)";
const std::string port = "([0-3]|local_0)";

const std::string order = "output " + port + ": order: expected " + packet +
                          ", which entered by input " + port +
                          " on vc [01] in cycle [0-9]+, found " + packet;

const std::vector<PlantedFault> planted = {
    {ToyFault::no_credit,
     "output " + port + ": valid: expected 0, since vc 0 has no credit, found 1" + subject},
    {ToyFault::no_credit,
     "output " + port + ": flit: expected " + packet +
         ", since it was offered on vc 0 and ready is low, found " + packet + "|output " + port +
         ": valid: expected 1, since the flit was offered and ready is low, found 0" + subject,
     Handshake::ready_valid},
    {ToyFault::credit_twice,
     "input " + port + ": credit: expected 0, since all 4 slots of vc 0 are free already, found 1"},
    {ToyFault::credit_lost,
     "input " + port +
         ": credit: expected 1 for vc 0, all flits of which have left, found none since cycle "
         "[0-9]+"},
    {ToyFault::unknown_tag,
     "output " + port + ": tag: expected that of a flit inside, found [0-9]+"},
    {ToyFault::changed_field, "output " + port +
                                  ": payload: expected 0x[0-9a-f]{10}, found "
                                  "0x[0-9a-f]{10}" +
                                  subject},
    {ToyFault::changed_source, "output " + port + ": source: expected [0-8], found 77" + subject},
    {ToyFault::body_on_other_vc,
     "output " + port + ": vc: expected ([01]), on which the head left, found [01]" + subject,
     Handshake::credit, 2},
    {ToyFault::head_on_missing_vc,
     "output " + port + ": vc: expected less than 2, found 3" + subject, Handshake::credit, 2},
    {ToyFault::wrong_output,
     "output [0-3]: route: expected (output [0-3]|a local output) on vc 0, found output [0-3]" +
         subject},
    {ToyFault::lost_flit, order},
    {ToyFault::sent_twice,
     "output " + port +
         ": tag: expected that of a flit inside, found [0-9]+, of a flit that left "
         "in cycle [0-9]+ by output " +
         port},
    {ToyFault::reordered, order},
    {ToyFault::never_ready,
     "input " + port +
         ": ready\\[0\\]: expected 1, since no flit of this virtual channel is inside, found 0 "
         "since cycle [0-9]+",
     Handshake::ready_valid},
    {ToyFault::falling_ready,
     "input " + port + ": ready\\[0\\]: expected 1, since no flit was accepted, found 0",
     Handshake::ready_valid},
    {ToyFault::withdrawn,
     "output " + port +
         ": (valid: expected 1, since the flit was offered and ready is low, found "
         "0" +
         subject + "|flit: expected " + packet +
         ", since it was offered on vc 0 and ready is low, found " + packet + ")",
     Handshake::ready_valid},
    {ToyFault::moved_offer,
     "output ([0-3]|local_0): offer: expected output \\2 on vc ([01]), where the flit is offered "
     "until it is accepted, found output \\2 on vc [01]" +
         subject,
     Handshake::ready_valid, 2},
    {ToyFault::reordered, order, Handshake::ready_valid},
    {ToyFault::reordered, order, Handshake::ready_valid, 2},
    {ToyFault::lost_flit, order, Handshake::ready_valid},
    {ToyFault::lost_flit, order, Handshake::ready_valid, 2},
    {ToyFault::combinational,
     "pin in_vc: expected a register, which changes after the rising edge only, found a "
     "combinational path from pin in_valid.*"},
    {ToyFault::unknown_valid, "output 2: pin out_valid\\[2\\]: expected 0 or 1, found X",
     Handshake::credit, 1, false},
    {ToyFault::high_impedance, "input 1: pin in_back\\[1\\]: expected 0 or 1, found Z",
     Handshake::credit, 1, false},
    {ToyFault::valid_in_reset, "output 1: valid: expected 0 after reset, found 1"},
};

/// The results of a network with the fault at its centre.
Results run_with(const PlantedFault& chosen, const std::string& adapter) {
  ToyParams params;
  params.handshake = chosen.handshake;
  params.vcs = chosen.vcs;
  params.fault = chosen.fault;
  const ToyModel model("toy", params);
  return simulate(toy_job(toy_at_centre("adapter: " + adapter), params)
                      .with("traffic.rate", "0.5 flit/node/cycle"));
}

}  // namespace

TEST_CASE("every planted fault of a router with pins ends the run with its error", "[timed]") {
  const auto fault = GENERATE(from_range(planted));
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  if (!fault.on_evaluated && adapter == "evaluated") return;
  CAPTURE(fault.text, adapter, static_cast<int>(fault.fault));

  const Results results = run_with(fault, adapter);
  CAPTURE(results.message);
  CHECK(results.outcome == Outcome::design_error);
  CHECK(exit_code(results.outcome) == 4);
  CHECK(std::regex_match(results.message, std::regex(start + "(" + fault.text + ")")));
}

TEST_CASE("a flit that leaves by a port without a channel is an error", "[timed]") {
  ToyParams params;
  params.fault = ToyFault::no_channel;
  const ToyModel model("toy", params);
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  const Results results = simulate(toy_job(
      "{kind: wormhole, preset: single_cycle, at: [{nodes: [[0, 0]], kind: verilated, model: toy, "
      "adapter: " +
      adapter + "}]}"));
  CAPTURE(results.message);
  CHECK(results.outcome == Outcome::design_error);
  CHECK(std::regex_match(
      results.message,
      std::regex("cycle [0-9]+: router_0_0 \\(toy\\), output 3: valid: expected 0, "
                 "since no channel leaves by this port, found 1")));
}

TEST_CASE("a packet that is lost whole is missed by the next one of its buffer, or in time",
          "[timed]") {
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  ToyParams params;
  params.handshake = GENERATE(Handshake::credit, Handshake::ready_valid);
  params.fault = ToyFault::lost_packet;
  params.after = 0;
  const ToyModel model("toy", params);
  const Results results = shoot(toy_job(toy_at_centre("adapter: " + adapter), params)
                                    .with("traffic.rate", "0.003 flit/node/cycle"),
                                {{5, NodeId(3), NodeId(5), 3, {}}}, 4000);
  CAPTURE(results.message);
  CHECK(results.outcome == Outcome::design_error);
  CHECK(std::regex_match(
      results.message,
      std::regex(start + "input 1: flit: expected that it leaves, since its outputs have space and "
                         "are idle since cycle [0-9]+, found inside since cycle 8 \\(packet 0 from "
                         "0_1 to 2_1, flit 0 of 3\\)")));
}

TEST_CASE("a flit on a virtual channel of a class that the routing does not permit is an error",
          "[timed]") {
  ToyParams params;
  params.vcs = 2;
  RouterDesign design = toy_router("toy", params);
  design.torus = true;  // it keeps the virtual channel all the same
  RouterDesigns::add(design);
  const Results results = simulate(toy_job("{kind: verilated, model: toy}", params)
                                       .with("topology", "{kind: torus, shape: [4, 4]}"));
  RouterDesigns::remove("toy");
  CAPTURE(results.message);
  CHECK(results.outcome == Outcome::design_error);
  CHECK(std::regex_match(
      results.message,
      std::regex("cycle [0-9]+: router_[0-3]_[0-3] \\(toy\\), output [0-3]: vc: expected output "
                 "[0-3] on vc [01], found [01] \\(packet .* flit 0 of 3\\)")));
}

TEST_CASE("the error of a design does not depend on scheduling", "[timed]") {
  ToyParams params;
  params.fault = ToyFault::changed_field;
  const ToyModel model("toy", params);
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  const Scenario job = toy_job(toy_at_centre("adapter: " + adapter));
  const Results batched = simulate(job);
  CHECK(batched.outcome == Outcome::design_error);
  CHECK(simulate(job.with("clock.scheduling", "per_module")).message == batched.message);
  CHECK(simulate(toy_job(toy_at_centre("adapter: evaluated"))).message == batched.message);
}

TEST_CASE("of errors of several designs in one cycle, that of the first name is reported",
          "[timed]") {
  ToyParams params;
  params.fault = ToyFault::valid_in_reset;  // an error in every slot, in the same cycle
  const ToyModel model("toy", params);
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  const std::string scheduling = GENERATE(as<std::string>{}, "batched", "per_module");
  const std::string order = GENERATE(as<std::string>{}, "forward", "reversed");
  CAPTURE(adapter, scheduling, order);
  const Results results = simulate(toy_job(toy_everywhere("adapter: " + adapter))
                                       .with("clock.scheduling", scheduling)
                                       .with("build_order", order));
  CHECK(results.outcome == Outcome::design_error);
  CHECK(results.message.find("router_0_0 (toy), output ") != std::string::npos);
}

}  // namespace design_faults_test
