// testbenches/waves/sender_watch.cpp: see sender_watch.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/sender_watch.hpp"

#include <algorithm>

namespace flitwave {

SenderWatch::SenderWatch(Clocked& module, int outputs)
    : module_(module),
      is_plain_(module.domain().scheduling() == Scheduling::per_module),
      states_(static_cast<std::size_t>(outputs), ChannelState::idle),
      heads_(states_.size(), -1),
      marks_(states_.size()) {
  module.domain().listen(module, this);
}

void SenderWatch::stop() {
  if (std::exchange(stopped_, true)) return;
  module_.domain().listen(module_, nullptr);
}

void InterfaceWatch::ticked() {
  for (int i = 0; i < interface_.ports(); ++i) {
    const OutputPort& port = interface_.injection(i);
    ChannelState state = ChannelState::idle;
    for (int vc = 0; vc < port.vcs(); ++vc)
      if (port.holder(vc) >= 0)
        state =
            std::max(state, port.can_send(vc) ? ChannelState::pipeline : ChannelState::no_credit);
    set(i, state);
  }
}

}  // namespace flitwave
