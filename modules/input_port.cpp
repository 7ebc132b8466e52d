// modules/input_port.cpp: see input_port.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/modules/input_port.hpp"

#include <sstream>

#include "flitwave/configs/error.hpp"

namespace flitwave {

InputPort::InputPort(const sc_core::sc_module_name& name, Channel& channel)
    : sc_module(name),
      channel_(channel),
      queues_(static_cast<std::size_t>(channel.params().vcs)),
      slots_(queues_.size() * static_cast<std::size_t>(channel.params().depth())) {
  const ChannelParams& params = channel.params();
  ChannelEnd& end = channel.downstream();
  hot_.forward = &end.forward;
  if (params.handshake == Handshake::credit) hot_.credit = end.back.get();
  hot_.ready = end.ready.get();
  hot_.queues = queues_.data();
  hot_.slots = slots_.data();
  hot_.vcs = params.vcs;
  hot_.depth = params.depth();
  hot_.whole_packet = params.whole_packet;
}

void InputPort::answer(Answer answer) {
  channel_.downstream().back->drive(static_cast<VcIndex>(answer));
}

void InputPort::end_tick() {
  if (channel_.downstream().back) channel_.downstream().back->end_tick();
}

void InputPort::overflow(Flit flit) const {
  std::ostringstream text;
  text << sc_module::name() << ": a flit came to a full buffer or a missing virtual channel ("
       << flit << ", " << vcs() << " virtual channels of " << depth() << " flits)";
  throw ModelError(text.str());
}

}  // namespace flitwave
