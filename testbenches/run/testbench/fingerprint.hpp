// testbenches/run/testbench/fingerprint.hpp: one number for all transits on all channels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/packet/packet_pool.hpp"
#include "modules/signals/transit.hpp"
#include "modules/transaction/packet_delivery.hpp"

namespace flitwave {

/// A sum of hashes of all transits, independent of their order within a cycle. Equal runs have
/// equal fingerprints; a flit that moves a cycle later, on another channel or on another virtual
/// channel changes it.
class Fingerprint final : public TransitListener, public DeliveryListener {
 public:
  explicit Fingerprint(const PacketPool& packets) : packets_(packets) {}

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override;
  /// At transaction fidelity: the channels of a packet, and its times on them.
  void on_delivery(const PacketDelivery& delivery) override;

  std::uint64_t value() const { return sum_; }
  /// Transits counted.
  std::int64_t count() const { return count_; }
  /// The cycle of the last transit.
  Cycle last() const { return last_; }

 private:
  const PacketPool& packets_;
  std::uint64_t sum_ = 0;
  std::int64_t count_ = 0;
  Cycle last_ = 0;
};

}  // namespace flitwave
