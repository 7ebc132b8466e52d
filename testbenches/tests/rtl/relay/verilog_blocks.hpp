// testbenches/tests/rtl/relay/verilog_blocks.hpp: the router in Verilog in the place of a
// LanRouter. link -> [verilog_blocks] -> link
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/cube_multicast/cube.hpp"
#include "testbenches/tests/rtl/relay/verilog_models.hpp"

namespace flitwave::testing {

/// `Model`: testbenches/tests/rtl/relay/observed_router.sv, verilated with parameters that equal
/// those of the blocks.
///
/// Timing: inputs are sampled, and outputs change, at the rising edge of the clock. The Verilog has
///   been reset for one edge.
template <class Model>
class VerilogBlocks final : public sc_core::sc_module, public RouterBlocks {
 public:
  SC_HAS_PROCESS(VerilogBlocks);
  VerilogBlocks(const sc_core::sc_module_name& name, const BlockParams& params,
                const BlockWires& wires, CutWires cut)
      : sc_module(name), params_(params), wires_(wires) {
    top_.cut_rts = static_cast<CData>(cut.rts);
    top_.cut_ack = static_cast<CData>(cut.ack);
    read_wires();
    top_.reset = 1;
    clock();
    top_.reset = 0;
    SC_METHOD(edge);
    sensitive << wires.clk.posedge_event();
    dont_initialize();
  }

  bool streams(int output) const override { return top_.streams[at(output)] != 0; }
  std::size_t sender(int output) const override {
    return static_cast<std::size_t>(lowest_bit(top_.sender[at(output)]));
  }
  MhuState state(int unit) const override { return static_cast<MhuState>(top_.state[at(unit)]); }
  std::int64_t level(int unit) const override { return top_.level[at(unit)]; }
  int selected(int unit) const override {
    const CubeBits dimension = top_.selected[at(unit)];
    return dimension == 0 ? -1 : lowest_bit(dimension);
  }
  CubeNodes selected_nodes(int unit) const override {
    CubeNodes nodes;
    for (std::size_t r = 0; r < top_.selected_k[at(unit)]; ++r)
      nodes.push_back(top_.selected_nodes[at(unit)][r]);
    return nodes;
  }
  bool ends(int unit) const override { return top_.ends[at(unit)] != 0; }
  bool waits(int unit, int branch) const override { return top_.waits[at(unit)][at(branch)] != 0; }
  CubeHeader header(int unit, int branch) const override {
    const std::size_t u = at(unit);
    const std::size_t b = at(branch);
    CubeHeader header{top_.header_k[u][b], {}, top_.header_control[u][b]};
    for (std::size_t r = 0; r < top_.header_listed[u][b]; ++r)
      header.destinations.push_back(top_.header_nodes[u][b][r]);
    return header;
  }

 private:
  static std::size_t at(int port) { return static_cast<std::size_t>(port); }
  std::size_t links() const { return at(params_.outputs()); }

  void edge() {
    read_wires();
    clock();
    for (std::size_t i = 0; i < links(); ++i) {
      wires_.in[i].ack.write(top_.in_ack[i] != 0);
      wires_.out[i].rts.write(top_.out_rts[i] != 0);
      drive(wires_.out[i].flit, top_.out_flit[i]);
      wires_.out[i].valid.write(top_.out_valid[i] != 0);
      wires_.out[i].eom.write(top_.out_eom[i] != 0);
    }
  }

  void read_wires() {
    top_.local_addr = static_cast<CData>(wires_.address.read().to_uint());
    top_.fault_vector = static_cast<CData>(wires_.faults.read().to_uint());
    for (std::size_t i = 0; i < links(); ++i) {
      top_.in_rts[i] = wires_.in[i].rts.read();
      top_.in_flit[i] = static_cast<CData>(wires_.in[i].flit.read().to_uint());
      top_.in_valid[i] = wires_.in[i].valid.read();
      top_.in_eom[i] = wires_.in[i].eom.read();
      top_.out_ack[i] = wires_.out[i].ack.read();
    }
  }

  void clock() {
    top_.clk = 0;
    top_.eval();
    top_.clk = 1;
    top_.eval();
  }

  BlockParams params_;
  BlockWires wires_;
  Model top_;
};

}  // namespace flitwave::testing
