// modules/processor/traffic_control.hpp: the shared state of the sources of an open-loop run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/packet/job_part.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// The end of injection, and the counters of the offered load.
struct TrafficControl {
  Cycle until = INT64_MAX;  ///< No packet is created at or after this cycle.
  Cycle tagged_from = 0;    ///< Packets created from this cycle on ...
  Cycle tagged_until = 0;   ///< ... and before this cycle are counted.
  std::int64_t tagged = 0;  ///< Number of counted packets, or requests.
  /// Flits created in those cycles, by part of the job and source. Shape: [parts][nodes]
  std::array<std::vector<std::int64_t>, job_parts> offered;

  bool counts(Cycle now) const { return now >= tagged_from && now < tagged_until; }
  /// Counts a packet or request for which the run waits.
  void tag(Cycle now) { tagged += counts(now) ? 1 : 0; }
  /// Counts a packet that a source has created.
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
