// routers/relay/mhu/lan_router.cpp: see lan_router.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/mhu/lan_router.hpp"

namespace flitwave {
namespace {

const BlockParams& checked(const BlockParams& params) {
  params.check();
  return params;
}

template <class Wires>
auto links_of(const BlockParams& params) {
  return [&params](const char* name, std::size_t) { return new Wires(name, params.dimensions); };
}

}  // namespace

LanRouter::LanRouter(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name),
      in_ch("in_ch", static_cast<std::size_t>(checked(params).outputs())),
      out_ch("out_ch", in_ch.size()),
      received_("received", in_ch.size(), links_of<FieldLink>(params)),
      branches_("branch", in_ch.size() * in_ch.size(), links_of<BranchLink>(params)),
      inputs_("input_gateway", in_ch.size()),
      mhu_("mhu", in_ch.size(),
           [&params](const char* unit, std::size_t port) {
             return new Mhu(unit, params, static_cast<int>(port));
           }),
      outputs_("output_gateway", in_ch.size(), [&params](const char* gateway, std::size_t) {
        return new OutputGatewayModule(gateway, params);
      }) {
  for (std::size_t i = 0; i < in_ch.size(); ++i) {
    inputs_[i].link.bind(in_ch[i]);
    inputs_[i].unit.bind(received_[i]);
    mhu_[i].received.bind(received_[i]);
    mhu_[i].clk(clk);
    mhu_[i].local_addr(local_addr);
    mhu_[i].fault_vector(fault_vector);
    outputs_[i].clk(clk);
    outputs_[i].link.bind(out_ch[i]);
    for (std::size_t j = 0; j < in_ch.size(); ++j) {
      BranchLink& branch = branches_[i * in_ch.size() + j];
      mhu_[i].outputs[j].bind(branch);
      outputs_[j].units[i].bind(branch);
    }
  }
}

void LanRouter::bind(const BlockWires& wires) {
  clk(wires.clk);
  local_addr(wires.address);
  fault_vector(wires.faults);
  for (std::size_t i = 0; i < in_ch.size(); ++i) {
    in_ch[i].bind(wires.in[i]);
    out_ch[i].bind(wires.out[i]);
  }
}

}  // namespace flitwave
