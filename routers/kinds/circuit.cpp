// routers/kinds/circuit.cpp: circuits reserved by probes: settings, needs and timing.
// SPDX-License-Identifier: Apache-2.0
#include "routers/circuit/circuit.hpp"

#include <algorithm>

#include "configs/error.hpp"
#include "routers/parts/needs.hpp"

namespace flitwave {
namespace {

/// A probe that waits is never sent again.
void reject_backoff_of_waiting(const CircuitParams& params) {
  if (params.busy == Busy::teardown) return;
  const CircuitParams defaults;
  const auto reject = [](const char* key) {
    throw ConfigError(key, "a probe that waits is never rejected",
                      std::string("leave ") + key + " out, or set busy: teardown");
  };
  if (params.backoff.count != defaults.backoff.count) reject("backoff");
  if (params.longest_backoff.count != defaults.longest_backoff.count) reject("longest_backoff");
  if (params.attempts != defaults.attempts) reject("attempts");
}

/// Circuits need separate channels, without buffers.
void check_channels(const NetworkFacts& facts) {
  if (!std::all_of(facts.routers.begin(), facts.routers.end(),
                   [](const RouterModel* model) { return model->switching == Switching::circuit; }))
    throw ConfigError("router",
                      "circuits and buffered packets cannot share channels: some routers set up "
                      "circuits, others buffer packets",
                      "use kind: circuit for all routers, or another handshake");
  if (facts.channel.handshake != Handshake::acknowledge)
    throw ConfigError("channel.handshake",
                      "a circuit is granted by an acknowledgement on a dedicated wire",
                      "set channel.handshake to acknowledge");
}

void check_ends(const NetworkFacts& facts) {
  if (facts.channel.buffer.count != ChannelParams{}.buffer.count)
    throw ConfigError("channel.buffer", "data of a circuit flow without buffers",
                      "leave channel.buffer out");
  if (facts.node.ejection != Ejection::drains || facts.node.overhead == Overhead::path_held)
    throw ConfigError("node", "data of a circuit cannot wait for the receiver's software",
                      "use ejection: drains and overhead: serialized or overlapped");
}

RouterNeeds circuit_needs() {
  return needs::all(
      {check_channels,
       needs::no_message_classes("virtual channels of circuits are time slots, so that replies "
                                 "cannot have a class of their own"),
       needs::routing_of_one_class(
           "virtual channels of circuits are time slots and cannot be selected by the routing"),
       check_ends,
       needs::no_choice_of_injection_vc("a circuit takes the time slot in which its probe is sent"),
       needs::packets_of_at_least(
           2,
           "the first flit of a packet is the probe of its circuit; one packet has no other flit",
           "send packets of at least 2 flits")});
}

RouterModel circuit(const CircuitParams& params) {
  if (params.longest_backoff.count < params.backoff.count)
    throw ConfigError("longest_backoff", "it is shorter than backoff, the first mean wait",
                      "set longest_backoff to backoff or more");
  reject_backoff_of_waiting(params);
  RouterModel model;
  model.timing = params.timing();
  model.switching = Switching::circuit;
  model.needs = circuit_needs();
  model.supports.reports_passages = true;
  model.avoidance.control.teardown = params.busy == Busy::teardown;
  model.avoidance.serves_escape = true;
  model.avoidance.remedy = "set router.busy: teardown, choose another routing";
  model.retry = {params.backoff.count, params.longest_backoff.count, params.attempts};
  model.build = [params](const char* name, const RouterSite& site) {
    return circuit_router(name, params, site);
  };
  return model;
}

}  // namespace

void register_circuit(Routers& routers) {
  using P = CircuitParams;
  StageSentences stages;
  stages.route = "time from the arrival of a probe to its route";
  stages.vc = nullptr;
  stages.passage = "time from the grant of an output to the departure of the probe";
  stages.traversal = "time from the wires of an input to those of an output, for every flit";
  routers.add(
      "circuit",
      {"a probe reserves the whole path, then data flow without buffers; virtual channels are time "
       "slots, each for one circuit",
       "Dally & Towles 2004, section 13.1.1",
       {"{kind: circuit, busy: teardown}", "{kind: circuit, busy: wait}"}},
      with_delays(
          Schema<P>{}.optional(
              "busy", &P::busy,
              "what a blocked probe does: release its path and try again later, or wait in its "
              "router"),
          stages)
          .optional("arbitration", &P::arbitration, "which of several probes gets an output")
          .optional("backoff", &P::backoff,
                    "mean wait after a rejected probe, before jitter; it doubles with each",
                    between(1, 1e9))
          .optional("longest_backoff", &P::longest_backoff, "greatest mean wait", between(1, 1e9))
          .optional("attempts", &P::attempts,
                    "rejected probes of one packet after which the run ends as livelocked",
                    between(1, 1e9)),
      circuit);
}

}  // namespace flitwave
