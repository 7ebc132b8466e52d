// algorithms/reservation/fair_share.hpp: streams of flits that share the rate of a channel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "configs/quantity.hpp"

namespace flitwave {

/// Flits of a worm that depart on a channel, evenly.
struct FlitStream {
  std::int64_t flits = 0;  ///< How many; 0: none. Range: at most `time`
  Cycle time = 0;          ///< The time that they take if nothing else departs. Unit: cycle
  Cycle done = 0;          ///< The time that they take; set by share_channel. Unit: cycle

  // Within share_channel, in parts of a flit.
  std::int64_t left = 0;
  std::int64_t rate = 0;  // that it can have
  std::int64_t part = 0;  // that it has
};

/// Streams that begin in the same cycle share a channel, which one flit crosses in a cycle. Each
/// has the same part of it, or as much as it needs, until another one ends (max-min fairness).
/// Sets FlitStream::done of each; it is at least FlitStream::time.
void share_channel(std::vector<FlitStream>& streams);

}  // namespace flitwave
