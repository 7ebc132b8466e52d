// testbenches/tests/rtl/relay/verilog_unit.hpp: the pins of a message handling unit in Verilog.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/tests/rtl/relay/verilog_models.hpp"

namespace flitwave::testing {

/// `Model`: testbenches/tests/rtl/relay/observed_unit.sv, verilated.
template <class Model>
class VerilatedUnit final : public VerilogUnit {
 public:
  void start(CubeBits local_addr, CubeBits faults) override {
    top_.local_addr = static_cast<CData>(local_addr);
    top_.fault_vector = static_cast<CData>(faults);
    top_.reset = 1;
    edge();
    top_.reset = 0;
  }

  void settle(UnitPins& pins) override {
    top_.rts = pins.rts;
    top_.flit = static_cast<CData>(pins.flit);
    top_.valid = pins.valid;
    top_.eom = pins.eom;
    for (std::size_t b = 0; b < pins.grant.size(); ++b) {
      top_.out_grant[b] = pins.grant[b];
      top_.out_go[b] = pins.go[b];
    }
    top_.clk = 0;
    top_.eval();
    read(pins);
  }

  void edge() override {
    top_.clk = 0;
    top_.eval();
    top_.clk = 1;
    top_.eval();
  }

 private:
  void read(UnitPins& pins) {
    pins.ack = top_.ack != 0;
    for (std::size_t b = 0; b < pins.request.size(); ++b) {
      pins.request[b] = top_.out_request[b] != 0;
      pins.out_flit[b] = top_.out_flit[b];
      pins.out_valid[b] = top_.out_valid[b] != 0;
      pins.out_eom[b] = top_.out_eom[b] != 0;
    }
    pins.state = top_.state;
    pins.level = top_.level;
    pins.select = top_.select != 0;
    pins.copy = top_.copy != 0;
    pins.dimension = pins.select ? top_.dimension : 0;
    pins.control = pins.select ? top_.control : 0;
    pins.addresses.clear();
    for (std::size_t i = 0; pins.select && i < top_.k; ++i)
      pins.addresses.push_back(top_.addresses[i]);
    for (std::size_t i = 0; i < pins.rows.size(); ++i) pins.rows[i] = top_.rows[i];
    pins.source = top_.source;
  }

  Model top_;
};

}  // namespace flitwave::testing
