// routers/verilated/inner_watch.hpp: the signals inside a design, observed in each cycle.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <systemc>

#include "routers/verilated/router_design.hpp"

namespace flitwave {

/// Samples the signals inside an instance when requested, and notifies an event for each that has
/// changed.
class InnerWatch final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(InnerWatch);
  /// `settle`: called before signals are sampled; may be empty.
  InnerWatch(const sc_core::sc_module_name& name, std::unique_ptr<InnerSignals> signals,
             std::function<void()> settle);
  ~InnerWatch() override;

  const std::vector<InnerSignal>& signals() const { return signals_->signals(); }
  std::uint64_t value(std::size_t signal) const { return values_[signal]; }
  const sc_core::sc_event& changed(std::size_t signal) const { return *changed_[signal]; }

  /// The design has changed, or will do so in this delta cycle.
  /// Timing: the signals are sampled so many delta cycles later, at the same time.
  void request(int deltas);

 private:
  void on_due();

  std::unique_ptr<InnerSignals> signals_;
  std::function<void()> settle_;
  std::vector<std::uint64_t> values_;                        // Shape: [signals]
  std::vector<std::unique_ptr<sc_core::sc_event>> changed_;  // Shape: [signals]
  sc_core::sc_event due_;
  int deltas_ = 0;
};

/// A router whose inner signals can be observed.
class Watchable {
 public:
  /// Creates the observation, once; null where the design does not give its signals. The router
  /// owns it. Needs: the simulation has not started.
  virtual InnerWatch* watch() = 0;

 protected:
  ~Watchable() = default;
};

}  // namespace flitwave
