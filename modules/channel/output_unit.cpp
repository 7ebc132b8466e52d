// modules/channel/output_unit.cpp: see output_unit.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/channel/output_unit.hpp"

#include "configs/error.hpp"
#include "modules/channel/output_port.hpp"

namespace flitwave {

std::vector<std::string> names_of(VcReallocation) { return {"non_atomic", "atomic"}; }

void OutputUnit::attach(OutputPort& port, Channel& channel, int traversal,
                        VcReallocation reallocation) {
  const ChannelParams& params = channel.params();
  port_ = &port;
  forward_ = &channel.upstream().forward;
  back_ = channel.upstream().back;
  states_ = params.vcs == 1 ? &only_ : channel.domain().commits().make<Vc>(params.vcs);
  free_ = params.vcs == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << params.vcs) - 1;
  depth_ = params.depth();
  vcs_ = static_cast<std::uint8_t>(params.vcs);
  for (int vc = 0; vc < params.vcs; ++vc) states_[vc].credits = depth_;
  atomic_ = reallocation == VcReallocation::atomic;
  counts_credits_ = params.handshake == Handshake::credit;
  ready_valid_ = params.handshake == Handshake::ready_valid;
  sends_at_once_ = !ready_valid_ && traversal == 0;
  each_credit_wakes_ = atomic_ || params.whole_packet > 0;
}

void OutputUnit::count_packet_slots() {
  const int packet = channel().params().whole_packet;
  port_->slots_.assign(vcs_, PacketSlots(depth_ / packet, depth_));
  has_slots_ = true;
}

void OutputUnit::set_reader(const LaneReader& reader) {
  reader_ = reader.module;
  if (!back_) return channel().upstream().ready->set_reader(reader.module);
  back_->set_reader(reader);
  if (!counts_credits_ || channel().params().credit_delay.count > 0) return;
  back_->set_counter(*this);
  channel().domain().commits().count_credits = &OutputUnit::count_credits;
}

void OutputUnit::count_credits(CommitQueue& queue) {
  for (const CreditInFlight& credit : queue.credits)
    if (credit.sender->count_credit(credit.vc)) queue.active.insert(credit.sender->reader());
  queue.credits.clear();
}

Channel& OutputUnit::channel() const { return port_->channel(); }

void OutputUnit::delay_credit(Cycle now) {
  port_->late_.push(back_->received(), now + channel().params().credit_delay.count);
}

bool OutputUnit::count_late_credits(Cycle now) {
  DelayLine<VcIndex>& late = port_->late_;
  while (late.due(now)) {
    count_credit(late.front());
    late.pop();
  }
  return !late.empty();
}

void OutputUnit::request(int buffer_class) {
  changed_ = true;
  channel().upstream().request->drive(static_cast<VcIndex>(buffer_class));
}

void OutputUnit::end_tick() {
  forward_->end_tick();
  if (Lane<VcIndex>* request = channel().upstream().request) request->end_tick();
}

bool OutputUnit::complete_offer(Cycle now) {
  return port_->sender_->complete(channel().upstream().ready->bits(), now);
}

bool OutputUnit::has_place(int vc) const { return port_->sender_->has_room(vc); }

bool OutputUnit::is_sure(int vc, Cycle now) const {
  return port_->sender_->is_sure(vc, channel().upstream().ready->bits(), now);
}

PacketSlots& OutputUnit::slots(int vc) const { return port_->slots_[static_cast<std::size_t>(vc)]; }

void OutputUnit::send_late(Flit flit, Cycle now) {
  if (ready_valid_)
    port_->sender_->push(flit, now + port_->traversal_);
  else
    port_->crossing_.push(flit, now + port_->traversal_);
}

bool OutputUnit::drive(Cycle now) {
  if (ready_valid_) {
    ReadySender& sender = *port_->sender_;
    if (sender.choose(channel().upstream().ready->bits(), now)) forward_->drive(sender.offer());
    return !sender.empty();
  }
  DelayLine<Flit>& crossing = port_->crossing_;
  if (crossing.due(now)) {
    forward_->drive(crossing.front());
    crossing.pop();
  }
  return !crossing.empty();
}

int OutputUnit::flits_inside() const {
  return static_cast<int>(port_->crossing_.size()) + (ready_valid_ ? port_->sender_->size() : 0);
}

bool OutputUnit::at_rest() const {
  if (flits_inside() > 0) return false;
  if (counts_credits_)
    for (int vc = 0; vc < vcs_; ++vc)
      if (states_[vc].credits != depth_) return false;
  return true;
}

void OutputUnit::overflow(int vc) const {
  throw ModelError(std::string(port_->name()) +
                   ": more credits than buffer slots on virtual channel " + std::to_string(vc));
}

}  // namespace flitwave
