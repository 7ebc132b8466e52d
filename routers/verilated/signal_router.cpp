// routers/verilated/signal_router.cpp: see signal_router.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/signal_router.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "modules/signals/bits.hpp"
#include "routers/verilated/router_links.hpp"

namespace flitwave {

SignalRouter::SignalRouter(const sc_core::sc_module_name& name, const DesignUse& use,
                           const RouterSite& site)
    : Router(name, without_channels(site), 0, VcReallocation::non_atomic),
      whole_(site),
      use_(use),
      pins_(*use.design, whole_, basename()),
      inputs_(use.design->pins),
      written_(use.design->pins),
      outputs_(use.design->pins),
      settled_(use.design->pins),
      has_unknown_(use.design->pins.size(), false),
      wires_(index(site.ports())),
      read_(index(use.design->ports())),
      driven_(read_.size()) {
  const RouterDesign& design = *use.design;
  clk_(site.domain.clk());
  for (int port = 0; port < site.ports(); ++port) bind(port);
  if (use.gated) gated_clock_ = std::make_unique<sc_core::sc_signal<bool>>("gated_clk");
  sc_core::sc_signal_in_if<bool>& clock =
      gated_clock_ ? static_cast<sc_core::sc_signal_in_if<bool>&>(*gated_clock_)
                   : site.domain.clk();
  instance_ = design.signals("design", DesignUse::seed_at(site), clock);
  for (int pin = 0; pin < static_cast<int>(design.pins.size()); ++pin)
    if (pin != design.clock.pin)
      (design.pins[index(pin)].is_input ? input_pins_ : output_pins_).push_back(pin);
  pins_.write_constants(inputs_);
  lock_step_ = use.lock_step(whole_, basename());

  SC_METHOD(on_falling_edge);
  sensitive << clk_.neg();
  SC_METHOD(on_outputs);
  sensitive << restart_;
  for (const int pin : output_pins_) sensitive << instance_->pin(pin).changed();
  dont_initialize();
  if (gated_clock_) {
    SC_METHOD(drive_gated_clock);
    sensitive << clk_.pos() << clk_.neg();
    dont_initialize();
  }
  site.domain.wake(*this);
}

SignalRouter::~SignalRouter() = default;

InnerWatch* SignalRouter::watch() {
  if (watch_) return watch_.get();
  auto signals = instance_->inner_signals();
  if (!signals) return nullptr;
  watch_ = std::make_unique<InnerWatch>(sc_core::sc_gen_unique_name("watch"), std::move(signals),
                                        nullptr);
  return watch_.get();
}

void SignalRouter::bind(int port) {
  Wires& wires = wires_[index(port)];
  wires.port = design_port(*use_.design, whole_, port);
  if (Channel* channel = whole_.inputs[index(port)]) {
    wires.input = &channel->downstream();
    wires.input->forward.wires().show();
    if (wires.input->ready) {
      for (int vc = 0; vc < use_.design->vcs; ++vc) {
        wires.ready.push_back(std::make_unique<sc_core::sc_out<bool>>());
        (*wires.ready.back())(wires.input->ready->wire(vc));
        wires.shown.ready |= word_bit(vc);
      }
    } else {
      wires.credit = std::make_unique<sc_core::sc_out<bool>>();
      wires.credit_vc = std::make_unique<sc_core::sc_out<VcIndex>>();
      (*wires.credit)(wires.input->back->wires().valid_wire());
      (*wires.credit_vc)(wires.input->back->wires().payload_wire());
    }
  }
  if (Channel* channel = whole_.outputs[index(port)]) {
    wires.output = &channel->upstream();
    if (wires.output->back) wires.output->back->wires().show();
    wires.valid = std::make_unique<sc_core::sc_out<bool>>();
    wires.flit = std::make_unique<sc_core::sc_out<Flit>>();
    (*wires.valid)(wires.output->forward.wires().valid_wire());
    (*wires.flit)(wires.output->forward.wires().payload_wire());
  }
}

/// Until the outputs of a cycle are accounted for, flits on the wires count as inside, too.
int SignalRouter::flits_inside() const {
  int inside = pins_.boundary().flits_inside();
  if (is_checked_ || use_.design->handshake == Handshake::ready_valid) return inside;
  for (const Wires& wires : wires_) inside -= wires.shown.valid ? 1 : 0;
  return inside;
}

void SignalRouter::fail() noexcept {
  has_failed_ = true;
  domain().fail(*this, std::current_exception());
}

/// The rising edge: the design reads its inputs.
void SignalRouter::tick() {
  if (has_failed_) return;
  stay_awake();
  is_low_ = false;
  if (watch_) watch_->request(2);
  if (in_reset_ || was_in_reset_) restart_.notify(sc_core::SC_ZERO_TIME);
  was_in_reset_ = in_reset_;
  if (!is_clocked_) return;
  is_checked_ = false;
  try {
    pins_.boundary().take(read_, now());
  } catch (const DesignError&) {
    fail();
  }
  if (use_.gated) rests_ = in_reset_ || !at_rest() ? 0 : rests_ + 1;
}

void SignalRouter::drive_gated_clock() { gated_clock_->write(is_clocked_ && clk_.read()); }

void SignalRouter::on_falling_edge() {
  if (has_failed_) return;
  try {
    if (started_ && is_clocked_) finish_cycle();
    is_low_ = started_;
    started_ = true;
    begin_inputs();
  } catch (const DesignError&) {
    fail();
  }
}

/// Checks what the design drives in this cycle.
void SignalRouter::finish_cycle() {
  read_pins();
  if (!was_in_reset_) check_known();
  pins_.read_outputs(outputs_, was_in_reset_, now(), driven_);
  is_checked_ = true;
  settled_.copy_from(outputs_);
}

/// Gives the design what is on the wires in this cycle.
void SignalRouter::begin_inputs() {
  const bool arrives = read_wires();
  in_reset_ = domain().reset.read();
  is_clocked_ = !use_.gated || arrives || in_reset_ || rests_ < DesignUse::cycles_to_rest;
  if (arrives) rests_ = 0;
  written_.copy_from(inputs_);
  pins_.write_reset(inputs_, in_reset_);
  pins_.write_inputs(inputs_, read_);
  for (const int pin : input_pins_) instance_->pin(pin).write(inputs_.words(pin));
  if (watch_) watch_->request(2);  // the design is evaluated in the delta cycle in between
}

/// Returns: whether there is a flit or a credit.
bool SignalRouter::read_wires() {
  bool any = false;
  for (const Wires& wires : wires_) {
    PortWires& read = read_[index(wires.port)];
    read = on_wires(wires.input, wires.output);
    read.valid = read.valid && whole_.packets.find(read.flit) != nullptr;
    any = any || read.valid || read.credit;
  }
  return any;
}

void SignalRouter::read_pins() {
  for (const int pin : output_pins_)
    has_unknown_[index(pin)] = instance_->pin(pin).read(outputs_.words(pin)) >= 0;
}

/// The outputs have changed, or must be shown.
void SignalRouter::on_outputs() {
  if (has_failed_ || !started_) return;  // before reset, registers have any value
  try {
    read_pins();
    if (is_low_) return fail_combinational();
    for (Wires& wires : wires_) {
      PortWires driven = pins_.look(outputs_, wires.port);
      if (was_in_reset_) driven.valid = driven.credit = false;
      show(wires, driven);
    }
  } catch (const DesignError&) {
    fail();
  }
}

void SignalRouter::show(Wires& wires, const PortWires& driven) const {
  if (wires.valid) {
    wires.valid->write(driven.valid);
    if (driven.valid) wires.flit->write(driven.flit);
  }
  if (wires.credit) {
    wires.credit->write(driven.credit);
    if (driven.credit) wires.credit_vc->write(static_cast<VcIndex>(driven.credit_vc));
  }
  for (std::size_t vc = 0; vc < wires.ready.size(); ++vc)
    wires.ready[vc]->write((driven.ready >> vc & 1) != 0);
  wires.shown = driven;
}

/// With an asynchronous reset, outputs may change at any time in reset.
void SignalRouter::fail_combinational() {
  if (!started_ || (use_.design->reset.asynchronous && (was_in_reset_ || in_reset_))) return;
  for (const int pin : output_pins_) {
    if (outputs_.equals(settled_, pin)) continue;
    std::vector<std::string> causes;
    for (const int input : input_pins_)
      if (!inputs_.equals(written_, input)) causes.push_back(use_.design->pins[index(input)].name);
    throw combinational(pins_, now(), pin, detail::either(causes));
  }
}

void SignalRouter::check_known() const {
  if (std::find(has_unknown_.begin(), has_unknown_.end(), true) == has_unknown_.end()) return;
  const RouterBoundary& boundary = pins_.boundary();
  const RouterDesign& design = *use_.design;
  for (int port = 0; port < boundary.ports(); ++port) {
    const FlitPins& output = design.outputs[index(port)];
    const std::string name = boundary.output_name(port);
    check_known(output.valid, name);
    if (outputs_.get(output.valid) != 0) {
      if (output.flit.exist()) check_known(output.flit, name);
      for (const PinBits& field : output.fields) check_known(field, name);
    }
    const FlitPins& input = design.inputs[index(port)];
    if (design.handshake == Handshake::ready_valid)
      check_known(input.ready, boundary.input_name(port));
    else
      check_known(input.credit, boundary.input_name(port));
  }
}

void SignalRouter::check_known(const CreditPins& credit, const std::string& port) const {
  if (credit.per_vc.exist()) return check_known(credit.per_vc, port);
  check_known(credit.pulse, port);
  if (outputs_.get(credit.pulse) != 0 && credit.vc.exist()) check_known(credit.vc, port);
}

void SignalRouter::check_known(const PinBits& bits, const std::string& port) const {
  if (!has_unknown_[index(bits.pin)]) return;
  const DesignPin& pin = use_.design->pins[index(bits.pin)];
  for (int bit = bits.lsb; bit < bits.lsb + bits.width; ++bit) {
    const char digit = instance_->pin(bits.pin).digit(bit);
    if (digit == '0' || digit == '1') continue;
    const std::string name = pin.width == 1 ? pin.name : fmt::format("{}[{}]", pin.name, bit);
    throw pins_.boundary().error(now(), port, "pin " + name, "0 or 1", std::string(1, digit));
  }
}

}  // namespace flitwave
