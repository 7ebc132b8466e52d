// routers/relay/mhu/gateways.cpp: see gateways.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/mhu/gateways.hpp"

#include <algorithm>

namespace flitwave {

InputGatewayModule::InputGatewayModule(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_METHOD(lead_in);
  sensitive << link.rts << link.flit << link.valid << link.eom;
  SC_METHOD(lead_back);
  sensitive << unit.ack;
}

void InputGatewayModule::lead_in() {
  unit.rts.write(link.rts.read());
  unit.flit.write(link.flit.read());
  unit.valid.write(link.valid.read());
  unit.eom.write(link.eom.read());
}

void InputGatewayModule::lead_back() { link.ack.write(unit.ack.read()); }

OutputGatewayModule::OutputGatewayModule(const sc_core::sc_module_name& name,
                                         const BlockParams& params)
    : sc_module(name),
      units("unit", static_cast<std::size_t>(params.outputs())),
      holder_("holder", bus_value(wires_for(static_cast<std::uint64_t>(params.dimensions)))),
      last_("last",
            bus_value(holder_.read().length(), static_cast<std::uint64_t>(params.dimensions))),
      turn_("turn", units.size(), of_line(units.size())),
      rule_(params.arbitration) {
  SC_METHOD(connect);
  sensitive << phase_ << holder_ << last_ << link.ack;
  for (BranchInput& unit : units) sensitive << unit.req << unit.flit << unit.valid << unit.eom;
  for (BusSignal& turn : turn_) sensitive << turn;
  SC_METHOD(advance);
  sensitive << clk.pos();
  dont_initialize();
}

/// The requesting units, in the order of their arrival; of those that arrived in the same cycle,
/// the lowest first.
std::vector<std::size_t> OutputGatewayModule::waiting() const {
  std::vector<std::size_t> requesting;
  for (const std::size_t unit : in_line(turn_))
    if (units[unit].req.read()) requesting.push_back(unit);
  for (std::size_t unit = 0; unit < units.size(); ++unit)
    if (units[unit].req.read() && turn_[unit].read() == 0) requesting.push_back(unit);
  return requesting;
}

/// The requesting unit that is served next; the number of units when none requests.
std::size_t OutputGatewayModule::next() const {
  const std::vector<std::size_t> requesting = waiting();
  if (requesting.empty()) return units.size();
  if (rule_ == GatewayRule::fcfs) return requesting.front();
  // Units are served in a ring, which begins after the last one, or at the lowest.
  const std::size_t first = rule_ == GatewayRule::fixed ? 0 : last_.read().to_uint64() + 1;
  return *std::min_element(requesting.begin(), requesting.end(), [&](std::size_t a, std::size_t b) {
    return (a + units.size() - first) % units.size() < (b + units.size() - first) % units.size();
  });
}

void OutputGatewayModule::connect() {
  const bool free = phase() == Phase::free;
  const std::size_t served = free ? next() : holder();
  const bool streams = phase() == Phase::stream;
  for (std::size_t i = 0; i < units.size(); ++i) {
    units[i].gnt.write(i == served);
    units[i].go.write(i == served && phase() == Phase::request && link.ack.read());
  }
  link.rts.write(served < units.size() && !streams);
  drive(link.flit, streams ? units[served].flit.read().to_uint64() : 0);
  link.valid.write(streams && units[served].valid.read());
  link.eom.write(streams && units[served].eom.read());
}

void OutputGatewayModule::advance() {
  drive_line(turn_, waiting());
  const auto enter = [this](Phase next) { drive(phase_, static_cast<std::uint64_t>(next)); };
  switch (phase()) {
    case Phase::free: {
      const std::size_t chosen = next();
      if (chosen == units.size()) return;
      drive(last_, chosen);
      drive(holder_, chosen);
      return enter(Phase::request);
    }
    case Phase::request:
      if (link.ack.read()) enter(Phase::stream);
      return;
    case Phase::stream:
      if (units[holder()].valid.read() && units[holder()].eom.read()) enter(Phase::free);
      return;
  }
}

}  // namespace flitwave
