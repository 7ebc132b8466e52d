// modules/output_port.cpp: see output_port.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/modules/output_port.hpp"

#include "flitwave/configs/error.hpp"

namespace flitwave {

std::vector<std::string> names_of(VcReallocation) { return {"non_atomic", "atomic"}; }

OutputPort::OutputPort(const sc_core::sc_module_name& name, Channel& channel, int traversal,
                       VcReallocation reallocation)
    : sc_module(name),
      channel_(channel),
      ready_(channel.upstream().ready.get()),
      traversal_(traversal) {
  const ChannelParams& params = channel.params();
  if (ready_) sender_ = std::make_unique<ReadySender>(params.vcs, 1 + traversal);
  vcs_.resize(index(params.vcs));
  for (Vc& vc : vcs_) vc.credits = params.depth();
  hot_.forward = &channel.upstream().forward;
  hot_.back = channel.upstream().back.get();
  hot_.states = vcs_.data();
  hot_.free = params.vcs == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << params.vcs) - 1;
  hot_.sender = sender_.get();
  hot_.vcs = params.vcs;
  hot_.depth = params.depth();
  hot_.atomic = reallocation == VcReallocation::atomic;
  hot_.counts_credits = params.handshake == Handshake::credit;
  hot_.straight = !sender_ && traversal == 0;
}

void OutputPort::count_packet_slots() {
  slots_.assign(vcs_.size(), PacketSlots(hot_.depth / channel_.params().whole_packet, hot_.depth));
  hot_.slots = slots_.data();
}

void OutputPort::set_reader(const LaneReader& reader) {
  if (hot_.back)
    hot_.back->set_reader(reader);
  else
    ready_->set_reader(reader.module);
}

void OutputPort::send_late(Flit flit, Cycle now) {
  if (sender_)
    sender_->push(flit, now + traversal_);
  else
    crossing_.push(flit, now + traversal_);
}

bool OutputPort::drive(Cycle now) {
  if (sender_) {
    if (sender_->choose(ready_->bits(), now)) hot_.forward->drive(sender_->offer());
    return !sender_->empty();
  }
  if (crossing_.due(now)) {
    hot_.forward->drive(crossing_.front());
    crossing_.pop();
  }
  return !crossing_.empty();
}

int OutputPort::flits_inside() const {
  return static_cast<int>(crossing_.size()) + (sender_ ? sender_->size() : 0);
}

bool OutputPort::at_rest() const {
  if (flits_inside() > 0) return false;
  if (hot_.counts_credits)
    for (const Vc& vc : vcs_)
      if (vc.credits != hot_.depth) return false;
  return true;
}

void OutputPort::overflow(int vc) const {
  throw ModelError(std::string(name()) + ": more credits than buffer slots on virtual channel " +
                   std::to_string(vc));
}

}  // namespace flitwave
