// modules/channel/output_port.cpp: see output_port.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/channel/output_port.hpp"

#include "configs/error.hpp"
#include "modules/channel/port_name.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

std::vector<std::string> names_of(VcReallocation) { return {"non_atomic", "atomic"}; }

struct OutputPort::Rest {
  Rest(const char* its_name, Channel& its_channel, int its_traversal)
      : name(its_name), channel(its_channel), traversal(its_traversal) {}

  PortName name;
  Channel& channel;
  int traversal;
  DelayLine<Flit> crossing;             // traversal > 0, but for ready_valid
  DelayLine<VcIndex> late;              // credits that are not yet counted
  std::unique_ptr<ReadySender> sender;  // ready_valid
  std::vector<PacketSlots> slots;       // Shape: [vcs], when counted
  Link<VcIndex>::Writer request;        // none unless there are requests
  ReadyWires::Reader ready;             // none unless under ready_valid
};

OutputPort::OutputPort() = default;

OutputPort::~OutputPort() = default;

void OutputPort::attach(const char* name, Channel& channel, int traversal,
                        VcReallocation reallocation) {
  const ChannelParams& params = channel.params();
  ChannelEnd& end = channel.upstream();
  rest_ = std::make_unique<Rest>(name, channel, traversal);
  forward_ = end.forward.writer();
  if (end.back) back_ = end.back->reader();
  if (end.request) rest_->request = end.request->writer();
  if (end.ready) {
    rest_->ready = end.ready->reader();
    rest_->sender = std::make_unique<ReadySender>(params.vcs, 1 + traversal);
  }
  states_ = params.vcs == 1 ? &only_ : channel.domain().commits().memory.make<Vc>(params.vcs);
  free_ = first_bits(params.vcs);
  depth_ = params.depth();
  vcs_ = static_cast<std::uint8_t>(params.vcs);
  for (int vc = 0; vc < params.vcs; ++vc) states_[vc].credits = depth_;
  atomic_ = reallocation == VcReallocation::atomic;
  counts_credits_ = params.handshake == Handshake::credit;
  ready_valid_ = params.handshake == Handshake::ready_valid;
  sends_at_once_ = !ready_valid_ && traversal == 0;
  each_credit_wakes_ = atomic_ || params.whole_packet > 0;
}

void OutputPort::count_packet_slots() {
  const int packet = channel().params().whole_packet;
  rest_->slots.assign(vcs_, PacketSlots(depth_ / packet, depth_));
  has_slots_ = true;
}

void OutputPort::set_slot(const InboxSlot& slot) {
  module_ = slot.module;
  if (!back_) return rest_->ready.set_module(slot.module);
  back_.set_slot(slot);
  if (!counts_credits_ || channel().params().credit_delay.count > 0) return;
  back_.set_counter(*this);
  channel().domain().commits().count_credits = &OutputPort::count_credits;
}

void OutputPort::count_credits(CommitQueue& queue) {
  for (const CreditInFlight& credit : queue.credits)
    if (credit.sender->count_credit(credit.vc)) queue.active.insert(credit.sender->module());
  queue.credits.clear();
}

Channel& OutputPort::channel() const { return rest_->channel; }

void OutputPort::delay_credit(Cycle now) {
  rest_->late.push(back_.received(), now + channel().params().credit_delay.count);
}

bool OutputPort::count_late_credits(Cycle now) {
  DelayLine<VcIndex>& late = rest_->late;
  while (late.due(now)) {
    count_credit(late.front());
    late.pop();
  }
  return !late.empty();
}

void OutputPort::request(int buffer_class) {
  changed_ = true;
  rest_->request.drive(static_cast<VcIndex>(buffer_class));
}

void OutputPort::end_tick() {
  forward_.end_tick();
  if (rest_->request) rest_->request.end_tick();
}

bool OutputPort::complete_offer(Cycle now) {
  return rest_->sender->complete(rest_->ready.bits(), now);
}

bool OutputPort::has_place(int vc) const { return rest_->sender->has_room(vc); }

bool OutputPort::is_sure(int vc, Cycle now) const {
  return rest_->sender->is_sure(vc, rest_->ready.bits(), now);
}

PacketSlots& OutputPort::slots(int vc) const { return rest_->slots[static_cast<std::size_t>(vc)]; }

void OutputPort::send_late(Flit flit, Cycle now) {
  if (ready_valid_)
    rest_->sender->push(flit, now + rest_->traversal);
  else
    rest_->crossing.push(flit, now + rest_->traversal);
}

bool OutputPort::drive(Cycle now) {
  if (ready_valid_) {
    ReadySender& sender = *rest_->sender;
    if (sender.choose(rest_->ready.bits(), now)) forward_.drive(sender.offer());
    return !sender.empty();
  }
  DelayLine<Flit>& crossing = rest_->crossing;
  if (crossing.due(now)) {
    forward_.drive(crossing.front());
    crossing.pop();
  }
  return !crossing.empty();
}

int OutputPort::flits_inside() const {
  return static_cast<int>(rest_->crossing.size()) + (ready_valid_ ? rest_->sender->size() : 0);
}

bool OutputPort::at_rest() const {
  if (flits_inside() > 0) return false;
  if (counts_credits_)
    for (int vc = 0; vc < vcs_; ++vc)
      if (states_[vc].credits != depth_) return false;
  return true;
}

void OutputPort::overflow(int vc) const {
  throw ModelError(std::string(rest_->name.name()) +
                   ": more credits than buffer slots on virtual channel " + std::to_string(vc));
}

}  // namespace flitwave
