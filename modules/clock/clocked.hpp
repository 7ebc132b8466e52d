// modules/clock/clocked.hpp: a module with a clock, and how it sleeps.
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
/// After a tick a module sleeps until a wire that it reads changes, unless it called `stay_awake`,
/// or until a cycle that it named to `wake_at`. Under per_module scheduling it is ticked in every
/// cycle; a tick of a module that sleeps must change nothing, which `clock.scheduling: audit`
/// checks.
class Clocked : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Clocked);

  ClockDomain& domain() const { return domain_; }
  /// Its number in the domain: the order in which active modules tick; -1 when not batched.
  int module_index() const { return module_index_; }

 protected:
  /// `ticks`: whether the module has anything to do at an edge.
  Clocked(const sc_core::sc_module_name& name, ClockDomain& domain, bool ticks = true);

  /// One cycle: reads the wires as they stood before the edge; what it drives stands after it.
  virtual void tick() = 0;  // returns nothing; a module that is to be ticked again: stay_awake()
  /// In a tick: the next cycle is ticked too.
  void stay_awake() { awake_ = true; }
  /// Ticks the module in a cycle, beside others for which this was called. Range: `cycle` > now()
  void wake_at(Cycle cycle);

  /// What the domain calls in each cycle in which the module is awake: the tick, and what its base
  /// class does before and after it. A module that decides by itself when it sleeps overrides this
  /// instead of calling `stay_awake`.
  /// Returns: whether it must be ticked in the next cycle even if no wire that it reads changes.
  virtual bool run_tick();
  /// Whether `stay_awake` was called since this was asked last.
  bool take_awake() { return std::exchange(awake_, false); }
  /// After each tick under per_module scheduling: ends the pulses that the module drives, as the
  /// commit does otherwise.
  virtual void end_pulses() {}

  Cycle now() const { return domain_.now(); }
  /// Where the data lie that a tick reads first.
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
  Cycle wakes_at_ = 0;
  int module_index_ = -1;
  bool awake_ = false;
};

}  // namespace flitwave
