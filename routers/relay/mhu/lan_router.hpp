// routers/relay/mhu/lan_router.hpp: the hardware router of Lan 1988, block by block.
// link -> [input_gateway -> mhu -> output_gateway] -> link
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "routers/relay/mhu/gateways.hpp"
#include "routers/relay/mhu/mhu.hpp"
#include "routers/relay/mhu/router_blocks.hpp"

namespace flitwave {

/// A router of a binary n-cube: n + 1 input gateways, message handling units and output gateways.
/// Number i serves the link along dimension i, number n the local processor. Each block is a module
/// with clocked and combinational processes, where other routers have one `tick()`, so that its
/// internal signals can be observed.
///
/// Timing: everything is clocked by the rising edge of `clk`; no combinational path leads from one
///   link to another. The first values of all wires are those after a reset.
/// Throws: ConfigError as BlockParams::check; in its processes as its blocks.
/// Source: Lan 1988, section 6.3, Fig. 6.1
class LanRouter final : public sc_core::sc_module, public RouterBlocks {
 public:
  LanRouter(const sc_core::sc_module_name& name, const BlockParams& params);

  WireIn clk{"clk"};
  BusIn local_addr{"local_addr"};          ///< Does not change. Width: n
  BusIn fault_vector{"fault_vector"};      ///< Faulty neighbours; does not change. Width: n
  sc_core::sc_vector<FieldInput> in_ch;    ///< Shape: [n + 1]
  sc_core::sc_vector<FieldOutput> out_ch;  ///< Shape: [n + 1]

  void bind(const BlockWires& wires);

  const Mhu& mhu(int port) const { return mhu_[static_cast<std::size_t>(port)]; }
  const OutputGatewayModule& output_gateway(int port) const {
    return outputs_[static_cast<std::size_t>(port)];
  }

  bool streams(int output) const override { return output_gateway(output).streams(); }
  std::size_t sender(int output) const override { return output_gateway(output).sender(); }
  MhuState state(int unit) const override { return mhu(unit).state(); }
  std::int64_t level(int unit) const override { return mhu(unit).level(); }
  int selected(int unit) const override { return mhu(unit).selected(); }
  CubeNodes selected_nodes(int unit) const override { return mhu(unit).selected_nodes(); }
  bool ends(int unit) const override { return mhu(unit).ends(); }
  bool waits(int unit, int branch) const override { return mhu(unit).waits(branch); }
  CubeHeader header(int unit, int branch) const override { return mhu(unit).header(branch); }

 private:
  /// From an input gateway to its message handling unit.
  sc_core::sc_vector<FieldLink> received_;   // Shape: [n + 1]
  sc_core::sc_vector<BranchLink> branches_;  // Shape: [n + 1][n + 1], by units, then gateways
  sc_core::sc_vector<InputGatewayModule> inputs_;
  sc_core::sc_vector<Mhu> mhu_;
  sc_core::sc_vector<OutputGatewayModule> outputs_;
};

}  // namespace flitwave
