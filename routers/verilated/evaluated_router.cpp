// routers/verilated/evaluated_router.cpp: see evaluated_router.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/evaluated_router.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "configs/error.hpp"

namespace flitwave {

/// An instance and the values of its pins.
class EvaluatedRouter::Memory {
 public:
  Memory(const RouterDesign& design, std::unique_ptr<EvaluatedDesign> instance)
      : inputs(design.pins),
        outputs(design.pins),
        inputs_before(design.pins),
        outputs_before(design.pins),
        design_(design),
        instance_(std::move(instance)),
        clock_(design.clock) {
    for (std::size_t i = 0; i < design.pins.size(); ++i) {
      const Pin pin{static_cast<int>(i), instance_->data(static_cast<int>(i)),
                    bytes_of(design.pins[i].width)};
      (design.pins[i].is_input ? input_pins_ : output_pins_).push_back(pin);
    }
  }

  /// Computes the outputs from `inputs`.
  void evaluate(bool clock) {
    settle(clock);
    for (const Pin& pin : output_pins_) std::memcpy(outputs.words(pin.number), pin.data, pin.bytes);
  }

  /// Keeps the values since the last edge.
  void keep() {
    if (std::exchange(is_kept_, false)) return;
    inputs_before.copy_from(inputs);
    outputs_before.copy_from(outputs);
  }
  /// The values since the last edge are kept, before the inputs change.
  void keep_early() {
    keep();
    is_kept_ = true;
  }
  /// Computes all inside the instance from `inputs`; `outputs` are as before.
  void settle(bool clock) {
    inputs.set(clock_, clock ? 1 : 0);
    for (const Pin& pin : input_pins_) std::memcpy(pin.data, inputs.words(pin.number), pin.bytes);
    instance_->evaluate();
  }
  std::unique_ptr<InnerSignals> inner_signals() { return instance_->inner_signals(); }

  /// An output that differs from its value since the last edge; -1 if there is none.
  int changed_output() const {
    for (const Pin& pin : output_pins_)
      if (!outputs.equals(outputs_before, pin.number)) return pin.number;
    return -1;
  }
  /// The name of an input of which alone `output` depends without an edge; empty if there is none.
  std::string cause_of(int output) {
    const PinFrame wanted = inputs;
    for (const Pin& pin : input_pins_) {
      if (pin.number == clock_.pin || wanted.equals(inputs_before, pin.number)) continue;
      inputs.copy_from(inputs_before);
      copy_bits(wanted.words(pin.number), 0, inputs.words(pin.number), 0, width(pin.number));
      evaluate(false);
      if (!outputs.equals(outputs_before, output)) return design_.pins[index(pin.number)].name;
    }
    return "";
  }

  PinFrame inputs;
  PinFrame outputs;
  PinFrame inputs_before;
  PinFrame outputs_before;

 private:
  struct Pin {
    int number;
    void* data;
    std::size_t bytes;
  };

  /// In Verilator's layout. Whole words are larger, and equal to it in their first bytes.
  static std::size_t bytes_of(int width) {
    if (width <= 8) return 1;
    if (width <= 16) return 2;
    return width <= 32 ? 4 : width <= 64 ? 8 : 4 * static_cast<std::size_t>((width + 31) / 32);
  }

  int width(int pin) const { return design_.pins[index(pin)].width; }

  const RouterDesign& design_;
  std::unique_ptr<EvaluatedDesign> instance_;
  PinBits clock_;
  std::vector<Pin> input_pins_;
  std::vector<Pin> output_pins_;
  bool is_kept_ = false;
};

EvaluatedRouter::EvaluatedRouter(const sc_core::sc_module_name& name, const DesignUse& use,
                                 const RouterSite& site)
    : Router(name, without_channels(site), 0, VcReallocation::non_atomic),
      whole_(site),
      use_(use),
      pins_(*use.design, whole_, basename()),
      links_(*use.design, whole_, module_index()),
      read_(index(use.design->ports())),
      driven_(read_.size()),
      observed_(read_.size()) {
  memory_ = std::make_unique<Memory>(*use.design,
                                     use.design->evaluated(this->name(), DesignUse::seed_at(site)));
  pins_.write_constants(memory_->inputs);
  pins_.write_reset(memory_->inputs, true);
  memory_->evaluate(false);
  for (Cycle edge = 1; edge < site.domain.reset_cycles(); ++edge) {
    memory_->evaluate(true);  // edges of the reset before that of cycle 1
    memory_->evaluate(false);
  }
  lock_step_ = use.lock_step(whole_, basename());
  site.domain.wake(*this);
}

EvaluatedRouter::~EvaluatedRouter() = default;

void EvaluatedRouter::tick() {
  if (has_failed_) return;
  const bool arrives = links_.read(read_);
  const bool in_reset = domain().reset.read();
  if (use_.gated && rests_ >= DesignUse::cycles_to_rest && !arrives) return;
  try {
    step(in_reset);
  } catch (const DesignError&) {
    has_failed_ = true;
    return domain().end_run(*this, std::current_exception());
  }
  if (use_.gated) rests_ = arrives || in_reset || !at_rest() ? 0 : rests_ + 1;
  if (rests_ < DesignUse::cycles_to_rest) stay_awake();
}

void EvaluatedRouter::step(bool in_reset) {
  const Cycle cycle = now();
  memory_->keep();
  pins_.write_reset(memory_->inputs, in_reset);
  pins_.write_inputs(memory_->inputs, read_);
  pins_.boundary().take(read_, cycle);
  memory_->evaluate(false);
  // An asynchronous reset changes outputs before the edge.
  const bool may_change = use_.design->reset.asynchronous && (in_reset || was_in_reset_);
  if (!may_change && memory_->outputs != memory_->outputs_before) fail_combinational();
  memory_->evaluate(true);
  pins_.read_outputs(memory_->outputs, in_reset, cycle, driven_);
  links_.drive(driven_);
  was_in_reset_ = in_reset;
  if (watch_) watch_->request(3);  // by then SystemC modules have driven their wires, too
}

InnerWatch* EvaluatedRouter::watch() {
  if (watch_) return watch_.get();
  auto signals = memory_->inner_signals();
  if (!signals) return nullptr;
  links_.show();
  watch_ = std::make_unique<InnerWatch>(sc_core::sc_gen_unique_name("watch"), std::move(signals),
                                        [this] { settle(); });
  return watch_.get();
}

/// What is on the wires in this cycle reaches the logic before the next edge.
void EvaluatedRouter::settle() {
  if (has_failed_) return;
  memory_->keep_early();
  links_.observe(observed_);
  pins_.write_reset(memory_->inputs, domain().reset.read());
  pins_.write_inputs(memory_->inputs, observed_);
  memory_->settle(false);
}

void EvaluatedRouter::fail_combinational() {
  const int output = memory_->changed_output();
  throw combinational(pins_, now(), output, memory_->cause_of(output));
}

}  // namespace flitwave
