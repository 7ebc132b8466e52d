// modules/traffic_control.hpp: what the sources of an open-loop run share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "flitwave/configs/quantity.hpp"
#include "flitwave/topologies/ids.hpp"

namespace flitwave {

/// Tells sources when to stop, and counts what they offer.
struct TrafficControl {
  Cycle until = INT64_MAX;            ///< No packet is made at or after this cycle.
  Cycle tagged_from = 0;              ///< Packets made from here on ...
  Cycle tagged_until = 0;             ///< ... and before here are counted.
  std::int64_t tagged = 0;            ///< How many of these: packets, or requests.
  std::vector<std::int64_t> offered;  ///< Flits made in those cycles, by source. Shape: [nodes]

  bool counts(Cycle now) const { return now >= tagged_from && now < tagged_until; }
  /// Something is made that the run waits for.
  void tag(Cycle now) { tagged += counts(now) ? 1 : 0; }
  /// A source has made a packet.
  void offer(NodeId source, std::int64_t flits, Cycle now) {
    if (counts(now)) offered[source.index()] += flits;
  }
};

}  // namespace flitwave
