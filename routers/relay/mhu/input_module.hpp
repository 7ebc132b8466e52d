// routers/relay/mhu/input_module.hpp: distinguishes the fields of a message.
// input_gateway -> [input_module] -> processing_module, data_buffer
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "routers/relay/blocks/block_params.hpp"
#include "routers/relay/blocks/buses.hpp"

namespace flitwave {

/// Counts the fields of a message and marks the kind of each.
///
/// Timing: the strobes are combinational, in the cycle before the edge at which the field is
///   latched; `hdr_done` and `msg_done` rise at that edge and fall with `clear`.
/// Throws: ModelError on a field that was not requested, or a message that ends within its header;
///   a message of a fault-tolerant router must have data.
/// Source: Lan 1988, section 6.4.2
class InputModule final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(InputModule);
  InputModule(const sc_core::sc_module_name& name, const BlockParams& params);

  WireIn clk{"clk"};
  BusIn flit_i{"flit_i"};  ///< Width: n
  WireIn valid_i{"valid_i"};
  WireIn eom_i{"eom_i"};
  BusIn state{"state"};         ///< Of the controller. Width: 2
  BusIn k_reg{"k_reg"};         ///< Of the Type Checker. Width: n
  WireIn is_bcast{"is_bcast"};  ///< Of the Type Checker.
  WireIn clear{"clear"};

  WireOut fld_k{"fld_k"};
  WireOut fld_d{"fld_d"};
  WireOut fld_s{"fld_s"};  ///< The source or control vector, last of the header.
  WireOut fld_data{"fld_data"};
  BusOut fld{"fld"};          ///< Width: n
  BusOut d_index{"d_index"};  ///< Row of the Store, from 1; up to m. Width: that of m
  WireOut hdr_done{"hdr_done"};
  WireOut msg_done{"msg_done"};

 private:
  void distribute();
  void count();
  void require_order() const;
  std::uint64_t addresses() const { return is_bcast.read() ? 0 : k_reg.read().to_uint64(); }

  BlockParams params_;
  BusSignal fields_;  // of the header that have arrived
};

}  // namespace flitwave
