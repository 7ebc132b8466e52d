// routers/relay/blocks/broadcaster.hpp: along which dimensions a broadcast continues.
// store -> [broadcaster] -> output_port
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "routers/relay/blocks/block_params.hpp"
#include "routers/relay/blocks/buses.hpp"

namespace flitwave {

/// Broadcaster: a flag for each dimension, by a chain of gates.
/// Timing: combinational
/// Source: Lan 1988, section 6.5.6, Fig. 6.5
class Broadcaster final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Broadcaster);
  Broadcaster(const sc_core::sc_module_name& name, const BlockParams& params);

  BusIn a_s{"a_s"};  ///< Width: n
  BusOut g{"g"};     ///< Width: n

 private:
  void chain();

  int dimensions_;
};

/// Broadcaster of the fault-tolerant router: flags, and a control vector for each dimension.
/// Timing: combinational
/// Source: Lan 1988, section 7.4, Fig. 7.10
class BroadcasterFT final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(BroadcasterFT);
  BroadcasterFT(const sc_core::sc_module_name& name, const BlockParams& params);

  BusIn control_i{"control_i"};  ///< Width: n
  BusIn f{"f"};                  ///< Width: n
  BusOut send{"send"};           ///< Width: n
  BusOuts control_o;             ///< Shape: [n]. Width: n

 private:
  void gate();

  int dimensions_;
};

/// Takes the Broadcaster's flags one by one, lowest first.
///
/// Timing: `next` and `left` follow the flags; an edge with `cycle` serves the next flag; `clear`
///   marks all as not served.
/// Source: ours; Lan 1988 leaves open in which order the flags are served.
class FlagSequencer final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(FlagSequencer);
  FlagSequencer(const sc_core::sc_module_name& name, const BlockParams& params);

  WireIn clk{"clk"};
  BusIn flags{"flags"};  ///< Width: n
  WireIn cycle{"cycle"};
  WireIn clear{"clear"};
  BusOut next{"next"};  ///< One-hot, or 0. Width: n
  WireOut left{"left"};

 private:
  void choose();
  void serve();

  BusSignal served_;
};

}  // namespace flitwave
