// modules/processor/traffic_control.hpp: what the sources of an open-loop run share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/packet/job_part.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// Tells sources when to stop, and counts what they offer.
struct TrafficControl {
  Cycle until = INT64_MAX;  ///< No packet is made at or after this cycle.
  Cycle tagged_from = 0;    ///< Packets made from here on ...
  Cycle tagged_until = 0;   ///< ... and before here are counted.
  std::int64_t tagged = 0;  ///< How many of these: packets, or requests.
  /// Flits made in those cycles, by part of the job and source. Shape: [parts][nodes]
  std::array<std::vector<std::int64_t>, job_parts> offered;

  bool counts(Cycle now) const { return now >= tagged_from && now < tagged_until; }
  /// Something is made that the run waits for.
  void tag(Cycle now) { tagged += counts(now) ? 1 : 0; }
  /// A source has made a packet.
  void offer(JobPart part, NodeId source, std::int64_t flits, Cycle now) {
    if (counts(now)) offered_by(part)[source.index()] += flits;
  }
  std::vector<std::int64_t>& offered_by(JobPart part) {
    return offered[static_cast<std::size_t>(part)];
  }
  const std::vector<std::int64_t>& offered_by(JobPart part) const {
    return offered[static_cast<std::size_t>(part)];
  }
};

}  // namespace flitwave
