// routers/relay/blocks/block_params.hpp: how many wires and cycles the blocks of a router have.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "algorithms/cube_multicast/relay/relay_times.hpp"
#include "configs/quantity.hpp"
#include "routers/relay/gateway_turns.hpp"

namespace flitwave {

/// The largest cube of routers made of blocks.
constexpr int most_block_dimensions = 6;

/// How the blocks of a router are built. One cycle is one of the links' clock.
struct BlockParams {
  int dimensions = 3;  ///< n. Range: 1 .. most_block_dimensions
  int rows = 4;        ///< m: destinations that the Store has room for. Range: 1 .. 63
  int selection = 10;  ///< T_c: a routing cycle. Unit: cycle
  int field = 1;       ///< T_f: a field crosses a link. Unit: cycle
  int latency = 1;     ///< Of links between routers; those of processors have 1. Unit: cycle
  /// T_hs: from `rts` to the first field; none: as long as the wires take. Unit: cycle
  std::optional<int> handshake{};
  int data = 64;  ///< L_max: the longest message. Unit: fields
  bool fault_tolerant = false;
  bool type_checker = true;  ///< Without one all messages are served by the Multicaster.
  bool broadcaster = true;
  /// A destination that is a faulty neighbour is left out, and the sender told otherwise; else it
  /// is an error.
  bool gives_up = false;
  Selecting selecting = Selecting::overlapped;
  Branching branching = Branching::parallel;
  RelaySwitching switching = RelaySwitching::header;
  GatewayRule arbitration = GatewayRule::fcfs;

  /// Throws: ConfigError on the name of what is out of range, or "broadcaster" when there is one
  ///   without a Type Checker, or the other way round.
  void check() const;

  /// How long a unit takes to acknowledge. `local`: the local processor. Unit: cycle
  int answers_after(bool local) const {
    const int wires = 2 * (local ? 1 : latency);
    return handshake.value_or(wires) - wires;
  }
  int outputs() const { return dimensions + 1; }
  int everybody() const { return (1 << dimensions) - 1; }
  /// Of the data buffer: a message of the longest, with its source and a list that is too long
  /// for the Store.
  int buffer() const { return data + 1 + (broadcaster ? everybody() : 0); }
};

/// The chip that was built: one message handling unit for Q_3, which has neither Type Checker nor
/// Broadcaster, with a routing cycle of 1 us at links of 10 MHz. That it has four rows is ours.
/// Source: Lan 1988, section 6.7
BlockParams prototype_chip();
/// Its routing cycle, as measured.
constexpr Duration prototype_cycle{1000000};

}  // namespace flitwave
