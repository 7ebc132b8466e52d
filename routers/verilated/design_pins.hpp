// routers/verilated/design_pins.hpp: the wires of a router as the pins of a design.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "modules/router.hpp"
#include "routers/verilated/pin_frame.hpp"
#include "routers/verilated/router_boundary.hpp"

namespace flitwave {

/// What both adapters do in a cycle: from wires to the values of input pins, and from output pins
/// to checked flits, credits and ready.
class DesignPins {
 public:
  using Ports = RouterBoundary::Ports;

  /// The references outlive the object. `name`: of the router, for errors.
  DesignPins(const RouterDesign& design, const RouterSite& site, const std::string& name);

  RouterBoundary& boundary() { return boundary_; }
  const RouterBoundary& boundary() const { return boundary_; }
  const RouterDesign& design() const { return design_; }

  /// Pins that are constant during a run.
  void write_constants(PinFrame& pins) const;
  void write_reset(PinFrame& pins, bool in_reset) const;
  void write_inputs(PinFrame& pins, const Ports& read);

  /// The flits, credits and ready that the design drives in `cycle`, after the edge. `in_reset`:
  /// reset was high at that edge; then flits and credits are ignored.
  /// Throws: DesignError
  void read_outputs(const PinFrame& pins, bool in_reset, Cycle cycle, Ports& driven);
  /// What wires that may still change show at a port: flits and credits that cannot be are left
  /// out.
  PortWires look(const PinFrame& pins, int port);

 private:
  bool gather(const PinFrame& pins, const FlitPins& port);
  void gather_credit(const PinFrame& pins, const CreditPins& credit, PortWires& driven) const;
  void read_credit(const PinFrame& pins, int port, Cycle cycle, PortWires& driven);
  void check_after_reset(bool in_reset);
  std::uint64_t constant(const ConstantPins& pins) const;

  const RouterDesign& design_;
  const RouterSite& site_;
  RouterBoundary boundary_;
  FlitCoder::Words flit_;     // scratch
  FlitCoder::Words nothing_;  // the bits of an invalid flit
  std::vector<bool> shown_;   // inputs whose flit pins are not 0. Shape: [ports]
  int valid_in_reset_ = -1;   // an output that was valid after the last edge in reset
  Cycle reset_cycle_ = 0;     // of that edge
};

/// The error that an output pin changed between two edges, with an input pin if that alone changes
/// it.
DesignError combinational(const DesignPins& pins, Cycle cycle, int output,
                          const std::string& input);

}  // namespace flitwave
