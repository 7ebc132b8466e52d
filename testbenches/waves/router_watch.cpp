// testbenches/waves/router_watch.cpp: see router_watch.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/router_watch.hpp"

#include <algorithm>
#include <utility>

#include "testbenches/waves/files/wave_file.hpp"

namespace flitwave {

bool RouterWatch::serves(const Router& router) {
  if (router.is_opaque() || !router.ticks()) return false;
  for (int i = 0; i < router.ports(); ++i)
    if (const InputPort* const input = router.input(PortId(i))) {
      const Handshake handshake = input->channel().params().handshake;
      return handshake == Handshake::credit || handshake == Handshake::ready_valid;
    }
  return false;
}

RouterWatch::RouterWatch(Router& router, const PacketPool& packets)
    : SenderWatch(router, router.ports()),
      router_(router),
      packets_(packets),
      states_(static_cast<std::size_t>(router.ports())),
      claims_(states_.size()) {
  for (int i = 0; i < router.ports(); ++i) {
    const PortId port(i);
    if (router.input(port)) {
      inputs_.push_back(port);
      vcs_ = router.input(port)->vcs();
    }
    if (router.output(port)) outputs_.push_back(port);
  }
  buffers_.resize(states_.size() * static_cast<std::size_t>(vcs_));
  owners_.resize(buffers_.size());
}

void RouterWatch::ticked() {
  const bool has_read = read_buffers();
  const bool changed = read_outputs() || has_read;
  read_waits();
  for (const PortId output : outputs_) set(output.value(), states_[output.index()]);
  if (!changed) return;
  if (listener_) listener_->committed();
  notify();
}

/// Returns: whether a fill or a front has changed.
bool RouterWatch::read_buffers() {
  bool changed = false;
  for (const PortId input : inputs_) {
    const InputPort& port = *router_.input(input);
    for (int vc = 0; vc < vcs_; ++vc) {
      Buffer& buffer = buffers_[place(input, vc)];
      const int fill = port.count(vc);
      const Flit flit = fill > 0 ? port.front(vc).flit : port.last_removed(vc);
      if (flit == buffer.flit && fill == buffer.fill && !(fill > 0 && flit.head())) continue;
      // The handle of a packet that has left may be that of a later one.
      if (flit.head() || flit.packet_bits() != buffer.flit.packet_bits())
        buffer.resident = packet_of(flit);
      buffer.flit = flit;
      const std::uint64_t front = fill > 0 ? buffer.resident : 0;
      changed = changed || fill != buffer.fill || front != buffer.front;
      buffer.fill = fill;
      buffer.front = front;
    }
  }
  return changed;
}

/// 0 when the packet has left the network since the flit was removed.
std::uint64_t RouterWatch::packet_of(Flit flit) const {
  const Packet* const packet = packets_.find(flit);
  return packet ? packet_value(packet->header.source, packet->number) : 0;
}

/// Reads the states of the virtual channels that are held. Returns: whether an owner has changed.
bool RouterWatch::read_outputs() {
  bool changed = false;
  std::fill(claims_.begin(), claims_.end(), 0);
  for (const PortId output : outputs_) {
    const OutputPort& port = *router_.output(output);
    ChannelState& state = states_[output.index()];
    state = port.sends_at_once() || port.flits_inside() == 0 ? ChannelState::idle
                                                             : ChannelState::pipeline;
    for (int vc = 0; vc < vcs_; ++vc) {
      const int holder = port.holder(vc);
      std::uint64_t owner = 0;
      if (holder >= 0) {
        claims_[static_cast<std::size_t>(holder / vcs_)] |= word_bit(holder % vcs_);
        owner = buffers_[static_cast<std::size_t>(holder)].resident;
        state = std::max(state, state_of(port, vc, holder));
      }
      if (std::exchange(owners_[place(output, vc)], owner) != owner) changed = true;
    }
  }
  return changed;
}

/// The state of a virtual channel that the buffer `holder` has claimed.
ChannelState RouterWatch::state_of(const OutputPort& port, int vc, int holder) const {
  if (buffers_[static_cast<std::size_t>(holder)].fill == 0) return ChannelState::idle;
  if (!port.can_send(vc)) return ChannelState::no_credit;
  return router_.lost_switch(PortId(holder / vcs_), holder % vcs_) ? ChannelState::lost_arbitration
                                                                   : ChannelState::pipeline;
}

/// Heads without a claim wait for the outputs on which they are blocked.
void RouterWatch::read_waits() {
  for (const PortId input : inputs_)
    for (int vc = 0; vc < vcs_; ++vc) {
      const bool claims = (claims_[input.index()] & word_bit(vc)) != 0;
      if (claims || buffers_[place(input, vc)].fill == 0) continue;
      if (!router_.input(input)->front(vc).flit.head()) continue;
      const WaitPoint point = router_.wait_point(input, vc);
      if (point.movable) continue;
      for (const WaitPoint::Alternative& wanted : point.waits_for) {
        const PortId output = wanted.downstream ? wanted.port : wanted.output;
        if (!output.valid()) continue;
        const bool is_free = (router_.output(output)->free_vcs() & word_bit(wanted.vc)) != 0;
        ChannelState& state = states_[output.index()];
        state = std::max(state, wanted.downstream && is_free ? ChannelState::no_credit
                                                             : ChannelState::waiting_for_vc);
      }
    }
}

}  // namespace flitwave
