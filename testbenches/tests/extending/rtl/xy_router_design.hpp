// testbenches/tests/extending/rtl/xy_router_design.hpp: what an example of a router in SystemC RTL
// has on its pins.
// SPDX-License-Identifier: Apache-2.0
#pragma once

// [design]
#include <memory>
#include <string>
#include <vector>

#include "routers/verilated/pin_signal.hpp"
#include "testbenches/tests/extending/rtl/xy_router.hpp"

namespace flitwave {

/// An XyRouter with a signal at each pin.
class XyRouterSignals final : public SignalDesign {
 public:
  XyRouterSignals(const char* name, sc_core::sc_signal_in_if<bool>& clock) : router_(name) {
    router_.clk(clock);
    router_.reset(add<bool>("reset"));
    router_.here_x(add<XyRouter::Coordinate>("here_x"));
    router_.here_y(add<XyRouter::Coordinate>("here_y"));
    for (std::size_t p = 0; p < XyRouter::ports; ++p) {
      const std::string port = "_" + std::to_string(p);
      router_.in_valid[p](add<XyRouter::Wire>("in_valid" + port));
      router_.in_flit[p](add<XyRouter::Flit>("in_flit" + port));
      router_.in_credit[p](add<XyRouter::Wire>("in_credit" + port));
      router_.out_valid[p](add<XyRouter::Wire>("out_valid" + port));
      router_.out_flit[p](add<XyRouter::Flit>("out_flit" + port));
      router_.out_credit[p](add<XyRouter::Wire>("out_credit" + port));
    }
  }

  /// The clock is pin 0, and has no signal here.
  PinSignal& pin(int pin) override { return *pins_[static_cast<std::size_t>(pin) - 1]; }

 private:
  template <class T>
  sc_core::sc_signal<T>& add(const std::string& name) {
    auto pin = std::make_unique<PinSignalOf<T>>(name.c_str());
    sc_core::sc_signal<T>& signal = pin->signal();
    pins_.push_back(std::move(pin));
    return signal;
  }

  XyRouter router_;
  std::vector<std::unique_ptr<PinSignal>> pins_;
};

/// Its pins are in the order in which XyRouterSignals adds them.
inline RouterDesign xy_router_design() {
  RouterDesign design;
  design.name = "xy_router";
  design.source = "testbenches/tests/extending/rtl/xy_router_design.hpp";
  const auto pin = [&design](const std::string& name, int width, bool is_input) {
    design.pins.push_back({name, width, is_input});
    return PinBits{static_cast<int>(design.pins.size()) - 1, 0, width};
  };
  using Value = ConstantPins::Value;
  design.clock = pin("clk", 1, true);
  design.reset.bits = pin("reset", 1, true);
  design.constants = {{Value::coordinate, 0, 0, pin("here_x", 4, true)},
                      {Value::coordinate, 1, 0, pin("here_y", 4, true)}};
  const int width = 40;
  design.flit.width = width;
  design.flit.fields = {{FlitField::tag, 0, 0, 16},        {FlitField::coordinate, 0, 16, 4},
                        {FlitField::coordinate, 1, 20, 4}, {FlitField::payload, 0, 24, 14},
                        {FlitField::tail, 0, 38, 1},       {FlitField::head, 0, 39, 1}};
  design.depth = static_cast<int>(XyRouter::slots);
  for (std::size_t p = 0; p < XyRouter::ports; ++p) {
    const std::string port = "_" + std::to_string(p);
    FlitPins in;
    in.valid = pin("in_valid" + port, 1, true);
    in.flit = pin("in_flit" + port, width, true);
    in.credit.pulse = pin("in_credit" + port, 1, false);
    FlitPins out;
    out.valid = pin("out_valid" + port, 1, false);
    out.flit = pin("out_flit" + port, width, false);
    out.credit.pulse = pin("out_credit" + port, 1, true);
    design.inputs.push_back(in);
    design.outputs.push_back(out);
  }
  StageDelays delays;
  delays.preset = Preset::single_cycle;
  design.timing = delays;
  design.routing = "dimension_order";
  design.signals = [](const char* name, std::uint64_t,
                      sc_core::sc_signal_in_if<bool>& clock) -> std::unique_ptr<SignalDesign> {
    return std::make_unique<XyRouterSignals>(name, clock);
  };
  return design;
}

}  // namespace flitwave
// [design]
