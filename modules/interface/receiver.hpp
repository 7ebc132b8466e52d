// modules/interface/receiver.hpp: the interface's state of an ejection channel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "modules/channel/input_port.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

/// Flits of an ejection channel are taken in turn from its virtual channels, one in a cycle.
struct Receiver {
  InputPort* port = nullptr;
  std::uint64_t occupied = 0;  // bit per virtual channel with flits
  int last_vc = 0;
  Cycle held_until = 0;  // first cycle in which it takes flits again

  /// Of some virtual channels, at least one: the first after the one that was served last.
  int next_of(std::uint64_t vcs) const { return first_beyond(vcs, last_vc); }
};

}  // namespace flitwave
