// modules/clock/clocked.hpp: a module with a clock that can sleep.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <systemc>

#include "configs/quantity.hpp"
#include "modules/clock/clock_domain.hpp"
#include "modules/clock/wheel.hpp"

namespace flitwave {

/// A module with a clock: one `tick()` per cycle in which it is awake.
///
/// After a tick in which it did not call `stay_awake`, a module sleeps until a wire that it reads
/// changes, or until a cycle for which it called `wake_at`. Under per_module scheduling it is
/// ticked in every cycle; a tick of a sleeping module must have no effect, which `clock.scheduling:
/// audit` checks.
class Clocked : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Clocked);

  ClockDomain& domain() const { return domain_; }
  /// Its number in the domain, which is the order of ticks; -1 when not batched.
  int module_index() const { return module_index_; }
  /// Whether it has a tick.
  bool ticks() const { return ticks_; }

 protected:
  /// `ticks`: whether the module has a tick.
  Clocked(const sc_core::sc_module_name& name, ClockDomain& domain, bool ticks = true);

  /// One cycle: reads the wires as before the edge; wires that it drives change after the edge.
  virtual void tick() = 0;  // to be ticked again in the next cycle, call stay_awake()
  /// In a tick: requests a tick in the next cycle.
  void stay_awake() { awake_ = true; }
  /// Requests a tick in a cycle, in addition to earlier requests. Range: `cycle` > now()
  void wake_at(Cycle cycle);

  /// Called by the domain in each cycle in which the module is awake: the tick, and the work of
  /// base classes before and after it. A module that determines by itself when it sleeps overrides
  /// this instead of calling `stay_awake`.
  /// Returns: whether it must be ticked in the next cycle even if no wire that it reads changes.
  virtual bool run_tick();
  /// Whether `stay_awake` was called since the last call of this.
  bool take_awake() { return std::exchange(awake_, false); }
  /// After each tick under per_module scheduling: ends the pulses that the module drives. Otherwise
  /// the commit ends them.
  virtual void end_pulses() {}

  Cycle now() const { return domain_.now(); }
  /// The address of the data that a tick reads first.
  void prefetch_hint(const void* hot);

 private:
  friend class ClockDomain;

  /// Wakes its module.
  class Alarm final : public Sleeper {
   public:
    explicit Alarm(Clocked& module) : module_(module) {}
    void due() override { module_.domain_.wake(module_); }

   private:
    Clocked& module_;
  };

  void on_clock();

  ClockDomain& domain_;
  Alarm alarm_{*this};
  TickListener* tick_listener_ = nullptr;
  Cycle wakes_at_ = 0;
  int module_index_ = -1;
  bool ticks_;
  bool awake_ = false;
};

}  // namespace flitwave
