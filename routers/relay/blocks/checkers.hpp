// routers/relay/blocks/checkers.hpp: how a message is served, and whether it has arrived.
// input_module -> [checkers] -> mhu_controller
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "routers/relay/blocks/block_params.hpp"
#include "routers/relay/blocks/buses.hpp"

namespace flitwave {

/// Type Checker: latches k and selects the block that serves the message.
///
/// Timing: at the rising edge.
/// Throws: ModelError on k = 0; ConfigError on "header.k" when there is no Type Checker and k
///   exceeds the rows of the Store. The latch is there without it, and the type is always 1.
/// Source: Lan 1988, sections 6.5.3 and 6.7
class TypeChecker final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(TypeChecker);
  TypeChecker(const sc_core::sc_module_name& name, const BlockParams& params);

  WireIn clk{"clk"};
  BusIn fld{"fld"};  ///< Width: n
  WireIn fld_k{"fld_k"};
  WireOut type{"type"};          ///< 1: the Multicaster; 0: the Broadcaster.
  BusOut k_reg{"k_reg"};         ///< Width: n
  WireOut is_bcast{"is_bcast"};  ///< The message is for all nodes; there are no addresses.

 private:
  void latch();

  BlockParams params_;
};

/// Matching Checker: whether one of the destinations is the local processor.
///
/// Timing: `match` rises at the edge at which the address is latched, and falls with `clear`.
/// Source: Lan 1988, section 6.5.4
class MatchingChecker final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(MatchingChecker);
  explicit MatchingChecker(const sc_core::sc_module_name& name);

  WireIn clk{"clk"};
  BusIn rel{"rel"};  ///< Width: n
  WireIn fld_d{"fld_d"};
  WireIn clear{"clear"};
  WireOut match{"match"};

 private:
  void compare();
};

}  // namespace flitwave
