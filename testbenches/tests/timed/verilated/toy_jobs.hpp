// testbenches/tests/timed/verilated/toy_jobs.hpp: jobs with toy routers in slots of a network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/format.h>

#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/verilated/toy_router.hpp"

namespace flitwave::test {

/// Uniform traffic on a 3x3 mesh. `router`: the section of the job.
inline Scenario toy_job(const std::string& router, const ToyParams& params = {}) {
  return Scenario::parse(fmt::format(
      "scenario: toy\ntopology: {{kind: mesh, shape: [3, 3]}}\nnode: {{ports: 1}}\nrouter: {}\n"
      "channel: {{handshake: {}, vcs: {}, buffer: {} flit}}\n"
      "traffic: {{packet: 3 flit, rate: 0.2 flit/node/cycle, warmup: 20 cycle, measure: 400 "
      "cycle}}\n"
      "observe: [{{kind: latency, packets: true}}, {{kind: channel_load}}]\n"
      "stop: {{limit: 20000 cycle}}\n",
      router, params.handshake == Handshake::credit ? "credit" : "ready_valid", params.vcs,
      params.depth));
}

/// The model `toy` in every slot, or at the centre of a network of wormhole routers.
inline std::string toy_everywhere(const std::string& settings) {
  return "{kind: verilated, model: toy, " + settings + "}";
}
inline std::string toy_at_centre(const std::string& settings) {
  return "{kind: wormhole, preset: single_cycle, at: [{nodes: [[1, 1]], kind: verilated, model: "
         "toy, " +
         settings + "}]}";
}

}  // namespace flitwave::test
