// modules/channel/input_port.cpp: see input_port.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/channel/input_port.hpp"

#include <algorithm>
#include <sstream>

#include "configs/error.hpp"
#include "modules/channel/port_name.hpp"

namespace flitwave {

struct InputPort::Rest {
  Rest(const char* its_name, Channel& its_channel) : name(its_name), channel(its_channel) {}

  PortName name;
  Channel& channel;
  Link<VcIndex>::Reader request;  // none unless there are requests
  ReadyWires::Writer ready;       // none unless under ready_valid
};

InputPort::InputPort() = default;

InputPort::~InputPort() = default;

void InputPort::attach(const char* name, Channel& channel) {
  const ChannelParams& params = channel.params();
  HotMemory& memory = channel.domain().commits().memory;
  ChannelEnd& end = channel.downstream();
  rest_ = std::make_unique<Rest>(name, channel);
  forward_ = end.forward.reader();
  if (end.back) back_ = end.back->writer();
  if (end.request) rest_->request = end.request->reader();
  if (end.ready) rest_->ready = end.ready->writer();
  returns_credits_ = params.handshake == Handshake::credit;
  ready_valid_ = params.handshake == Handshake::ready_valid;
  vcs_ = static_cast<std::uint8_t>(params.vcs);
  depth_ = params.depth();
  slots_ = memory.make<Slot>(params.vcs * depth_);
  queues_ = params.vcs == 1 ? &only_ : memory.make<Queue>(params.vcs);
}

Channel& InputPort::channel() const { return rest_->channel; }

bool InputPort::is_ready(int vc) const { return rest_->ready.ready(vc); }

/// Whether there is space for the next flit once `more` slots are free. Where only whole packets
/// are sent, the rest of its packet needs space as well.
bool InputPort::ready_for_more(const Queue& queue, int more) const {
  const int needed = queue.in_packet ? 1 : std::max(1, channel().params().whole_packet);
  return depth_ - queue.count + more >= needed;
}

void InputPort::lower_ready(Flit taken) {
  Queue& queue = queues_[taken.vc()];
  queue.in_packet = !taken.tail();
  if (!ready_for_more(queue, 0)) rest_->ready.drive(taken.vc(), false);
}

/// A flit is about to leave.
void InputPort::raise_ready(int vc) {
  const Queue& queue = queues_[vc];
  if (!ready_for_more(queue, 0) && ready_for_more(queue, 1)) rest_->ready.drive(vc, true);
}

void InputPort::answer(CircuitAnswer answer) {
  changed_ = true;
  back_.drive(answer.coded());
}

void InputPort::set_request_slot(const InboxSlot& slot) { rest_->request.set_slot(slot); }

bool InputPort::requested() const { return rest_->request.valid(); }

int InputPort::request() const { return rest_->request.received(); }

void InputPort::acknowledge(int buffer_class) {
  changed_ = true;
  back_.drive(static_cast<VcIndex>(buffer_class));
}

void InputPort::end_tick() {
  if (back_) back_.end_tick();
}

void InputPort::overflow(Flit flit) const {
  std::ostringstream text;
  text << rest_->name.name() << ": a flit arrived at a full buffer or a missing virtual channel ("
       << flit << ", " << vcs() << " virtual channels of " << depth_ << " flits)";
  throw ModelError(text.str());
}

}  // namespace flitwave
