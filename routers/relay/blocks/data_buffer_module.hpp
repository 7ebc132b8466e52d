// routers/relay/blocks/data_buffer_module.hpp: stores the fields that are forwarded unchanged.
// input_module -> [data_buffer_module] -> output_module
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "routers/relay/blocks/block_params.hpp"
#include "routers/relay/blocks/buses.hpp"

namespace flitwave {

/// A queue for one message of the greatest length, which every branch reads independently. A field
/// is removed when all branches have read it, and no further branch will be opened.
///
/// Timing: written at the rising edge; read from then on, combinationally.
/// Throws: ModelError when a message is too long for it.
/// Source: Lan 1988, section 6.4.2; that branches read concurrently is ours
class DataBufferModule final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(DataBufferModule);
  DataBufferModule(const sc_core::sc_module_name& name, const BlockParams& params);

  WireIn clk{"clk"};
  WireIn wr{"wr"};
  BusIn din{"din"};     ///< Width: n
  WireIn last{"last"};  ///< Of the message.
  WireIn clear{"clear"};
  WireIn closed{"closed"};  ///< No further branch will be opened.
  BusIns rd_ptr;            ///< Fields that the branch has read. Shape: [n + 1]
  WireIns rd_en;            ///< The branch is open. Shape: [n + 1]

  BusOuts dout;           ///< The field that the branch reads next. Shape: [n + 1]. Width: n
  WireOuts avail;         ///< That field is present. Shape: [n + 1]
  WireOuts ends;          ///< That field is the message's last. Shape: [n + 1]
  BusOut level{"level"};  ///< Stored fields.
  WireOut empty{"empty"};

  /// The greatest number of fields stored.
  std::uint64_t high_water() const { return high_water_; }
  /// Width of `rd_ptr` and `level`.
  static int pointer_width(const BlockParams& params);

 private:
  void write();
  void read();
  void drive_level();

  std::size_t written() const { return static_cast<std::size_t>(written_.read().to_uint64()); }

  std::size_t capacity_;
  std::vector<CubeBits> memory_;  // changes with `written_` only
  BusSignal written_;             // fields
  WireSignal whole_{"whole"};
  std::uint64_t high_water_ = 0;
};

}  // namespace flitwave
