// routers/relay/mhu/output_branch.cpp: see output_branch.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/mhu/output_branch.hpp"

#include <string>

#include "configs/error.hpp"

namespace flitwave {

OutputBranch::OutputBranch(const sc_core::sc_module_name& name, const BlockParams& params,
                           bool local)
    : sc_module(name),
      sel_addr("sel_addr", static_cast<std::size_t>(params.capacity)),
      params_(params),
      local_(local),
      count_("count", bus_value(params.dimensions)),
      addresses_("addresses", bus_value(params.dimensions)),
      selected_("selected", sel_addr.size(), of_width(params.dimensions)),
      control_("control", bus_value(params.dimensions)),
      sent_("sent", bus_value(params.dimensions)),
      beats_("beats", bus_value(wires_for(static_cast<std::uint64_t>(params.field)))) {
  SC_METHOD(request_output);
  sensitive << open << hold << phase;
  SC_METHOD(advance);
  sensitive << clk.pos();
  dont_initialize();
}

void OutputBranch::request_output() {
  const BranchPhase now = phase_of(phase.read());
  const bool wants = open.read() || now == BranchPhase::request;
  req.write((wants && !hold.read()) || now == BranchPhase::acknowledge);
  rd_en.write(open.read() || now != BranchPhase::idle);
}

void OutputBranch::advance() {
  switch (phase_of(phase.read())) {
    case BranchPhase::idle:
      if (!open.read()) return;
      take_over();
      [[fallthrough]];
    case BranchPhase::request:
      return enter(gnt.read() ? BranchPhase::acknowledge : BranchPhase::request);
    case BranchPhase::acknowledge:
      if (go.read()) next_field();
      return;
    default:
      return next_beat();
  }
}

void OutputBranch::next_beat() {
  const int beats = static_cast<int>(beats_.read().to_uint64()) + 1;
  if (beats == params_.field) return next_field();
  drive(beats_, static_cast<std::uint64_t>(beats));
  show(beats + 1 == params_.field, last_.read());
}

/// Keeps the header, because the next selection overwrites it.
void OutputBranch::take_over() {
  const bool multicast = type.read();
  const CubeBits came = is_bcast.read() ? 0 : cube_bits(k_reg.read());
  list_in_buffer_.write(!multicast);
  drive(count_, cube_bits(multicast ? sel_k.read() : k_reg.read()));
  drive(addresses_, multicast ? cube_bits(sel_k.read()) : came);
  control_.write(sel_ctrl.read());
  for (std::size_t i = 0; i < selected_.size(); ++i) selected_[i].write(sel_addr[i].read());
  drive(sent_, 0);
  last_.write(false);
  drive(rd_ptr, local_ && !multicast ? came : 0);
}

CubeHeader OutputBranch::header() const {
  CubeHeader header{cube_bits(count_.read()), {}, cube_bits(control_.read())};
  if (list_in_buffer_.read()) return header;
  for (std::size_t i = 0; i < addresses_.read().to_uint64(); ++i)
    header.destinations.push_back(cube_bits(selected_[i].read()));
  return header;
}

void OutputBranch::next_field() {
  if (last_.read()) {
    last_.write(false);
    show(false, false);
    drive(rd_ptr, 0);  // a branch that opens has read nothing yet
    return enter(BranchPhase::idle);
  }
  const BranchPhase next = next_phase();
  const bool last = next == BranchPhase::buffer && ends.read();
  drive(flit, field_for(next));
  enter(next);
  last_.write(last);
  drive(beats_, 0);
  show(params_.field == 1, last);
}

BranchPhase OutputBranch::next_phase() const {
  switch (phase_of(phase.read())) {
    case BranchPhase::acknowledge:
      return local_ ? BranchPhase::buffer : BranchPhase::count;
    case BranchPhase::count:
    case BranchPhase::address:
      return sent_.read() < addresses_.read() ? BranchPhase::address : after_addresses();
    default:
      return BranchPhase::buffer;
  }
}

BranchPhase OutputBranch::after_addresses() const {
  return params_.fault_tolerant ? BranchPhase::control : BranchPhase::buffer;
}

CubeBits OutputBranch::field_for(BranchPhase next) {
  switch (next) {
    case BranchPhase::count:
      return cube_bits(count_.read());
    case BranchPhase::address: {
      const auto number = static_cast<std::size_t>(sent_.read().to_uint64());
      drive(sent_, number + 1);
      return list_in_buffer_.read() ? take() : cube_bits(selected_[number].read());
    }
    case BranchPhase::control:
      return cube_bits(control_.read());
    default:
      return take();
  }
}

CubeBits OutputBranch::take() {
  if (!avail.read())
    throw ModelError(std::string(name()) + ": a gap in a message, whose data have not come yet");
  drive(rd_ptr, rd_ptr.read().to_uint64() + 1);
  return cube_bits(dout.read());
}

/// `complete`: in the last cycle of a field. `last`: whether it is the message's last field.
void OutputBranch::show(bool complete, bool last) {
  valid.write(complete);
  eom.write(complete && last);
}

}  // namespace flitwave
