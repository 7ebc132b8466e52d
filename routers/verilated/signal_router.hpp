// routers/verilated/signal_router.hpp: a router in RTL that is a SystemC module on the wires.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <systemc>

#include "modules/router.hpp"
#include "routers/verilated/design_pins.hpp"
#include "routers/verilated/design_use.hpp"
#include "routers/verilated/inner_watch.hpp"

namespace flitwave {

/// The adapter for SystemC modules: those that Verilator writes with `--sc`, and hand-written RTL.
///
/// Timing: inputs change at the falling edge of the clock, when all wires of the cycle have
/// settled,
///   and are read at the next rising edge. Outputs are on the wires as soon as they change, and are
///   checked at the falling edge, after which they must not change.
/// Throws: DesignError, by ending the run.
class SignalRouter final : public Router, public Watchable {
 public:
  SC_HAS_PROCESS(SignalRouter);
  SignalRouter(const sc_core::sc_module_name& name, const DesignUse& use, const RouterSite& site);
  ~SignalRouter() override;

  int flits_inside() const override;
  bool at_rest() const override {
    return pins_.boundary().at_rest() && (!lock_step_ || lock_step_->at_rest());
  }
  bool is_opaque() const override { return true; }
  void report_opaque(Cycle until, std::vector<OpaquePacket>& packets) const override {
    pins_.boundary().report(until, packets);
  }
  InnerWatch* watch() override;

 private:
  using Ports = RouterBoundary::Ports;

  /// The wires of a port of the site.
  struct Wires {
    int port = 0;                 // of the design
    ChannelEnd* input = nullptr;  // null where there is none
    ChannelEnd* output = nullptr;
    std::unique_ptr<sc_core::sc_out<bool>> valid;
    std::unique_ptr<sc_core::sc_out<Flit>> flit;
    std::unique_ptr<sc_core::sc_out<bool>> credit;
    std::unique_ptr<sc_core::sc_out<VcIndex>> credit_vc;
    std::vector<std::unique_ptr<sc_core::sc_out<bool>>> ready;  // Shape: [vcs]
    PortWires shown;
  };

  void bind(int port);
  void tick() override;  // the rising edge
  bool run_tick() override {
    tick();
    return take_awake();
  }
  void end_pulses() override {}
  void on_falling_edge();  // once before the first cycle, too
  void on_outputs();
  void drive_gated_clock();
  void finish_cycle();
  void begin_inputs();
  bool read_wires();
  void show(Wires& wires, const PortWires& driven) const;
  void read_pins();
  void check_known() const;
  void check_known(const PinBits& bits, const std::string& port) const;
  void check_known(const CreditPins& credit, const std::string& port) const;
  void fail_combinational();
  void fail() noexcept;

  RouterSite whole_;  // with all channels
  DesignUse use_;
  DesignPins pins_;
  sc_core::sc_in<bool> clk_{"clk"};
  std::unique_ptr<sc_core::sc_signal<bool>> gated_clock_;  // null unless it is gated
  std::unique_ptr<SignalDesign> instance_;
  std::vector<int> input_pins_;  // but for the clock
  std::vector<int> output_pins_;
  PinFrame inputs_;
  PinFrame written_;  // the inputs as they were written before
  PinFrame outputs_;
  PinFrame settled_;               // the outputs at the falling edge
  std::vector<bool> has_unknown_;  // pins with bits that are X or Z. Shape: [pins]
  std::vector<Wires> wires_;       // Shape: [ports of the site]
  Ports read_;                     // Shape: [ports of the design]
  Ports driven_;                   // Shape: [ports of the design]
  sc_core::sc_event restart_;      // shows outputs that have not changed in reset
  bool started_ = false;
  bool is_clocked_ = true;    // at the next rising edge
  bool in_reset_ = true;      // at the next rising edge
  bool was_in_reset_ = true;  // at the last one
  bool is_low_ = true;        // the clock
  bool is_checked_ = true;    // what is on the wires has been accounted for
  bool has_failed_ = false;
  Cycle rests_ = 0;
  std::unique_ptr<LockStep> lock_step_;  // null unless it is compared
  std::unique_ptr<InnerWatch> watch_;    // null unless its signals are observed
};

}  // namespace flitwave
