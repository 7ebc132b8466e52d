// routers/relay/mhu/mhu.hpp: a message handling unit, composed of its modules.
// input_gateway -> [mhu] -> output gateways
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "routers/relay/blocks/data_buffer_module.hpp"
#include "routers/relay/blocks/processing_module.hpp"
#include "routers/relay/mhu/input_module.hpp"
#include "routers/relay/mhu/mhu_controller.hpp"
#include "routers/relay/mhu/output_module.hpp"

namespace flitwave {

/// Serves one message after the other: receives it, selects its dimensions, and sends it along
/// them.
/// Source: Lan 1988, section 6.4, Fig. 6.2
class Mhu final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Mhu);
  /// `port`: the dimension of its link; n: it serves the local processor.
  Mhu(const sc_core::sc_module_name& name, const BlockParams& params, int port);

  WireIn clk{"clk"};
  BusIn local_addr{"local_addr"};      ///< Width: n
  BusIn fault_vector{"fault_vector"};  ///< Width: n
  FieldInput received{"received"};
  sc_core::sc_vector<BranchOutput> outputs;  ///< Shape: [n + 1]

  const DataBufferModule& data_buffer() const { return data_buffer_; }
  MhuState state() const { return state_of(state_.read()); }
  bool busy() const { return state() != MhuState::wait; }
  /// The fields in the data buffer.
  std::int64_t level() const { return static_cast<std::int64_t>(level_.read().to_uint64()); }
  /// The dimension that was selected at the last edge; -1: none.
  int selected() const;
  /// The destinations of the message that is sent along it; none where the message's own list is
  /// forwarded.
  CubeNodes selected_nodes() const;
  /// Whether the last fields of its message are on the links.
  bool ends() const {
    return state_of(state_.read()) == MhuState::output && msg_done_.read() &&
           output_.sends_last_fields();
  }
  /// Whether a branch has requested its output and is not acknowledged yet.
  bool waits(int branch) const { return output_.branch(branch).waits(); }
  /// The header of a branch that is acknowledged, without addresses and source where the message's
  /// own list is forwarded.
  CubeHeader header(int branch) const { return output_.branch(branch).header(); }

 private:
  void connect_input();
  void connect_controller();
  void connect_processing();
  void connect_buffer();
  void connect_output();
  void fill_buffer();

  bool fault_tolerant_;
  MhuController controller_;
  InputModule input_;
  ProcessingModule processing_;
  DataBufferModule data_buffer_;
  OutputModule output_;

  BusSignal state_{"state", bus_value(2)};
  WireSignal cycle_{"cycle"};
  WireSignal clear_{"clear"};
  WireSignal fld_k_{"fld_k"};
  WireSignal fld_d_{"fld_d"};
  WireSignal fld_s_{"fld_s"};
  WireSignal fld_data_{"fld_data"};
  BusSignal fld_;
  BusSignal d_index_;
  WireSignal hdr_done_{"hdr_done"};
  WireSignal msg_done_{"msg_done"};
  WireSignal type_{"type"};
  WireSignal is_bcast_{"is_bcast"};
  BusSignal k_reg_;
  WireSignal match_{"match"};
  WireSignal term_{"term"};
  WireSignal left_{"left"};
  WireSignal sel_valid_{"sel_valid"};
  BusSignal sel_dim_;
  BusSignal sel_k_;
  BusSignals sel_addr_;
  BusSignal sel_ctrl_;
  WireSignal sel_copy_{"sel_copy"};
  WireSignal wr_{"wr"};
  WireSignal closed_{"closed"};
  BusSignals rd_ptr_;
  WireSignals rd_en_;
  BusSignals dout_;
  WireSignals avail_;
  WireSignals ends_;
  BusSignal level_;
  WireSignal empty_{"empty"};
  WireSignal all_done_{"all_done"};
};

}  // namespace flitwave
