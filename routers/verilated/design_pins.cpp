// routers/verilated/design_pins.cpp: see design_pins.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/design_pins.hpp"

#include <algorithm>
#include <utility>

#include "modules/signals/bits.hpp"

namespace flitwave {

DesignPins::DesignPins(const RouterDesign& design, const RouterSite& site, const std::string& name)
    : design_(design),
      site_(site),
      boundary_(design, site, name),
      flit_(index(boundary_.coder().words())),
      nothing_(flit_.size(), 0),
      shown_(index(design.ports()), false) {}

std::uint64_t DesignPins::constant(const ConstantPins& pins) const {
  const Grid* grid = site_.topology ? site_.topology->grid() : nullptr;
  const bool in_grid = grid && pins.dimension < grid->dimensions();
  switch (pins.value) {
    case ConstantPins::Value::node:
      return static_cast<std::uint64_t>(site_.node.value());
    case ConstantPins::Value::coordinate:
      return in_grid ? static_cast<std::uint64_t>(grid->coordinate(site_.node, pins.dimension)) : 0;
    case ConstantPins::Value::radix:
      return in_grid ? static_cast<std::uint64_t>(grid->extent(pins.dimension)) : 1;
    case ConstantPins::Value::network_ports:
      return static_cast<std::uint64_t>(site_.network_ports);
    case ConstantPins::Value::number:
      break;
  }
  return pins.number;
}

void DesignPins::write_constants(PinFrame& pins) const {
  for (const ConstantPins& entry : design_.constants)
    for (int done = 0; done < entry.bits.width; done += 64)
      set_bits_in(pins.words(entry.bits.pin), entry.bits.lsb + done,
                  std::min(64, entry.bits.width - done), done == 0 ? constant(entry) : 0);
}

void DesignPins::write_reset(PinFrame& pins, bool in_reset) const {
  if (design_.reset.bits.exist())
    pins.set(design_.reset.bits, in_reset != design_.reset.active_low ? 1 : 0);
}

namespace {

/// Writes the bits of a flit to the pin of the whole flit, or to a pin for each field.
void scatter(const std::uint64_t* flit, const FlitBits& bits, const FlitPins& port,
             PinFrame& pins) {
  if (port.flit.exist())
    return copy_bits(flit, 0, pins.words(port.flit.pin), port.flit.lsb, bits.width);
  for (std::size_t i = 0; i < bits.fields.size(); ++i)
    copy_bits(flit, bits.fields[i].offset, pins.words(port.fields[i].pin), port.fields[i].lsb,
              bits.fields[i].width);
}

}  // namespace

void DesignPins::write_inputs(PinFrame& pins, const Ports& read) {
  for (int port = 0; port < boundary_.ports(); ++port) {
    const PortWires& wires = read[index(port)];
    const FlitPins& input = design_.inputs[index(port)];
    const FlitPins& output = design_.outputs[index(port)];
    pins.set(input.valid, wires.valid ? 1 : 0);
    if (wires.valid)
      scatter(boundary_.present(port, wires.flit), design_.flit, input, pins);
    else if (shown_[index(port)])
      scatter(nothing_.data(), design_.flit, input, pins);
    shown_[index(port)] = wires.valid;
    if (design_.handshake == Handshake::ready_valid) {
      pins.set(output.ready, wires.ready);
    } else if (output.credit.per_vc.exist()) {
      pins.set(output.credit.per_vc, wires.credit ? word_bit(wires.credit_vc) : 0);
    } else {
      pins.set(output.credit.pulse, wires.credit ? 1 : 0);
      if (output.credit.vc.exist())
        pins.set(output.credit.vc, wires.credit ? static_cast<std::uint64_t>(wires.credit_vc) : 0);
    }
  }
}

/// Reads an output into `flit_`. Returns: whether it is valid.
bool DesignPins::gather(const PinFrame& pins, const FlitPins& port) {
  if (pins.get(port.valid) == 0) return false;
  std::fill(flit_.begin(), flit_.end(), 0);
  const FlitBits& bits = design_.flit;
  if (port.flit.exist()) {
    copy_bits(pins.words(port.flit.pin), port.flit.lsb, flit_.data(), 0, bits.width);
    return true;
  }
  for (std::size_t i = 0; i < bits.fields.size(); ++i)
    copy_bits(pins.words(port.fields[i].pin), port.fields[i].lsb, flit_.data(),
              bits.fields[i].offset, bits.fields[i].width);
  return true;
}

void DesignPins::read_outputs(const PinFrame& pins, bool in_reset, Cycle cycle, Ports& driven) {
  check_after_reset(in_reset);
  reset_cycle_ = cycle;
  for (int port = 0; port < boundary_.ports(); ++port) {
    PortWires& wires = driven[index(port)];
    wires = PortWires();
    if (design_.handshake == Handshake::ready_valid) {
      wires.ready = pins.get(design_.inputs[index(port)].ready);
      boundary_.give_ready(port, wires.ready, in_reset, cycle);
    } else if (!in_reset) {
      read_credit(pins, port, cycle, wires);
    }
    wires.valid = gather(pins, design_.outputs[index(port)]);
    if (in_reset) {
      if (std::exchange(wires.valid, false)) valid_in_reset_ = port;
    } else if (wires.valid) {
      wires.flit = boundary_.send(port, flit_.data(), cycle);
    } else {
      boundary_.send_nothing(port, cycle);
    }
  }
}

/// A network would take a flit that is valid when reset has ended.
void DesignPins::check_after_reset(bool in_reset) {
  const int valid = std::exchange(valid_in_reset_, -1);
  if (in_reset || valid < 0) return;
  throw boundary_.error(reset_cycle_, boundary_.output_name(valid), "valid", "0 after reset", "1");
}

/// Reads the credit at an input; of several, the one with the least virtual channel.
void DesignPins::gather_credit(const PinFrame& pins, const CreditPins& credit,
                               PortWires& driven) const {
  const bool per_vc = credit.per_vc.exist();
  const std::uint64_t pulses = pins.get(per_vc ? credit.per_vc : credit.pulse);
  if (pulses == 0) return;
  driven.credit = true;
  if (per_vc)
    driven.credit_vc = lowest_of(pulses);
  else if (credit.vc.exist())
    driven.credit_vc = narrow(pins.get(credit.vc));
}

void DesignPins::read_credit(const PinFrame& pins, int port, Cycle cycle, PortWires& driven) {
  const CreditPins& credit = design_.inputs[index(port)].credit;
  gather_credit(pins, credit, driven);
  if (!driven.credit) return;
  if (credit.per_vc.exist() && !is_one(pins.get(credit.per_vc)))
    throw boundary_.error(cycle, boundary_.input_name(port), "credit", "at most one in a cycle",
                          std::to_string(__builtin_popcountll(pins.get(credit.per_vc))));
  boundary_.give_credit(port, driven.credit_vc, cycle);
}

PortWires DesignPins::look(const PinFrame& pins, int port) {
  PortWires wires;
  const FlitPins& input = design_.inputs[index(port)];
  if (gather(pins, design_.outputs[index(port)]))
    if (const auto flit = boundary_.look(port, flit_.data())) {
      wires.valid = true;
      wires.flit = *flit;
    }
  if (design_.handshake == Handshake::ready_valid)
    wires.ready = pins.get(input.ready);
  else
    gather_credit(pins, input.credit, wires);
  wires.credit = wires.credit && wires.credit_vc < design_.vcs;
  return wires;
}

DesignError combinational(const DesignPins& pins, Cycle cycle, int output,
                          const std::string& input) {
  return pins.boundary().error(
      cycle, "", "pin " + pins.design().pins[index(output)].name,
      "a register, which changes after the rising edge only",
      input.empty() ? "a change before the edge" : "a combinational path from pin " + input);
}

}  // namespace flitwave
