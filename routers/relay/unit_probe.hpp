// routers/relay/unit_probe.hpp: reports of the message handling units of relay routers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/quantity.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// The states of a message handling unit.
/// Source: Lan 1988, section 6.4.1
enum class UnitState : std::uint8_t {
  wait,        ///< No message is inside.
  input,       ///< A message is acknowledged, and the fields for the decision are being received.
  processing,  ///< Dimensions are being selected, one in each routing cycle.
  output,      ///< All are selected, and copies of the message are being sent.
};
std::vector<std::string> names_of(UnitState);

/// A message handling unit of a network.
struct UnitSite {
  NodeId node;
  int dimension = 0;     ///< Of the channel at whose end it is; -1: of the processor's.
  int buffer_class = 0;  ///< Among the units of this channel.
};

/// A unit enters a state.
struct UnitEntry {
  UnitSite unit;
  UnitState state = UnitState::wait;
  /// The first cycle of the state: the current one, or a later one. It supersedes earlier reports
  /// about this cycle and later ones.
  Cycle from = 0;
};

/// A unit selects a dimension for a message.
struct UnitSelection {
  UnitSite unit;
  Cycle cycle = 0;  ///< The cycle in which the selection ends: the current one, or a later one.
  int dimension = 0;
  /// The destinations of the copy, in the order of its header; empty for a message to all nodes.
  std::vector<NodeId> destinations;
};

/// Receives the reports of units.
class UnitProbe {
 public:
  virtual void entered(const UnitEntry& entry) = 0;
  virtual void selected(const UnitSelection& selection) = 0;

 protected:
  ~UnitProbe() = default;
};

/// The message handling units of a network, and their observer. Routers with such units have one as
/// their SharedPart.
class UnitReports {
 public:
  /// A router adds each of its units when it is built.
  void add_unit(const UnitSite& unit) { units_.push_back(unit); }
  /// Of all routers, in the order in which they were built.
  const std::vector<UnitSite>& units() const { return units_; }

  /// `probe`: outlives the routers.
  void observe_units(UnitProbe& probe) { probe_ = &probe; }
  /// Null unless units are observed.
  UnitProbe* probe() const { return probe_; }

 protected:
  ~UnitReports() = default;

 private:
  std::vector<UnitSite> units_;
  UnitProbe* probe_ = nullptr;
};

}  // namespace flitwave
