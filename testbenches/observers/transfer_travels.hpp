// testbenches/observers/transfer_travels.hpp: the times of a schedule's transfers in the network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "testbenches/job/observer.hpp"
#include "testbenches/observers/anatomy.hpp"

namespace flitwave {

/// The times of a transfer in the network.
struct TransferTravel {
  Cycle created = -1;         ///< When it was handed to the interface.
  Cycle started = -1;         ///< When the interface began to send its first packet.
  Anatomy::Moment sent;       ///< The acceptance of its last packet's tail at the router.
  Anatomy::Moment delivered;  ///< The tail that arrived last.
  int ejection = 0;           ///< The channel by which it arrived.
};

/// Follows the packets of a schedule's transfers. Needs: a site with a schedule.
class TransferTravels {
 public:
  /// `site` outlives it.
  explicit TransferTravels(const ObserverSite& site);

  /// Records a flit that crossed a channel; `now` is its moment from the anatomy. Only injection
  /// and ejection channels are needed.
  void crossed(const Transit& transit, const Anatomy::Moment& now);

  /// Shape: [transfers]
  const std::vector<TransferTravel>& all() const { return travels_; }

 private:
  const ObserverSite& site_;
  std::map<std::uint64_t, std::uint64_t> transfer_of_;  // by Flit::packet_bits, in transit
  std::vector<TransferTravel> travels_;
};

/// The properties of a network that the anatomy needs.
AnatomySite anatomy_site(const ObserverSite& site);

}  // namespace flitwave
