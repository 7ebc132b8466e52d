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
      local_(local) {
  SC_METHOD(ask);
  sensitive << open << hold << phase;
  SC_METHOD(advance);
  sensitive << clk.pos();
  dont_initialize();
}

void OutputBranch::ask() {
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
      if (++beats_ < params_.field) return show(beats_ + 1 == params_.field);
      return next_field();
  }
}

/// Keeps the header, for what is selected next will overwrite it.
void OutputBranch::take_over() {
  const bool multicast = type.read();
  const CubeBits came = is_bcast.read() ? 0 : cube_bits(k_reg.read());
  list_in_buffer_ = !multicast;
  count_ = cube_bits(multicast ? sel_k.read() : k_reg.read());
  addresses_ = multicast ? count_ : came;
  control_ = cube_bits(sel_ctrl.read());
  selected_.clear();
  for (const BusIn& address : sel_addr) selected_.push_back(cube_bits(address.read()));
  sent_ = 0;
  last_ = false;
  drive(rd_ptr, local_ && !multicast ? came : 0);
}

CubeHeader OutputBranch::header() const {
  CubeHeader header{count_, {}, control_};
  if (!list_in_buffer_)
    header.destinations.assign(selected_.begin(),
                               selected_.begin() + static_cast<std::ptrdiff_t>(addresses_));
  return header;
}

void OutputBranch::next_field() {
  if (last_) {
    last_ = false;
    show(false);
    drive(rd_ptr, 0);  // a branch that opens has read nothing yet
    return enter(BranchPhase::idle);
  }
  const BranchPhase next = next_phase();
  drive(flit, field_for(next));
  enter(next);
  beats_ = 0;
  show(params_.field == 1);
}

BranchPhase OutputBranch::next_phase() const {
  switch (phase_of(phase.read())) {
    case BranchPhase::acknowledge:
      return local_ ? BranchPhase::buffer : BranchPhase::count;
    case BranchPhase::count:
    case BranchPhase::address:
      return sent_ < addresses_ ? BranchPhase::address : after_addresses();
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
      return count_;
    case BranchPhase::address: {
      const CubeBits number = sent_++;
      return list_in_buffer_ ? take() : selected_[number];
    }
    case BranchPhase::control:
      return control_;
    default:
      last_ = ends.read();
      return take();
  }
}

CubeBits OutputBranch::take() {
  if (!avail.read())
    throw ModelError(std::string(name()) + ": a gap in a message, whose data have not come yet");
  drive(rd_ptr, rd_ptr.read().to_uint64() + 1);
  return cube_bits(dout.read());
}

/// `complete`: in the last cycle of a field.
void OutputBranch::show(bool complete) {
  valid.write(complete);
  eom.write(complete && last_);
}

}  // namespace flitwave
