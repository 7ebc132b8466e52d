// routers/relay/blocks/store.hpp: the flip-flops that hold a message's relative addresses.
// input_module -> input_port -> [store] -> multicaster, broadcaster
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "routers/relay/blocks/block_params.hpp"
#include "routers/relay/blocks/buses.hpp"

namespace flitwave {

/// Input Port: makes an address relative. A control vector passes unchanged. Where the local
/// processor has sent a message that is to be broadcast, it is replaced by all ones, since a
/// processor need not know m.
/// Timing: combinational
/// Source: Lan 1988, sections 6.5.1 and 7.4
class AddressInputPort final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(AddressInputPort);
  /// `local`: at the gateway of the local processor.
  AddressInputPort(const sc_core::sc_module_name& name, const BlockParams& params, bool local);

  BusIn fld{"fld"};  ///< Width: n
  WireIn fld_s{"fld_s"};
  WireIn type{"type"};
  BusIn local_addr{"local_addr"};  ///< Width: n
  BusOut rel{"rel"};               ///< Width: n

 private:
  void compare();

  BlockParams params_;
  bool local_;
};

/// The reference array, one row for each destination, and the relative source or control vector.
/// All are 0 at first. Its bits are output by rows and, from the same flip-flops, by columns.
///
/// Timing: `a` and `a_s` are written and cleared at the rising edge; `column` follows `a`.
/// Throws: ModelError when it is cleared while it contains a destination, which no branch serves:
///   a neighbour that is faulty; unless BlockParams::gives_up.
/// Source: Lan 1988, section 6.5.2
class Store final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Store);
  Store(const sc_core::sc_module_name& name, const BlockParams& params);

  WireIn clk{"clk"};
  BusIn rel{"rel"};  ///< Width: n
  WireIn we_d{"we_d"};
  BusIn d_index{"d_index"};  ///< Row, from 1. Width: that of m
  WireIn we_s{"we_s"};
  BusIn row_clear{"row_clear"};  ///< Width: m
  WireIn clear_all{"clear_all"};
  BusOuts a;          ///< Shape: [m]. Width: n
  BusOuts column;     ///< Shape: [n]. Width: m
  BusOut a_s{"a_s"};  ///< Width: n

 private:
  void write();
  void forget();
  void lead_out();

  bool gives_up_;
};

}  // namespace flitwave
