// routers/relay/mhu/gateways.cpp: see gateways.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/mhu/gateways.hpp"

#include <limits>

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
      turns_(params.arbitration, params.outputs()),
      since_(static_cast<std::size_t>(params.outputs()), 0) {
  SC_METHOD(connect);
  sensitive << phase_ << holder_ << link.ack;
  for (BranchInput& unit : units) sensitive << unit.req << unit.flit << unit.valid << unit.eom;
  SC_METHOD(advance);
  sensitive << clk.pos();
  dont_initialize();
}

/// Of the units that ask, the one whose turn it is; the number of units when none does.
std::size_t OutputGateway::next() {
  std::vector<Request> requests;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Cycle asked = since_[i] == 0 ? std::numeric_limits<Cycle>::max() : since_[i];
    if (units[i].req.read()) requests.push_back({static_cast<int>(i), asked, 0});
  }
  if (requests.empty()) return units.size();
  return static_cast<std::size_t>(requests[turns_.pick(requests)].index);
}

void OutputGateway::connect() {
  const bool free = phase() == Phase::free;
  const std::size_t served = free ? next() : holder();
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
      const std::size_t chosen = next();
      if (chosen == units.size()) return;
      turns_.served(static_cast<int>(chosen));
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
