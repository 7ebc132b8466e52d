// modules/input_port.cpp: see input_port.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/modules/input_port.hpp"

#include <sstream>

#include "flitwave/configs/error.hpp"

namespace flitwave {

InputPort::InputPort(const sc_core::sc_module_name& name, Channel& channel)
    : sc_module(name),
      channel_(channel),
      end_(channel.downstream()),
      depth_(channel.params().depth()),
      whole_packet_(channel.params().whole_packet),
      credits_(channel.params().handshake == Handshake::credit),
      queues_(static_cast<std::size_t>(channel.params().vcs)),
      slots_(queues_.size() * static_cast<std::size_t>(depth_)) {}

void InputPort::overflow(Flit flit) const {
  std::ostringstream text;
  text << sc_module::name() << ": a flit came to a full buffer or a missing virtual channel ("
       << flit << ", " << vcs() << " virtual channels of " << depth_ << " flits)";
  throw ModelError(text.str());
}

}  // namespace flitwave
