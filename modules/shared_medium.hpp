// modules/shared_medium.hpp: a cable on which one station at a time can be understood.
// station -> [shared_medium] -> all stations
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <systemc>

#include "modules/clock/clocked.hpp"
#include "modules/shared_part.hpp"

namespace flitwave {

/// The segment that all stations of a network are attached to. It tells them whether somebody
/// transmits, and whether two do; which data cross meanwhile is the stations' business.
///
/// Timing: what a station drives at edge t, the medium reads at edge t + 1, and all stations hear
///   of it at edge t + 2: stations that begin in the same cycle or in neighbouring ones collide.
/// Source: Metcalfe and Boggs 1976, "Ethernet: distributed packet switching for local computer
///   networks"
class SharedMedium final : public Clocked, public SharedPart {
 public:
  SharedMedium(const sc_core::sc_module_name& name, ClockDomain& domain, int stations);

  /// From a station's driving its wire to the edge at which others hear of it.
  static constexpr Cycle hearing_delay = 2;
  /// From its driving to the edge by which it knows whether it was alone.
  static constexpr Cycle collision_window = hearing_delay + 1;

  sc_core::sc_vector<sc_core::sc_signal<bool>> transmit;  ///< Shape: [stations]; driven by them.
  sc_core::sc_signal<bool> carrier{"carrier"};            ///< Somebody transmits.
  sc_core::sc_signal<bool> collision{"collision"};        ///< More than one transmits.

  /// `station` is ticked when carrier or collision has changed.
  void attach(Clocked& station) { stations_.push_back(&station); }
  /// For stations: one of the wires `transmit` is being driven to another level.
  void notice() { domain().wake(*this); }

  /// medium.frames: transmissions without collision; medium.collisions; medium.busy.
  std::vector<Count> counts() const override;

 private:
  void tick() override;
  void count(int transmitting);

  std::vector<Clocked*> stations_;
  Cycle busy_since_ = 0;
  bool spoilt_ = false;  // the transmission under way collided
  std::int64_t frames_ = 0;
  std::int64_t collisions_ = 0;
  std::int64_t busy_ = 0;
};

}  // namespace flitwave
