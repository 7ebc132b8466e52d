// testbenches/reference/papers/relay_times.hpp: when a multicast arrives, if nothing is in its
// way.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/cube_multicast/relay/relay_settings.hpp"

namespace flitwave {

/// A message in Lan's router: its settings, where `switching` says what it waits for before it
/// decides, and what is around it. Unit: cycles of a link
/// Source: Lan 1988, sections 3.5 and 6.4; what it leaves open is ours
struct RelayTiming : RelaySettings {
  std::int64_t flight = 0;        ///< A field is on a longer link, beyond its first cycle.
  std::int64_t from_source = 0;   ///< tau_ss: until the source's router begins to receive.
  std::int64_t to_processor = 0;  ///< tau_sd: added to every arrival.
  std::int64_t data = 0;          ///< L. Unit: fields

  /// T_hs: a request and its acknowledgement.
  std::int64_t handshake() const { return handshake_time.cycles.value_or(2 * (1 + flight)); }
};

/// What a router does with a message, from the cycle in which its first field begins to come.
struct RelaySchedule {
  std::int64_t decided = 0;            ///< The header (or message) is there; selection begins.
  std::vector<std::int64_t> branches;  ///< The first field of each begins to come to a neighbour.
  std::int64_t delivered = -1;         ///< The processor has the data; -1: it gets no copy.
  std::int64_t done = 0;               ///< The last branch and the copy are gone.
};
RelaySchedule relay_schedule(const RelayTiming& timing, const CubeHeader& came,
                             const CubeDecision<CubeHeader>& decision);

/// The fields that wait in a router's buffer when its branch of some order begins to send what
/// stands behind the destinations; without handshakes.
/// `order`: the number of the branch's selection, from 1.
std::int64_t relay_buffer_fill(const RelayTiming& timing, int order, int header_length);

/// A processor has the data.
struct RelayArrival {
  CubeAddress node = 0;
  std::int64_t time = 0;  ///< Since the send command. Unit: cycles of a link
};

/// All arrivals of a message that is alone in its cube, by time, then by node.
/// Throws: as `relay_walk`.
/// Source: for one destination Lan 1988, equations 3.4 to 3.6; for more ours
std::vector<RelayArrival> relay_arrivals(const Cube& cube, const RelayRules& rules,
                                         const RelayTiming& timing, CubeAddress source,
                                         const CubeHeader& header,
                                         const FaultsAt& faults = no_faults);

}  // namespace flitwave
