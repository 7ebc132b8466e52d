// routers/relay/blocks/processing_module.hpp: selects the dimensions of a message, and the
// destinations of each.
// input_module -> [processing_module] -> output_module
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "routers/relay/blocks/broadcaster.hpp"
#include "routers/relay/blocks/checkers.hpp"
#include "routers/relay/blocks/multicaster.hpp"
#include "routers/relay/blocks/selection_port.hpp"
#include "routers/relay/blocks/store.hpp"

namespace flitwave {

/// MULTICAST.1 and BROADCAST.2, or MULTICAST.F1 and BROADCAST.F3, in gates and flip-flops.
/// Source: Lan 1988, section 6.5, Fig. 6.3, 6.4; 7.4
class ProcessingModule final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ProcessingModule);
  /// `local`: at the gateway of the local processor.
  ProcessingModule(const sc_core::sc_module_name& name, const BlockParams& params, bool local);

  WireIn clk{"clk"};
  BusIn fld{"fld"};  ///< Width: n
  WireIn fld_k{"fld_k"};
  WireIn fld_d{"fld_d"};
  WireIn fld_s{"fld_s"};
  BusIn d_index{"d_index"};            ///< Width: that of m
  BusIn local_addr{"local_addr"};      ///< Width: n
  BusIn fault_vector{"fault_vector"};  ///< Width: n
  WireIn cycle{"cycle"};
  WireIn clear{"clear"};

  WireOut type{"type"};
  WireOut is_bcast{"is_bcast"};
  BusOut k_reg{"k_reg"};   ///< Width: n
  WireOut match{"match"};  ///< The local processor is a destination.
  WireOut term{"term"};    ///< The Multicaster has nothing left to serve.
  WireOut left{"left"};    ///< The Broadcaster has something left to serve.
  WireOut sel_valid{"sel_valid"};
  BusOut sel_dim{"sel_dim"};    ///< Width: n
  BusOut sel_k{"sel_k"};        ///< Width: n
  BusOuts sel_addr;             ///< Shape: [m]. Width: n
  BusOut sel_ctrl{"sel_ctrl"};  ///< Width: n
  WireOut sel_copy{"sel_copy"};

 private:
  void connect_inputs();
  void connect_multicaster();
  void connect_broadcaster(const BlockParams& params);
  void connect_output();
  void enable_rows();

  AddressInputPort input_port_;
  Store store_;
  TypeChecker type_checker_;
  MatchingChecker matching_checker_;
  Multicaster multicaster_;
  std::unique_ptr<Broadcaster> broadcaster_;
  std::unique_ptr<BroadcasterFT> broadcaster_ft_;
  std::unique_ptr<FlagSequencer> sequencer_;
  SelectionPort output_port_;

  BusSignal rel_;
  WireSignal we_d_{"we_d"};
  BusSignals a_;
  BusSignals column_;
  BusSignal a_s_;
  BusSignal y_;
  BusSignal r_;
  BusSignal row_clear_;
  BusSignal y_q_;
  BusSignal r_q_;
  BusSignal g_;
  BusSignals control_o_;
  BusSignal next_;
};

}  // namespace flitwave
