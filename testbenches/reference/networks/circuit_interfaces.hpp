// testbenches/reference/networks/circuit_interfaces.hpp: the interfaces of all nodes under circuit
// switching.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "testbenches/reference/networks/circuit_routers.hpp"
#include "testbenches/reference/sinks.hpp"

namespace flitwave::reference {

/// A packet was rejected too often.
class TooManyRejections : public std::exception {};

/// Send a probe for every packet and the packet when its circuit is established, and acknowledge
/// arriving probes.
///
/// An injection channel is node * most_locals + local port. It has as many senders as slots,
/// numbered channel * slots + sender, which take turns; each of them may hold any one of the slots.
class CircuitInterfaces {
 public:
  CircuitInterfaces(const Params& params, const Wiring& wiring, Packets& packets, Mail& mail,
                    Sinks& sinks, Window& window, CircuitCounts& counts);

  /// One cycle of all nodes.
  /// Throws: TooManyRejections
  void tick(Cycle now);

  /// Creates no more packets and drops those that no injection channel has begun.
  void stop();
  const Sources& sources() const { return sources_; }
  bool at_rest() const { return all_to_send_ == 0 && packets_.inside() == 0; }

 private:
  /// The packet of one sender.
  struct Call {
    Index packet = -1;  // none
    Index length = 0;
    Index sent = 0;
    Index established = 0;  // whether its circuit is established
    Cycle probe_at = 0;     // earliest cycle of the probe
    Cycle first_probe = 0;
    Cycle last_probe = 0;
    std::int64_t refused = 0;
  };

  void tick_one(Index node);
  void take_acknowledgement(Index channel, Index pulse);
  Cycle wait_after(std::int64_t rejections);
  void eject(Mask ports);
  void inject(Index local);
  bool send(Index local, Index sender, Index& holder);
  bool begin_packet(Call& call);

  const Params& params_;
  const Wiring& wiring_;
  Packets& packets_;
  Mail& mail_;
  Sources sources_;
  Sinks& sinks_;
  Window& window_;
  CircuitCounts& counts_;
  const Index slots_;
  Cycle now_ = 0;
  Index slot_ = 0;  // slot in which flits sent now are taken
  Index node_ = 0;  // current node
  // Per node.
  Field<Random> choices_;
  Field<Random> backoffs_;
  Field<Index> to_send_;  // packets not completely sent
  // Per injection channel.
  Field<Index> next_sender_;  // checked first; counts within the channel
  // Per sender.
  Field<Call> calls_;
  // Per slot of an injection channel: channel * slots + slot.
  Field<Index> holder_;  // the sender with a packet under way in it, or -1
  std::int64_t all_to_send_ = 0;
};

}  // namespace flitwave::reference
