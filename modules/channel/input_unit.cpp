// modules/channel/input_unit.cpp: see input_unit.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/channel/input_unit.hpp"

#include <algorithm>
#include <sstream>

#include "configs/error.hpp"
#include "modules/channel/input_port.hpp"

namespace flitwave {

void InputUnit::attach(const InputPort& port, Channel& channel) {
  const ChannelParams& params = channel.params();
  CommitQueue& memory = channel.domain().commits();
  ChannelEnd& end = channel.downstream();
  port_ = &port;
  forward_ = &end.forward;
  if (params.handshake == Handshake::credit) credit_ = end.back;
  ready_valid_ = params.handshake == Handshake::ready_valid;
  vcs_ = static_cast<std::uint8_t>(params.vcs);
  depth_ = params.depth();
  slots_ = memory.make<Slot>(params.vcs * depth_);
  queues_ = params.vcs == 1 ? &only_ : memory.make<Queue>(params.vcs);
}

Channel& InputUnit::channel() const { return port_->channel(); }

ReadyLane* InputUnit::ready() const { return channel().downstream().ready.get(); }

/// Whether the next flit has room once `more` slots are free; where only whole packets come, so
/// must the rest of its packet.
bool InputUnit::ready_for_more(const Queue& queue, int more) const {
  const int needed = queue.in_packet ? 1 : std::max(1, channel().params().whole_packet);
  return depth_ - queue.count + more >= needed;
}

void InputUnit::lower_ready(Flit taken) {
  Queue& queue = queues_[taken.vc()];
  queue.in_packet = !taken.tail();
  if (!ready_for_more(queue, 0)) ready()->drive(taken.vc(), false);
}

/// A flit is about to leave.
void InputUnit::raise_ready(int vc) {
  const Queue& queue = queues_[vc];
  if (!ready_for_more(queue, 0) && ready_for_more(queue, 1)) ready()->drive(vc, true);
}

void InputUnit::answer(CircuitAnswer answer) {
  changed_ = true;
  channel().downstream().back->drive(answer.coded());
}

void InputUnit::set_request_reader(const LaneReader& reader) {
  channel().downstream().request->set_reader(reader);
}

bool InputUnit::requested() const { return channel().downstream().request->valid(); }

int InputUnit::request() const { return channel().downstream().request->received(); }

void InputUnit::acknowledge(int buffer_class) {
  changed_ = true;
  channel().downstream().back->drive(static_cast<VcIndex>(buffer_class));
}

void InputUnit::end_tick() {
  if (Lane<VcIndex>* back = channel().downstream().back) back->end_tick();
}

void InputUnit::overflow(Flit flit) const {
  std::ostringstream text;
  text << port_->name() << ": a flit came to a full buffer or a missing virtual channel (" << flit
       << ", " << vcs() << " virtual channels of " << depth_ << " flits)";
  throw ModelError(text.str());
}

}  // namespace flitwave
