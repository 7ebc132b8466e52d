// modules/interface/request_exchange.hpp: requests and acknowledgements of whole messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "modules/interface/exchange.hpp"

namespace flitwave {

/// The handshake request. A packet is sent as a group, once the router has acknowledged it; what
/// arrives is acknowledged, one packet at a time. See RequestProtocol.
class RequestExchange final : public Exchange {
 public:
  explicit RequestExchange(const ExchangeSite& site);

  void on_return(Injection& injection, Cycle now) override;
  void on_requests(std::uint64_t requested, Cycle now) override;
  void on_packet(int port) override;
  bool accepts(int port, Flit flit, Cycle now) override;
  bool claims_first() const override { return true; }
  void begin(Sender& sender, Packet packet, Cycle now) override;
  bool may_send(const Sender& sender, Cycle /*now*/) const override { return sender.acknowledged; }
  void on_send(const Sender& sender, Cycle now) override;
  bool at_rest() const override;
  bool is_faulty(Cycle now) const override { return now >= site_.site.breaks; }
  void forget() override;
  void lose(Sender& sender, Cycle now) override;

 private:
  /// Of an ejection channel.
  struct Arrival {
    bool acknowledged = false;  // a requested packet is to arrive
    Cycle answers_at = -1;      // when its request is acknowledged; -1: it has none
  };

  void acknowledge(int port, Cycle now);
  Cycle acknowledges_after(int port) const;
  void add_group(Sender& sender, Packet packet, Cycle now);

  ExchangeSite site_;
  std::vector<Arrival> arrivals_;  // Shape: [ports]
  std::uint64_t waiting_ = 0;      // ejection channels with a request that is not acknowledged
};

}  // namespace flitwave
