// testbenches/reference/papers/relay_times.hpp: arrival times of a multicast without contention.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/cube_multicast/relay/relay_settings.hpp"

namespace flitwave {

/// A message in Lan's router: its settings, of which `switching` determines what a decision waits
/// for, and the times outside the routers. Unit: cycles of a link
/// Source: Lan 1988, sections 3.5 and 6.4; what these do not specify is ours
struct RelayTiming : RelaySettings {
  std::int64_t flight = 0;        ///< Time of a field on a longer link, beyond the first cycle.
  std::int64_t from_source = 0;   ///< tau_ss: until the source's router begins to receive.
  std::int64_t to_processor = 0;  ///< tau_sd: added to every arrival.
  std::int64_t data = 0;          ///< L. Unit: fields

  /// T_hs: a request and its acknowledgement.
  std::int64_t handshake() const { return handshake_time.cycles.value_or(2 * (1 + flight)); }
};

/// The times of a router for a message, from the cycle in which its first field begins to arrive.
struct RelaySchedule {
  std::int64_t decided = 0;            ///< The header (or message) has arrived; selection begins.
  std::vector<std::int64_t> branches;  ///< The first field of each begins to arrive at a neighbour.
  std::int64_t delivered = -1;         ///< The processor has the data; -1: it gets no copy.
  std::int64_t done = 0;               ///< The last branch and the copy have left.
};
RelaySchedule relay_schedule(const RelayTiming& timing, const CubeHeader& came,
                             const CubeDecision<CubeHeader>& decision);

/// The fields that wait in a router's buffer when a branch begins to send the part after the
/// destinations; without handshakes. `order`: the number of the branch's selection, from 1.
std::int64_t relay_buffer_fill(const RelayTiming& timing, int order, int header_length);

/// The time at which a processor has the data.
struct RelayArrival {
  CubeAddress node = 0;
  std::int64_t time = 0;  ///< Since the send command. Unit: cycles of a link
};

/// All arrivals of a message without other traffic in its cube, by time, then by node.
/// Throws: as `relay_walk`.
/// Source: for one destination Lan 1988, equations 3.4 to 3.6; for more ours
std::vector<RelayArrival> relay_arrivals(const Cube& cube, const RelayRules& rules,
                                         const RelayTiming& timing, CubeAddress source,
                                         const CubeHeader& header,
                                         const FaultsAt& faults = no_faults);

}  // namespace flitwave
