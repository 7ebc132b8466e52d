// routers/relay/mhu/mhu_controller.hpp: the states of a message handling unit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "routers/relay/blocks/block_params.hpp"
#include "routers/relay/blocks/buses.hpp"
#include "routers/relay/unit_probe.hpp"

namespace flitwave {

/// In `wait` all is 0; in `processing` data continue to arrive.
using MhuState = UnitState;
inline MhuState state_of(const BusValue& value) { return static_cast<MhuState>(value.to_uint64()); }

/// The states of a message handling unit, and the timer of its routing cycles.
///
/// Timing: INPUT begins at the edge at which `rts` is sampled in WAIT. `ack` rises at that edge
///   too, or by as many cycles later as T_hs is longer than the wires take, and falls at the edge
///   at which `eom` is sampled. The edges with `cycle` are T_c, 2 T_c ... after the one at which
///   the header is complete. `state` changes from PROCESSING to OUTPUT without an edge as soon as
///   a cycle has ended and nothing is left to select. `clear` is high before the edge that leads
///   back to WAIT.
/// Source: Lan 1988, section 6.4.1; the guards are ours
class MhuController final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(MhuController);
  /// `local`: it serves the local processor.
  MhuController(const sc_core::sc_module_name& name, const BlockParams& params, bool local);

  WireIn clk{"clk"};
  WireIn rts{"rts"};
  WireIn valid{"valid"};
  WireIn eom{"eom"};
  WireIn fld_s{"fld_s"};  ///< The header is complete.
  WireIn msg_done{"msg_done"};
  WireIn type{"type"};
  WireIn term{"term"};  ///< Of the Multicaster.
  WireIn left{"left"};  ///< Of the Broadcaster's flags.
  WireIn all_done{"all_done"};

  WireOut ack{"ack"};
  BusOut state{"state"};  ///< Width: 2
  WireOut cycle{"cycle"};
  WireOut clear{"clear"};

 private:
  void lead_out();
  void advance();
  void count_answer();
  void await_header();
  void count_cycle();
  void enter(MhuState next) { drive(phase_, static_cast<std::uint64_t>(next)); }
  bool finished() const { return cycled_.read() && (type.read() ? term.read() : !left.read()); }

  BlockParams params_;
  int answers_after_;
  BusSignal phase_{"phase", bus_value(2)};  // the state at the last edge
  BusSignal ack_timer_;                     // cycles before the one that ends with `ack`
  BusSignal timer_;                         // cycles before the one that ends a routing cycle
  WireSignal cycled_{"cycled"};             // one has ended
  WireSignal headed_{"headed"};             // the header is complete
};

}  // namespace flitwave
