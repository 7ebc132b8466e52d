// routers/relay/mhu/output_module.cpp: see output_module.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/mhu/output_module.hpp"

#include <string>

#include "configs/error.hpp"
#include "routers/relay/mhu/mhu_controller.hpp"

namespace flitwave {

OutputModule::OutputModule(const sc_core::sc_module_name& name, const BlockParams& params, int port)
    : sc_module(name),
      sel_addr("sel_addr", static_cast<std::size_t>(params.capacity)),
      dout("dout", static_cast<std::size_t>(params.outputs())),
      avail("avail", static_cast<std::size_t>(params.outputs())),
      ends("ends", static_cast<std::size_t>(params.outputs())),
      rd_ptr("rd_ptr", static_cast<std::size_t>(params.outputs())),
      rd_en("rd_en", static_cast<std::size_t>(params.outputs())),
      outputs("outputs", static_cast<std::size_t>(params.outputs())),
      params_(params),
      port_(port),
      open_("open", static_cast<std::size_t>(params.outputs())),
      hold_("hold", static_cast<std::size_t>(params.outputs())),
      phase_("phase", static_cast<std::size_t>(params.outputs()), of_width(3)),
      branches_("branch", static_cast<std::size_t>(params.outputs()),
                [&params](const char* branch, std::size_t output) {
                  const bool local = output == static_cast<std::size_t>(params.dimensions);
                  return new OutputBranch(branch, params, local);
                }),
      turn_("turn", rd_en.size(), of_line(rd_en.size())) {
  connect();
  SC_METHOD(distribute);
  sensitive << sel_valid << sel_dim << sel_copy;
  SC_METHOD(take_turns);
  sensitive << state;
  for (WireOut& open : rd_en) sensitive << open;
  for (BusSignal& turn : turn_) sensitive << turn;
  SC_METHOD(queue);
  sensitive << clk.pos();
  dont_initialize();
}

void OutputModule::connect() {
  for (std::size_t b = 0; b < branches_.size(); ++b) {
    OutputBranch& branch = branches_[b];
    branch.clk(clk);
    branch.open(open_[b]);
    branch.hold(hold_[b]);
    branch.sel_k(sel_k);
    branch.sel_addr(sel_addr);
    branch.sel_ctrl(sel_ctrl);
    branch.k_reg(k_reg);
    branch.type(type);
    branch.is_bcast(is_bcast);
    branch.dout(dout[b]);
    branch.avail(avail[b]);
    branch.ends(ends[b]);
    branch.rd_ptr(rd_ptr[b]);
    branch.rd_en(rd_en[b]);
    branch.phase(phase_[b]);
    branch.req(outputs[b].req);
    branch.gnt(outputs[b].gnt);
    branch.go(outputs[b].go);
    branch.flit(outputs[b].flit);
    branch.valid(outputs[b].valid);
    branch.eom(outputs[b].eom);
  }
}

void OutputModule::distribute() {
  const CubeBits along = sel_valid.read() ? cube_bits(sel_dim.read()) : 0;
  for (int dimension = 0; dimension < params_.dimensions; ++dimension)
    open_[static_cast<std::size_t>(dimension)].write(has_bit(along, dimension));
  open_[open_.size() - 1].write(sel_copy.read());
}

/// The branches that are open, in the order of their opening.
std::vector<std::size_t> OutputModule::waiting() const {
  std::vector<std::size_t> open;
  for (const std::size_t b : in_line(turn_))
    if (rd_en[b].read()) open.push_back(b);
  for (std::size_t b = rd_en.size(); b-- > 0;)
    if (rd_en[b].read() && turn_[b].read() == 0) open.push_back(b);
  return open;
}

void OutputModule::take_turns() {
  const std::vector<std::size_t> open = waiting();
  const bool early =
      params_.selecting == Selecting::sequential && state_of(state.read()) != MhuState::output;
  for (std::size_t b = 0; b < hold_.size(); ++b) {
    const bool behind = params_.branching == Branching::serial && !open.empty() && open[0] != b;
    hold_[b].write(early || behind);
  }
  all_done.write(open.empty());
}

bool OutputModule::sends_last_fields() const {
  for (std::size_t b = 0; b < rd_en.size(); ++b)
    if (rd_en[b].read() && !outputs[b].eom.read()) return false;
  return true;
}

void OutputModule::queue() {
  drive_line(turn_, waiting());
  if (port_ < params_.dimensions && open_[static_cast<std::size_t>(port_)].read())
    throw ModelError(std::string(name()) + ": a message is to go back where it came from");
}

}  // namespace flitwave
