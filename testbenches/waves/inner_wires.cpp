// testbenches/waves/inner_wires.cpp: see inner_wires.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/inner_wires.hpp"

#include <algorithm>

#include "routers/relay/blocks/buses.hpp"
#include "routers/verilated/inner_watch.hpp"

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

std::vector<InnerWire> signals_of(InnerWatch& watch, const std::string& router) {
  std::vector<InnerWire> wires;
  for (std::size_t i = 0; i < watch.signals().size(); ++i) {
    const InnerSignal& signal = watch.signals()[i];
    wires.push_back({router + "." + signal.scope, signal.name, signal.width,
                     [&watch, i] { return watch.value(i); }, &watch.changed(i)});
  }
  return wires;
}

}  // namespace

std::vector<InnerWire> inner_wires(sc_core::sc_object& router) {
  std::vector<InnerWire> wires;
  auto* const watchable = dynamic_cast<Watchable*>(&router);
  if (InnerWatch* const watch = watchable ? watchable->watch() : nullptr)
    wires = signals_of(*watch, router.name());
  else
    collect(router, wires);
  std::stable_sort(wires.begin(), wires.end(),
                   [](const InnerWire& a, const InnerWire& b) { return a.scope < b.scope; });
  return wires;
}

}  // namespace flitwave
