// modules/interface/circuit_exchange.hpp: probes and their replies at the ends of circuits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modules/channel/circuit.hpp"
#include "modules/interface/exchange.hpp"

namespace flitwave {

/// The handshake acknowledge. A packet's head is the probe of its circuit, and the rest waits for
/// the reply. A probe whose circuit was rejected is sent again after a random wait, whose mean
/// doubles each time. An injection channel has a sender for each of its time slots, and a packet
/// takes the first slot that is free when its probe can be sent. A probe that arrives is
/// acknowledged at once.
class CircuitExchange final : public Exchange {
 public:
  explicit CircuitExchange(const ExchangeSite& site)
      : site_(site),
        backoffs_(site.site.seed, "backoff", static_cast<std::uint64_t>(site.site.node.value())) {}

  /// Throws: ModelError when no probe awaits a reply; ends the run as a livelock.
  void on_return(Injection& injection, Cycle now) override;
  void on_head(int port, Flit head) override;
  bool claims_first() const override { return false; }
  void begin(Sender& sender, Packet packet, Cycle now) override;
  bool may_send(const Sender& sender, Cycle now) const override {
    return sender.sent == 0 ? sender.refused == 0 || now >= sender.open_at : sender.path_is_set;
  }
  bool is_in_turn(Sender& sender, Cycle now) override;

  CircuitCounts circuits() const override { return counts_; }

 private:
  void retry(Sender& sender, Cycle now);
  void end_run(const Sender& sender) const;

  ExchangeSite site_;
  CircuitCounts counts_;
  Random backoffs_;
};

}  // namespace flitwave
