// testbenches/tests/rtl/relay/verilog_parameters.cpp: see verilog_models.hpp.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "testbenches/tests/rtl/relay/verilog_models.hpp"

namespace flitwave::testing {

BlockParams VerilogParameters::blocks() const {
  BlockParams blocks;
  blocks.dimensions = dimensions;
  blocks.capacity = rows;
  blocks.data = data;
  blocks.field = field_cycles;
  blocks.selection = {selection_cycles};
  blocks.handshake_time = {handshake()};
  blocks.latency = latency();
  blocks.arbitration = static_cast<GatewayRule>(arbitration);
  blocks.broadcaster = broadcaster;
  blocks.fault_tolerant = fault_tolerant;
  blocks.gives_up = fault_tolerant;
  blocks.switching = stores ? Relaying::store_and_forward : Relaying::relay;
  blocks.selecting = sequential ? Selecting::sequential : Selecting::overlapped;
  blocks.branching = serial ? Branching::serial : Branching::parallel;
  return blocks;
}

std::string VerilogParameters::channel() const {
  return fmt::format("{{handshake: request, buffer: {} flit, latency: {} cycle}}", data, latency());
}

std::string VerilogParameters::router() const {
  return fmt::format(
      "{{kind: greedy_multicast, detail: blocks, capacity: {}, field: {}, selection: {} cycle, "
      "handshake_time: {} cycle, arbitration: {}, broadcaster: {}, fault_tolerant: {}, "
      "switching: {}, selecting: {}, branching: {}}}",
      rows, field_cycles, selection_cycles, handshake(),
      names_of(GatewayRule{})[static_cast<std::size_t>(arbitration)], broadcaster, fault_tolerant,
      stores ? "store_and_forward, delivery: stored" : "relay",
      sequential ? "sequential" : "overlapped", serial ? "serial" : "parallel");
}

VerilogRouter verilog_router(const std::string& name) {
  const std::vector<VerilogRouter> all = verilog_routers();
  return *std::find_if(all.begin(), all.end(),
                       [&name](const VerilogRouter& router) { return router.name == name; });
}

}  // namespace flitwave::testing
