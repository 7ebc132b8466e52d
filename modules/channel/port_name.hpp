// modules/channel/port_name.hpp: a port's place in the hierarchy of SystemC.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace flitwave {

/// A name below the module under construction. Ports are in rows of their module, where its ticks
/// find them; they have no processes, and need no sc_module.
class PortName final : public sc_core::sc_object {
 public:
  explicit PortName(const char* name) : sc_object(name) {}
  const char* kind() const override { return "port"; }
};

}  // namespace flitwave
