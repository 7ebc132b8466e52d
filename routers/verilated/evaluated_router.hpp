// routers/verilated/evaluated_router.hpp: a router in RTL that is evaluated in its tick.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/router.hpp"
#include "routers/verilated/design_pins.hpp"
#include "routers/verilated/design_use.hpp"
#include "routers/verilated/inner_watch.hpp"
#include "routers/verilated/lock_step.hpp"
#include "routers/verilated/router_links.hpp"

namespace flitwave {

/// The adapter for designs that are a function from one clock edge to the next.
///
/// Timing: in a tick the inputs of the cycle before are applied with the clock low, and the rising
///   edge follows; the outputs after it are on the wires in this cycle. That outputs do not change
///   before the edge is checked.
/// Throws: DesignError, by ending the run.
class EvaluatedRouter final : public Router, public Watchable {
 public:
  EvaluatedRouter(const sc_core::sc_module_name& name, const DesignUse& use,
                  const RouterSite& site);
  ~EvaluatedRouter() override;

  int flits_inside() const override { return pins_.boundary().flits_inside(); }
  bool at_rest() const override {
    return pins_.boundary().at_rest() && (!lock_step_ || lock_step_->at_rest());
  }
  bool is_opaque() const override { return true; }
  void report_opaque(Cycle until, std::vector<OpaquePacket>& packets) const override {
    pins_.boundary().report(until, packets);
  }
  InnerWatch* watch() override;

 private:
  class Memory;

  void tick() override;
  bool run_tick() override {
    tick();
    return take_awake();
  }
  void end_pulses() override { links_.end_pulses(); }
  void step(bool in_reset);
  void settle();
  [[noreturn]] void fail_combinational();

  RouterSite whole_;  // with all channels
  DesignUse use_;
  DesignPins pins_;
  RouterLinks links_;
  std::unique_ptr<Memory> memory_;
  RouterBoundary::Ports read_;      // Shape: [ports of the design]
  RouterBoundary::Ports driven_;    // Shape: [ports of the design]
  RouterBoundary::Ports observed_;  // Shape: [ports of the design]
  bool was_in_reset_ = true;
  bool has_failed_ = false;
  Cycle rests_ = 0;                      // number of cycles in which it has been at rest
  std::unique_ptr<LockStep> lock_step_;  // null unless it is compared
  std::unique_ptr<InnerWatch> watch_;    // null unless its signals are observed
};

}  // namespace flitwave
