// routers/relay/blocks/selection_port.hpp: the selection of a routing cycle, for the output module.
// multicaster, broadcaster -> [output_port] -> output_module
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "routers/relay/blocks/block_params.hpp"
#include "routers/relay/blocks/buses.hpp"

namespace flitwave {

/// Output Port: outputs a dimension and the header that is sent along it. The copy for the local
/// processor opens at the first edge with `cycle`, whatever else is selected then.
///
/// Timing: `sel_valid` and `sel_copy` are high in the cycle after an edge at which a dimension, or
///   the copy, was selected.
/// Source: Lan 1988, section 6.5.5; that a processor gets no copy of its own broadcast is ours
class SelectionPort final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(SelectionPort);
  /// `local`: at the gateway of the local processor.
  SelectionPort(const sc_core::sc_module_name& name, const BlockParams& params, bool local);

  WireIn clk{"clk"};
  WireIn cycle{"cycle"};
  WireIn clear{"clear"};
  WireIn type{"type"};
  WireIn is_bcast{"is_bcast"};
  WireIn match{"match"};
  WireIn term{"term"};
  BusIn y{"y"};        ///< Of the Multicaster. Width: n
  BusIn r{"r"};        ///< Of the Multicaster. Width: m
  BusIns a;            ///< Of the Store. Shape: [m]. Width: n
  BusIn a_s{"a_s"};    ///< Of the Store. Width: n
  BusIn next{"next"};  ///< Of the Broadcaster's flags, in turn. Width: n
  BusIns control_o;    ///< Of the Broadcaster, if the router is fault-tolerant. Shape: [n] or none
  BusIn local_addr{"local_addr"};  ///< Width: n

  WireOut sel_valid{"sel_valid"};
  BusOut sel_dim{"sel_dim"};    ///< One-hot: the relative address of the neighbour. Width: n
  BusOut sel_k{"sel_k"};        ///< k'; 0: the header is forwarded unchanged. Width: n
  BusOuts sel_addr;             ///< Actual addresses, k' of them. Shape: [m]. Width: n
  BusOut sel_ctrl{"sel_ctrl"};  ///< Width: n
  WireOut sel_copy{"sel_copy"};

 private:
  void hand_over();
  bool wants_copy() const;
  void hand_over_list();
  void hand_over_flag();

  bool fault_tolerant_;
  bool local_;
  WireSignal copied_{"copied"};
};

}  // namespace flitwave
