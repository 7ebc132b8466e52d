// testbenches/observers/transfer_travels.hpp: what the network does with the transfers of a
// schedule.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "testbenches/job/observer.hpp"
#include "testbenches/observers/anatomy.hpp"

namespace flitwave {

/// What the network did with a transfer.
struct TransferTravel {
  Cycle created = -1;         ///< When it was handed to the interface.
  Cycle started = -1;         ///< When the interface began with its first packet.
  Anatomy::Moment sent;       ///< Its last packet's tail, when the router took it.
  Anatomy::Moment delivered;  ///< The tail that came last.
  int ejection = 0;           ///< The channel that it came by.
};

/// Follows the packets of a schedule's transfers. Needs: a site with a schedule.
class TransferTravels {
 public:
  /// `site` outlives it.
  explicit TransferTravels(const ObserverSite& site);

  /// A flit crossed a channel; `now` is what the anatomy said of it. Injection and ejection
  /// channels are all that matter.
  void crossed(const Transit& transit, const Anatomy::Moment& now);

  /// Shape: [transfers]
  const std::vector<TransferTravel>& all() const { return travels_; }

 private:
  const ObserverSite& site_;
  std::map<std::uint64_t, std::uint64_t> transfer_of_;  // by Flit::packet_bits, on their way
  std::vector<TransferTravel> travels_;
};

/// What the anatomy must know of a network.
AnatomySite anatomy_site(const ObserverSite& site);

}  // namespace flitwave
