// modules/shared_medium.hpp: a cable that carries the frame of one station at a time.
// station -> [shared_medium] -> all stations
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <systemc>

#include "modules/clock/clocked.hpp"
#include "modules/shared_part.hpp"

namespace flitwave {

/// The segment to which all stations of a network are attached. It drives the signals `carrier` and
/// `collision`; the stations themselves exchange the data.
///
/// Timing: the medium reads at edge t + 1 what a station drives at edge t, and all stations observe
///   the change at edge t + 2: stations that begin in the same cycle or in adjacent ones collide.
/// Source: Metcalfe and Boggs 1976, "Ethernet: distributed packet switching for local computer
///   networks"
class SharedMedium final : public Clocked, public SharedPart {
 public:
  SharedMedium(const sc_core::sc_module_name& name, ClockDomain& domain, int stations);

  /// From the edge at which a station drives its wire to the edge at which others observe it.
  static constexpr Cycle hearing_delay = 2;
  /// From the same edge to the edge at which the station has detected any collision.
  static constexpr Cycle collision_window = hearing_delay + 1;

  sc_core::sc_vector<sc_core::sc_signal<bool>>
      transmit;                                     ///< Shape: [stations]; driven by the stations.
  sc_core::sc_signal<bool> carrier{"carrier"};      ///< At least one station transmits.
  sc_core::sc_signal<bool> collision{"collision"};  ///< More than one station transmits.

  /// `station` is ticked when carrier or collision has changed.
  void attach(Clocked& station) { stations_.push_back(&station); }
  /// Called by stations when one of the wires `transmit` is driven to another level.
  void notice() { domain().wake(*this); }

  /// medium.frames: transmissions without collision; medium.collisions; medium.busy.
  std::vector<Count> counts() const override;

 private:
  void tick() override;
  void count(int transmitting);

  std::vector<Clocked*> stations_;
  Cycle busy_since_ = 0;
  bool collided_ = false;  // the current transmission has collided
  std::int64_t frames_ = 0;
  std::int64_t collisions_ = 0;
  std::int64_t busy_ = 0;
};

}  // namespace flitwave
