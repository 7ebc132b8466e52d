// testbenches/waves/inner_wires.cpp: see inner_wires.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/inner_wires.hpp"

#include <algorithm>

#include "routers/relay/blocks/buses.hpp"

namespace flitwave {

namespace {

template <class Signal, class Value>
InnerWire inner_wire(const Signal& signal, int width, Value value) {
  const std::string full = signal.name();
  const std::size_t dot = full.rfind('.');
  return {full.substr(0, dot), full.substr(dot + 1), width,
          [&signal, value] { return value(signal.read()); }, &signal.value_changed_event()};
}

void collect(const sc_core::sc_object& module, std::vector<InnerWire>& wires) {
  for (const sc_core::sc_object* object : module.get_child_objects()) {
    if (const auto* wire = dynamic_cast<const WireSignal*>(object))
      wires.push_back(inner_wire(*wire, 1, [](bool level) -> std::uint64_t { return level; }));
    else if (const auto* bus = dynamic_cast<const BusSignal*>(object))
      wires.push_back(inner_wire(*bus, bus->read().length(),
                                 [](const BusValue& value) { return value.to_uint64(); }));
    else
      collect(*object, wires);
  }
}

}  // namespace

std::vector<InnerWire> inner_wires(const sc_core::sc_object& router) {
  std::vector<InnerWire> wires;
  collect(router, wires);
  std::stable_sort(wires.begin(), wires.end(),
                   [](const InnerWire& a, const InnerWire& b) { return a.scope < b.scope; });
  return wires;
}

}  // namespace flitwave
