// testbenches/reference/circuit_interfaces.hpp: all interfaces of circuits, side by side.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "flitwave/testbenches/reference/circuit_routers.hpp"
#include "flitwave/testbenches/reference/sinks.hpp"

namespace flitwave::reference {

/// A packet was refused a circuit too often.
class TooManyRefusals : public std::exception {};

/// Send a probe for every packet and the packet when its circuit stands; answer probes that come.
class CircuitInterfaces {
 public:
  CircuitInterfaces(const Params& params, const Wiring& wiring, Packets& packets, Mail& mail,
                    Sinks& sinks, Window& window, CircuitCounts& counts);

  /// One cycle of all nodes.
  /// Throws: TooManyRefusals
  void tick(Cycle now);

  /// No more packets are made, and those that no injection channel has begun are forgotten.
  void stop();
  const Sources& sources() const { return sources_; }
  bool at_rest() const { return all_to_send_ == 0 && packets_.inside() == 0; }

 private:
  /// The packet that one injection channel sends.
  struct Call {
    Index packet = -1;  // none
    Index length = 0;
    Index sent = 0;
    Index stands = 0;  // its circuit does
    Cycle ask_at = 0;  // when the probe may be sent at the earliest
    Cycle first_probe = 0;
    Cycle last_probe = 0;
    std::int64_t refused = 0;
  };

  void tick_one(Index node);
  void take_answer(Index sender, Index answer);
  Cycle wait_after(std::int64_t refusals);
  void eject(Mask ports);
  void inject(Index local);

  const Params& params_;
  const Wiring& wiring_;
  Packets& packets_;
  Mail& mail_;
  Sources sources_;
  Sinks& sinks_;
  Window& window_;
  CircuitCounts& counts_;
  Cycle now_ = 0;
  Index node_ = 0;  // in turn
  // Per node.
  Field<Random> choices_;
  Field<Random> backoffs_;
  Field<Index> to_send_;  // packets not wholly sent
  Field<Call> calls_;     // per injection channel: node * most_locals + local port
  std::int64_t all_to_send_ = 0;
};

}  // namespace flitwave::reference
