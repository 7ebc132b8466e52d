// modules/router.cpp: see router.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/router.hpp"

namespace flitwave {

std::vector<std::string> names_of(Stall::Cause) { return {"vc_taken", "no_room", "switch_taken"}; }

std::string port_label(int port, int network_ports) {
  return port < network_ports ? std::to_string(port)
                              : "local_" + std::to_string(port - network_ports);
}

std::vector<std::string> names_of(Switching) {
  return {"wormhole", "virtual_cut_through", "store_and_forward", "circuit"};
}

Router::Router(const sc_core::sc_module_name& name, const RouterSite& site, int traversal,
               VcReallocation reallocation, bool ticks)
    : Clocked(name, site.domain, ticks),
      site_(site),
      commits_(site.domain.commits()),
      input_units_(memory().make<InputUnit>(site.ports())),
      output_units_(memory().make<OutputUnit>(site.ports())) {
  look_first_at(&input_units_);
  for (int port = 0; port < site.ports(); ++port) {
    const auto index = static_cast<std::size_t>(port);
    const std::string label = port_label(port, site.network_ports);
    const auto bit = static_cast<std::uint8_t>(port);
    inputs_.emplace_back();
    outputs_.emplace_back();
    if (site.inputs[index]) {
      inputs_.back() = std::make_unique<InputPort>(("input_" + label).c_str(), *site.inputs[index],
                                                   in_port(port));
      if (ticks) in_port(port).set_reader({&flits_in_, bit, module_index()});
    }
    if (site.outputs[index]) {
      outputs_.back() =
          std::make_unique<OutputPort>(("output_" + label).c_str(), *site.outputs[index],
                                       out_port(port), traversal, reallocation);
      if (ticks) out_port(port).set_reader({&backs_in_, bit, module_index()});
    }
  }
}

void Router::read_wires() {
  arrivals_ = returns_ = 0;
  for (int port = 0; port < ports(); ++port) {
    const auto index = static_cast<std::size_t>(port);
    if (inputs_[index] && in_port(port).valid()) arrivals_ |= std::uint64_t{1} << port;
    if (outputs_[index] && out_port(port).has_return_pulse() && out_port(port).return_pulse())
      returns_ |= std::uint64_t{1} << port;
  }
}

void Router::end_pulses() {
  for (const auto& input : inputs_)
    if (input) input->unit().end_tick();
  for (const auto& output : outputs_)
    if (output) output->unit().end_tick();
}

void Router::report_waits(std::vector<WaitPoint>&) const {}

int Router::flits_inside() const {
  int total = 0;
  for (const auto& input : inputs_)
    if (input)
      for (int vc = 0; vc < input->unit().vcs(); ++vc) total += input->unit().count(vc);
  for (const auto& output : outputs_)
    if (output) total += output->unit().flits_inside();
  return total;
}

bool Router::at_rest() const {
  if (flits_inside() > 0) return false;
  for (const auto& output : outputs_)
    if (output && !output->unit().at_rest()) return false;
  return true;
}

}  // namespace flitwave
