// routers/relay/mhu/output_module.hpp: the branches of a message.
// processing_module, data_buffer -> [output_module] -> output gateways
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "routers/relay/blocks/field_link.hpp"
#include "routers/relay/blocks/line_order.hpp"
#include "routers/relay/mhu/output_branch.hpp"

namespace flitwave {

/// Opens a branch for each dimension that is selected, and one for the local processor.
///
/// Timing: `all_done` is combinational. Selecting::sequential holds all branches until `state` is
///   OUTPUT; Branching::serial holds those after the first; the copy is the first.
/// Throws: ModelError when a message is to be sent back along its incoming link.
/// Source: Lan 1988, section 6.4.3
class OutputModule final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(OutputModule);
  /// `port`: the dimension of the unit; n for that of the local processor.
  OutputModule(const sc_core::sc_module_name& name, const BlockParams& params, int port);

  WireIn clk{"clk"};
  BusIn state{"state"};  ///< Width: 2
  WireIn sel_valid{"sel_valid"};
  BusIn sel_dim{"sel_dim"};    ///< Width: n
  BusIn sel_k{"sel_k"};        ///< Width: n
  BusIns sel_addr;             ///< Shape: [m]. Width: n
  BusIn sel_ctrl{"sel_ctrl"};  ///< Width: n
  WireIn sel_copy{"sel_copy"};
  BusIn k_reg{"k_reg"};  ///< Width: n
  WireIn type{"type"};
  WireIn is_bcast{"is_bcast"};
  BusIns dout;     ///< Shape: [n + 1]. Width: n
  WireIns avail;   ///< Shape: [n + 1]
  WireIns ends;    ///< Shape: [n + 1]
  BusOuts rd_ptr;  ///< Shape: [n + 1]
  WireOuts rd_en;  ///< Shape: [n + 1]
  WireOut all_done{"all_done"};
  sc_core::sc_vector<BranchOutput> outputs;  ///< Shape: [n + 1]

  const OutputBranch& branch(int output) const {
    return branches_[static_cast<std::size_t>(output)];
  }
  /// Whether all branches that are open have their last field on the link.
  bool sends_last_fields() const;

 private:
  void connect();
  void distribute();
  void take_turns();
  void queue();
  std::vector<std::size_t> waiting() const;

  BlockParams params_;
  int port_;
  WireSignals open_;
  WireSignals hold_;
  BusSignals phase_;
  sc_core::sc_vector<OutputBranch> branches_;
  LinePositions turn_;  // of those that were open at the last edge
};

}  // namespace flitwave
