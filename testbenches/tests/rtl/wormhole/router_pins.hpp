// testbenches/tests/rtl/wormhole/router_pins.hpp: the pins of a verilated wormhole router, by port.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace flitwave::rtl_test {

/// A router's parameters in Verilog; see routers/rtl/wormhole_credit.sv.
struct RouterParameters {
  bool ready_valid = false;
  int network_ports = 4;
  int local_ports = 1;
  int vcs = 1;
  int depth = 4;
  int flit_width = 16;
  int dimensions = 2;
  int coordinate_width = 4;
  int torus = 0;
  int route_delay = 0;
  int vc_delay = 0;
  int switch_delay = 0;
  int traversal = 0;
  int tail_at = 0;
  int vc_at = 1;
  int vc_width = 2;
  int destination_at = 3;

  int ports() const { return network_ports + local_ports; }
  int head_delay() const { return route_delay + vc_delay + switch_delay + traversal; }
};

/// One verilated router. Inputs count at the next `step`, outputs are those after the last one.
class RouterPins {
 public:
  virtual ~RouterPins() = default;

  virtual void set_reset(bool high) = 0;
  virtual void set_position(std::uint64_t here, std::uint64_t size) = 0;

  virtual void set_input(int port, bool valid, std::uint64_t flit) = 0;
  virtual bool out_valid(int port) const = 0;
  virtual std::uint64_t out_flit(int port) const = 0;

  // Under the credit handshake.
  virtual void set_credit(int port, bool valid, int vc) = 0;
  virtual bool credit(int port) const = 0;
  virtual int credit_vc(int port) const = 0;

  // Under the ready_valid handshake; a bit per virtual channel.
  virtual void set_ready(int port, std::uint64_t ready) = 0;
  virtual std::uint64_t ready(int port) const = 0;

  /// A clock cycle with its rising edge.
  virtual void step() = 0;
};

/// A set of parameters for which the router was verilated.
struct RouterSet {
  std::string name;
  RouterParameters parameters;
  /// `seed`: of the values that registers have before reset.
  std::unique_ptr<RouterPins> (*make)(const RouterParameters& parameters, int seed);

  std::unique_ptr<RouterPins> router(int seed) const { return make(parameters, seed); }
};

}  // namespace flitwave::rtl_test
