// modules/channel/port_name.hpp: a port's position in the hierarchy of SystemC.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace flitwave {

/// A name below the module under construction. Ports have no processes and need no sc_module; they
/// are stored in arrays of their module.
class PortName final : public sc_core::sc_object {
 public:
  explicit PortName(const char* name) : sc_object(name) {}
  const char* kind() const override { return "port"; }
};

}  // namespace flitwave
