// routers/multicast_blocks/gateways.cpp: see gateways.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/routers/multicast_blocks/gateways.hpp"

namespace flitwave {

InputGateway::InputGateway(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_METHOD(lead_in);
  sensitive << link.rts << link.flit << link.valid << link.eom;
  SC_METHOD(lead_back);
  sensitive << unit.ack;
}

void InputGateway::lead_in() {
  unit.rts.write(link.rts.read());
  unit.flit.write(link.flit.read());
  unit.valid.write(link.valid.read());
  unit.eom.write(link.eom.read());
}

void InputGateway::lead_back() { link.ack.write(unit.ack.read()); }

OutputGateway::OutputGateway(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name),
      units("unit", static_cast<std::size_t>(params.outputs())),
      holder_("holder", bus_value(wires_for(static_cast<std::uint64_t>(params.dimensions)))),
      since_(static_cast<std::size_t>(params.outputs()), 0) {
  SC_METHOD(connect);
  sensitive << phase_ << holder_ << link.ack;
  for (BranchInput& unit : units) sensitive << unit.req << unit.flit << unit.valid << unit.eom;
  SC_METHOD(advance);
  sensitive << clk.pos();
  dont_initialize();
}

/// Who has asked first, or the number of units.
std::size_t OutputGateway::first_come() const {
  const auto asked = [this](std::size_t i) { return since_[i] == 0 ? UINT64_MAX : since_[i]; };
  std::size_t first = units.size();
  for (std::size_t i = 0; i < units.size(); ++i)
    if (units[i].req.read() && (first == units.size() || asked(i) < asked(first))) first = i;
  return first;
}

void OutputGateway::connect() {
  const bool free = phase() == Phase::free;
  const std::size_t served = free ? first_come() : holder();
  const bool streams = phase() == Phase::stream;
  for (std::size_t i = 0; i < units.size(); ++i) {
    units[i].gnt.write(i == served);
    units[i].go.write(i == served && phase() == Phase::request && link.ack.read());
  }
  link.rts.write(served < units.size() && !streams);
  if (!streams) {
    link.valid.write(false);
    link.eom.write(false);
    return;
  }
  link.flit.write(units[served].flit.read());
  link.valid.write(units[served].valid.read());
  link.eom.write(units[served].eom.read());
}

void OutputGateway::advance() {
  ++edges_;
  for (std::size_t i = 0; i < units.size(); ++i)
    if (!units[i].req.read())
      since_[i] = 0;
    else if (since_[i] == 0)
      since_[i] = edges_;
  const auto enter = [this](Phase next) { drive(phase_, static_cast<std::uint64_t>(next)); };
  switch (phase()) {
    case Phase::free: {
      const std::size_t first = first_come();
      if (first == units.size()) return;
      drive(holder_, first);
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
