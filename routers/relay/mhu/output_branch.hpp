// routers/relay/mhu/output_branch.hpp: sends a message along one dimension.
// processing_module, data_buffer -> [output_branch] -> output_gateway
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cube_multicast/relay/header.hpp"
#include "routers/relay/blocks/block_params.hpp"
#include "routers/relay/blocks/buses.hpp"

namespace flitwave {

/// What a branch waits for, or which field it has on its wires.
enum class BranchPhase { idle, request, acknowledge, count, address, control, buffer };
inline BranchPhase phase_of(const BusValue& value) {
  return static_cast<BranchPhase>(value.to_uint64());
}

/// The part of an Output Module for one output. It sends k', the addresses, a control vector if the
/// router is fault-tolerant, and the fields in the data buffer. The local processor receives only
/// the last of these.
///
/// Timing: `req` is high from the cycle of `open` until the receiver acknowledges, unless `hold`;
///   the first field is sent at the edge that samples `go`, the others follow.
/// Throws: ModelError when a field of the data has not arrived in time.
/// Source: Lan 1988, section 6.4.3; the phases are ours
class OutputBranch final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(OutputBranch);
  /// `local`: to the local processor.
  OutputBranch(const sc_core::sc_module_name& name, const BlockParams& params, bool local);

  WireIn clk{"clk"};
  WireIn open{"open"};
  WireIn hold{"hold"};         ///< It must not request its output yet.
  BusIn sel_k{"sel_k"};        ///< Width: n
  BusIns sel_addr;             ///< Shape: [m]. Width: n
  BusIn sel_ctrl{"sel_ctrl"};  ///< Width: n
  BusIn k_reg{"k_reg"};        ///< Width: n
  WireIn type{"type"};
  WireIn is_bcast{"is_bcast"};
  WireIn gnt{"gnt"};
  WireIn go{"go"};
  BusIn dout{"dout"};  ///< Width: n
  WireIn avail{"avail"};
  WireIn ends{"ends"};

  WireOut req{"req"};
  BusOut flit{"flit"};  ///< Width: n
  WireOut valid{"valid"};
  WireOut eom{"eom"};
  BusOut rd_ptr{"rd_ptr"};
  WireOut rd_en{"rd_en"};
  BusOut phase{"phase"};  ///< Width: 3

  /// Whether it has requested its output, and is not acknowledged yet.
  bool waits() const {
    const BranchPhase now = phase_of(phase.read());
    return (now == BranchPhase::request && !hold.read()) || now == BranchPhase::acknowledge;
  }
  /// The fields that it sends before the buffer's; addresses that are in the buffer are omitted.
  CubeHeader header() const;

 private:
  void request_output();
  void advance();
  void take_over();
  void next_field();
  void next_beat();
  BranchPhase next_phase() const;
  BranchPhase after_addresses() const;
  CubeBits take();
  CubeBits field_for(BranchPhase next);
  void show(bool complete, bool last);
  void enter(BranchPhase next) { drive(phase, static_cast<std::uint64_t>(next)); }

  BlockParams params_;
  bool local_;
  // Of the header that it sends.
  BusSignal count_;
  BusSignal addresses_;
  WireSignal list_in_buffer_{"list_in_buffer"};
  BusSignals selected_;  // Shape: [m]
  BusSignal control_;
  // Of the fields that it has sent.
  BusSignal sent_;           // addresses
  WireSignal last_{"last"};  // the field on the wires is the message's last
  BusSignal beats_;          // cycles of that field
};

}  // namespace flitwave
