// routers/relay/blocks/buses.cpp: see buses.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/blocks/buses.hpp"

namespace flitwave {

void trace_wires(sc_core::sc_trace_file* file, const sc_core::sc_object& module) {
  for (const sc_core::sc_object* object : module.get_child_objects()) {
    if (const auto* wire = dynamic_cast<const WireSignal*>(object))
      sc_core::sc_trace(file, wire->read(), wire->name());
    else if (const auto* bus = dynamic_cast<const BusSignal*>(object))
      sc_core::sc_trace(file, bus->read(), bus->name());
    else
      trace_wires(file, *object);
  }
}

}  // namespace flitwave
