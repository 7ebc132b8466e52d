// modules/clock/clocked.cpp: see clocked.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/clock/clocked.hpp"

namespace flitwave {

Clocked::Clocked(const sc_core::sc_module_name& name, ClockDomain& domain, bool ticks)
    : sc_module(name), domain_(domain), ticks_(ticks) {
  if (!ticks) return;
  if (domain.scheduling() == Scheduling::batched) {
    module_index_ = domain.enrol(*this);
    return;
  }
  SC_METHOD(on_clock);
  sensitive << domain.clk().posedge_event();
  dont_initialize();
}

void Clocked::wake_at(Cycle cycle) {
  if (cycle == wakes_at_) return;
  wakes_at_ = cycle;
  if (module_index_ >= 0) domain_.at(cycle, alarm_);
}

bool Clocked::run_tick() {
  tick();
  return take_awake();
}

void Clocked::prefetch_hint(const void* hot) {
  if (module_index_ >= 0) domain_.modules_[static_cast<std::size_t>(module_index_)].hot = hot;
}

void Clocked::on_clock() {
  try {
    if (!domain_.begin_cycle()) return;
    run_tick();
    if (tick_listener_) tick_listener_->ticked();
    end_pulses();
  } catch (...) {
    domain_.fail(std::current_exception());
  }
}

}  // namespace flitwave
