// modules/channel/circuit.hpp: what the ends of a circuit exchange and count.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>

#include "configs/quantity.hpp"
#include "modules/signals/flit.hpp"

namespace flitwave {

/// The result of a probe.
enum class Answer : VcIndex {
  granted,  ///< The circuit is set up to the receiver; data may follow.
  busy,     ///< It has been torn down; probe again later.
};

/// The reply to the probe in one of a channel's slots, as it is encoded on the wires.
struct CircuitAnswer {
  Answer answer = Answer::granted;
  int slot = 0;  ///< Range: 0 .. virtual channels - 1

  VcIndex coded() const { return static_cast<VcIndex>(2 * slot + static_cast<int>(answer)); }
  static CircuitAnswer of(VcIndex coded) { return {static_cast<Answer>(coded % 2), coded / 2}; }
};

/// What a sender does when its circuit has been rejected.
struct CircuitRetry {
  Cycle backoff = 8;          ///< Mean wait before the second attempt; it doubles every time.
  Cycle longest = 1024;       ///< Where doubling ends.
  std::int64_t limit = 1000;  ///< Rejections of one packet that count as livelock.
};

/// The cost of circuits.
struct CircuitCounts {
  std::int64_t granted = 0;
  std::int64_t refused = 0;
  std::int64_t most_refused = 0;  ///< Of one packet.
  Cycle longest_wait = 0;         ///< From a packet's first probe to the grant.
};

/// A packet's circuit has been rejected too often.
class Livelock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace flitwave
