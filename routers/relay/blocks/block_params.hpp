// routers/relay/blocks/block_params.hpp: how many wires and cycles the blocks of a router have.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cube_multicast/relay/relay_settings.hpp"
#include "configs/quantity.hpp"

namespace flitwave {

/// The largest cube for routers that consist of blocks.
constexpr int most_block_dimensions = 6;

/// The construction of a router's blocks: its settings and its surroundings. A unit has a Type
/// Checker if it has a Broadcaster. One cycle is a cycle of the links' clock.
/// Range: capacity 1 .. 63
struct BlockParams : RelaySettings {
  int dimensions = 3;  ///< n. Range: 1 .. most_block_dimensions
  int latency = 1;     ///< Of links between routers; those of processors have 1. Unit: cycle
  int data = 64;       ///< L_max: the longest message. Unit: fields
  /// A destination that is a faulty neighbour is omitted, and reported otherwise; if false, it is
  /// an error.
  bool gives_up = false;

  /// Throws: ConfigError with the name of the parameter that is out of range.
  void check() const;

  /// How long a unit takes to acknowledge. `local`: the local processor. Unit: cycle
  int answers_after(bool local) const {
    const Cycle wires = Cycle{2} * (local ? 1 : latency);
    return static_cast<int>(handshake_time.cycles.value_or(wires) - wires);
  }
  int outputs() const { return dimensions + 1; }
  int everybody() const { return (1 << dimensions) - 1; }
  /// Of the data buffer: a message of the greatest length, with its source and a list that is too
  /// long for the Store.
  int buffer() const { return data + 1 + (broadcaster ? everybody() : 0); }
};

/// The chip that was built: one message handling unit for Q_3, which has neither Type Checker nor
/// Broadcaster, with a routing cycle of 1 us at links of 10 MHz. That it has four rows is ours.
/// Source: Lan 1988, section 6.7
BlockParams prototype_chip();
/// Its routing cycle, as measured.
constexpr Duration prototype_cycle{1000000};

}  // namespace flitwave
