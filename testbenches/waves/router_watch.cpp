// testbenches/waves/router_watch.cpp: see router_watch.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/router_watch.hpp"

#include <algorithm>
#include <array>

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

RouterWatch::RouterWatch(Router& router, const PacketPool& packets, bool times_heads)
    : SenderWatch(router, router.ports()),
      router_(router),
      packets_(packets),
      times_heads_(times_heads) {
  for (int i = 0; i < router.ports(); ++i) {
    const PortId port(i);
    if (const InputPort* const input = router.input(port)) {
      inputs_.push_back({port, input, nullptr});
      vcs_ = input->vcs();
    }
    if (const OutputPort* const output = router.output(port))
      outputs_.push_back({port, output, output->free_vcs()});
  }
  const auto ports = static_cast<std::size_t>(router.ports());
  buffers_.resize(ports * static_cast<std::size_t>(vcs_));
  input_of_.resize(ports);
  output_of_.resize(ports);
  for (Input& input : inputs_) {
    input.buffers = &buffers_[input.number.index() * static_cast<std::size_t>(vcs_)];
    input_of_[input.number.index()] = &input;
  }
  for (Output& output : outputs_) output_of_[output.number.index()] = &output;
  if (times_heads_) blocked_since_.resize(buffers_.size() * ports, -1);
}

std::size_t RouterWatch::show(const WaveRouter& router) {
  int variable = 0;
  for (const PortId port : router.inputs)
    for (int vc = 0; vc < vcs_; ++vc, variable += 2)
      input_of_[port.index()]->buffers[vc].variable = variable;
  for (const PortId port : router.outputs) {
    output_of_[port.index()]->variable = variable;
    variable += vcs_;
  }
  values_.assign(static_cast<std::size_t>(variable), 0);
  changes_.assign((values_.size() + 63) / 64, 0);
  return values_.size();
}

void RouterWatch::ticked() {
  std::uint64_t heads = 0;
  for (Input& input : inputs_) {
    const bool is_empty = this->is_empty(*input.port);
    if (is_empty && input.is_empty) continue;
    input.is_empty = is_empty;
    read(input);
    heads |= input.heads;
  }
  for (Output& output : outputs_) {
    const OutputPort& port = *output.port;
    const bool crosses = !port.sends_at_once() && port.flits_inside() > 0;
    output.state = crosses ? ChannelState::pipeline : ChannelState::idle;
    if (output.held || port.free_vcs() != output.all_vcs) read(output);
  }
  if (heads != 0)
    for (const Input& input : inputs_)
      if (input.heads != 0) read_waits(input);
  if (times_heads_) time_heads();
  for (Output& output : outputs_)
    if (output.state != output.shown) set(output.number.value(), output.shown = output.state);
  if (!has_changes_) return;
  mark_.set();
  notify();
}

inline bool RouterWatch::is_empty(const InputPort& port) const {
  for (int vc = 0; vc < vcs_; ++vc)
    if (!port.empty(vc)) return false;
  return true;
}

inline void RouterWatch::read(Input& input) {
  input.heads = 0;
  for (int vc = 0; vc < vcs_; ++vc) {
    Buffer& buffer = input.buffers[vc];
    const int fill = input.port->count(vc);
    if (fill == 0 && buffer.fill == 0) continue;
    const Flit flit = fill > 0 ? input.port->front(vc).flit : input.port->last_removed(vc);
    if (fill > 0 && flit.head()) {
      input.heads |= word_bit(vc);
      buffer.holds = false;  // unless `read(Output&)` finds it
      buffer.blocking = 0;
    }
    buffer.follows = buffer.fill > 0 && flit != buffer.flit;
    buffer.is_new = buffer.fill == 0 || buffer.follows;
    if (fill == buffer.fill && flit == buffer.flit) continue;
    identify(buffer, flit);
    buffer.fill = fill;
    if (buffer.variable < 0) continue;
    change(buffer.variable, static_cast<std::uint64_t>(fill));
    change(buffer.variable + 1, fill > 0 ? buffer.packet : 0);
  }
}

/// The flit that is at the front of a buffer, or was removed last. Called before its fill is
/// renewed. The handle of a packet that has left may be that of a later one, whose head is first.
void RouterWatch::identify(Buffer& buffer, Flit flit) {
  const bool is_other = flit.packet_bits() != buffer.flit.packet_bits();
  if (is_other || (flit.head() && (flit != buffer.flit || buffer.fill == 0)))
    buffer.packet = packet_of(flit);
  buffer.flit = flit;
}

/// 0 when the packet has left the network since the flit was removed.
std::uint64_t RouterWatch::packet_of(Flit flit) const {
  const Packet* const packet = packets_.find(flit);
  return packet ? packet_value(packet->header.source, packet->number) : 0;
}

/// The virtual channels of an output of which one is held, or was in the last tick.
inline void RouterWatch::read(Output& output) {
  output.held = false;
  for (int vc = 0; vc < vcs_; ++vc) {
    const std::uint64_t owner = output.port->holder(vc) < 0 ? 0 : read_holder(vc, output);
    if (output.variable >= 0) change(output.variable + vc, owner);
  }
}

/// Returns: `packet_value` of the packet that holds the virtual channel.
inline std::uint64_t RouterWatch::read_holder(int vc, Output& output) {
  const int holder = output.port->holder(vc);
  Buffer& buffer = buffers_[static_cast<std::size_t>(holder)];
  output.held = buffer.holds = true;
  if (buffer.fill == 0) {
    identify(buffer,
             input_of_[static_cast<std::size_t>(holder / vcs_)]->port->last_removed(holder % vcs_));
  } else {
    const ChannelState state = state_of(*output.port, vc, holder);
    output.state = std::max(output.state, state);
    if (is_blocked(state)) buffer.blocking |= word_bit(output.number.value());
  }
  return buffer.packet;
}

/// The state of a virtual channel that the buffer `holder` holds, which is not empty.
inline ChannelState RouterWatch::state_of(const OutputPort& port, int vc, int holder) const {
  if (!port.can_send(vc)) return ChannelState::no_credit;
  return router_.lost_switch(PortId(holder / vcs_), holder % vcs_) ? ChannelState::lost_arbitration
                                                                   : ChannelState::pipeline;
}

/// Heads without a virtual channel wait for the outputs on which they are blocked.
void RouterWatch::read_waits(const Input& input) {
  for_each_bit(input.heads, [&](int vc) {
    Buffer& buffer = input.buffers[vc];
    if (buffer.holds) return read_further_waits(input, vc);
    const WaitPoint point = router_.wait_point(input.number, vc);
    if (point.movable) return;
    for (const WaitPoint::Alternative& wanted : point.waits_for) {
      const PortId port = wanted.downstream ? wanted.port : wanted.output;
      if (!port.valid()) continue;
      Output& output = *output_of_[port.index()];
      const bool is_free = (output.port->free_vcs() & word_bit(wanted.vc)) != 0;
      output.state =
          std::max(output.state, wanted.downstream && is_free ? ChannelState::no_credit
                                                              : ChannelState::waiting_for_vc);
      buffer.blocking |= word_bit(port.value());
    }
  });
}

/// A head that has a virtual channel may wait for others, by which its copies leave.
inline void RouterWatch::read_further_waits(const Input& input, int vc) {
  for_each_bit(router_.lost_claims(input.number, vc), [&](int output) {
    ChannelState& state = output_of_[static_cast<std::size_t>(output)]->state;
    state = std::max(state, ChannelState::waiting_for_vc);
  });
}

void RouterWatch::time_heads() {
  std::array<std::int64_t, 64> longest;  // per output
  longest.fill(-1);
  for (const Input& input : inputs_)
    for_each_bit(input.heads, [&](int vc) {
      time_head(input, vc);
      const std::int64_t* const since = times_of(input, vc);
      for (int i = 0; i < router_.ports(); ++i) {
        std::int64_t& first = longest[static_cast<std::size_t>(i)];
        if (since[i] >= 0 && (first < 0 || since[i] < first)) first = since[i];
      }
    });
  for (const Output& output : outputs_)
    set_head_blocked_since(output.number.value(), longest[output.number.index()]);
}

/// Of a router that does not say which claims were lost, a head whose virtual channel has become
/// free may lose it to another one: until it has one it waits on.
void RouterWatch::time_head(const Input& input, int vc) {
  const Buffer& buffer = input.buffers[vc];
  std::int64_t* const since = times_of(input, vc);
  if (buffer.is_new) std::fill_n(since, router_.ports(), -1);
  const std::uint64_t outputs = buffer.blocking | router_.lost_claims(input.number, vc);
  if (outputs == 0 && !buffer.holds) return;
  for (int i = 0; i < router_.ports(); ++i) {
    if ((outputs & word_bit(i)) == 0)
      since[i] = -1;
    else if (since[i] < 0 && !buffer.follows)
      since[i] = picoseconds_now();
  }
}

}  // namespace flitwave
