// modules/clock/clock_domain.hpp: the ticks of modules, the commit of all wires, and wake-ups.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include "configs/quantity.hpp"
#include "modules/clock/wheel.hpp"
#include "modules/signals/link_wires.hpp"

namespace flitwave {

/// How modules are ticked and wires are committed. All yield the same simulation.
enum class Scheduling {
  batched,     ///< One process ticks the active modules; one primitive channel commits all wires.
  per_module,  ///< One clocked SC_METHOD per module, one sc_signal per wire: the oracle.
  audit,       ///< As batched, but sleeping modules are ticked as well, which must have no effect.
};
std::vector<std::string> names_of(Scheduling);

class Clocked;

/// The greatest simulated time. Unit: ps
constexpr std::int64_t longest_time = INT64_MAX / 4;
/// The current simulated time. Unit: ps
std::int64_t picoseconds_now();
/// SystemC's time as a number of picoseconds, rounded down, and back.
std::int64_t picoseconds_of(const sc_core::sc_time& time);
sc_core::sc_time time_of(std::int64_t picoseconds);

/// Called after each tick of a module; see ClockDomain::listen.
class TickListener {
 public:
  virtual void ticked() = 0;

 protected:
  ~TickListener() = default;
};

/// A clock, the modules on it and the wires between them.
///
/// Timing: the rising edge of cycle n is at (n + reset_cycles() - 1) * period. In a cycle, sleepers
///   that are due run first, then modules tick in the order of their creation, each reading the
///   wires as before the edge; then all wires that were driven change at once. `reset` is high
///   until edge 1. In the cycles before, 2 - reset_cycles() .. 0, no module of the domain ticks,
///   and what foreign modules drive is not received. When no module is active, time advances to the
///   next sleeper, unless `clk` is observed.
///   A flit crosses a channel in a cycle if it is valid, and under ready_valid accepted, on the
///   receiver's wires at the next edge: foreign modules may drive them in any delta cycle.
/// Source: the evaluate-update contract of IEEE 1666-2011, section 4.2.
class ClockDomain : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ClockDomain);
  /// `reset_cycles`: rising edges at which `reset` is high. Range: 1 and up
  ClockDomain(const sc_core::sc_module_name& name, Duration period, Scheduling scheduling,
              Cycle reset_cycles = 1);
  ~ClockDomain() override;

  /// Returns: batched also for `audit`.
  Scheduling scheduling() const { return scheduling_; }
  Duration period() const { return period_; }
  /// Rising edges at which `reset` is high, edge 1 included.
  Cycle reset_cycles() const { return before_ + 1; }
  /// The cycle of the most recent edge. Range: 1 - reset_cycles() (before the first edge) and up
  Cycle now() const { return scheduling_ == Scheduling::batched ? now_ : cycle_of_time(); }
  /// The same by simulated time, also between ticks: when no module is active, edges pass without
  /// a tick.
  Cycle cycle_of_time() const { return cycle_at(picoseconds_now()); }
  /// The time of the rising edge of a cycle. Unit: ps
  std::int64_t time_of_edge(Cycle cycle) const { return (cycle + before_) * period_.picoseconds; }
  /// The cycle of the last edge until a time. Unit: ps
  Cycle cycle_at(std::int64_t picoseconds) const {
    return picoseconds / period_.picoseconds - before_;
  }
  /// The time for which `clk` is high in each period. Unit: ps
  std::int64_t high_time() const { return (period_.picoseconds + 1) / 2; }
  /// The level of `clk` at a time. Unit: ps
  bool is_high(std::int64_t picoseconds) const {
    return picoseconds >= period_.picoseconds && picoseconds % period_.picoseconds < high_time();
  }
  /// The first cycle whose rising edge is after a time. Unit: ps. Range: 1 and up
  Cycle first_cycle_after(std::int64_t picoseconds) const {
    return std::max<Cycle>(1, cycle_at(picoseconds) + 1);
  }

  /// For foreign modules: `clk.pos()` triggers in the delta cycle in which modules tick, so that
  /// clocked processes read wires as before the edge.
  sc_core::sc_signal_in_if<bool>& clk();
  /// Synchronous, active high; falls at edge 1.
  sc_core::sc_signal<bool> reset{"reset"};

  /// Wakes the sleeper at a cycle.
  /// Range: `cycle` > now(), from 1 on
  void at(Cycle cycle, Sleeper& sleeper);
  /// The same, but after all other sleepers of that cycle: for events that several modules cause
  /// together, when their order within an earlier cycle must not matter.
  void at_last(Cycle cycle, Sleeper& sleeper);
  /// Ticks the module at the next edge; for callers outside a tick.
  void wake(Clocked& module);

  /// Creates and returns a feed that is flushed after each cycle. Lifetime: that of the domain.
  TransitFeed& add_feed();
  CommitQueue& commits();

  /// Called once in `pulse_ticks` ticks of the clock; for observers outside the simulation, e.g. of
  /// interrupts. It must not affect the simulation.
  void set_pulse(std::function<void()> pulse) { pulse_ = std::move(pulse); }
  static constexpr std::uint32_t pulse_ticks = 1024;

  /// Called at the end of the run; for samplers that sample the wires of a cycle at the next edge.
  void add_final_sampler(std::function<void()> sampler) {
    final_samplers_.push_back(std::move(sampler));
  }
  /// Ends the run in `cycle`: reports those transits of it that would be reported at the next edge.
  void finish(Cycle cycle);
  /// From now on no module of the domain ticks.
  void stop() { stopped_ = true; }
  /// Whether no module ticks any more, because of `stop` or of an error.
  bool has_stopped() const { return stopped_ || has_failed(); }
  /// The cycle of the last edge before the current time, between calls of `sc_start`.
  Cycle last_cycle_passed() const;

  /// Calls `listener` at the end of each tick of the module, before any wire is committed; null: no
  /// longer. It must not affect the simulation.
  void listen(Clocked& module, TickListener* listener);
  /// Called in the update phase after each tick, and after each other commit of wires; batched
  /// only, for waves.
  void set_commit_listener(std::function<void()> listener) { committed_ = std::move(listener); }

  /// Stores the first exception of a process and calls the handler, since SystemC would lose the
  /// type of the exception.
  void fail(std::exception_ptr error) noexcept;
  /// The same for a module's process. Of several in one delta cycle, that of the module with the
  /// alphabetically first name counts.
  void fail(const Clocked& module, std::exception_ptr error) noexcept;
  /// Ends the run at the end of this cycle, for a reason that leaves the network consistent. Of
  /// several reasons in one cycle, that of the module with the alphabetically first name counts, so
  /// that the end of a run depends neither on scheduling nor on the order of ticks.
  void end_run(const Clocked& module, std::exception_ptr reason);
  void set_failure_handler(std::function<void()> handler) { failed_ = std::move(handler); }
  /// Throws: the exception that `fail` stored, if any.
  void rethrow() const;
  bool has_failed() const { return error_ != nullptr; }

 private:
  friend class Clocked;
  class Commit;
  class ClockWire;

  int enrol(Clocked& module);
  void start_of_simulation() override;
  void tick_all();  // batched
  void run_cycle();
  void run_observed_ticks();
  bool run_observed(int index);
  void tick_and_audit();
  void audit(Clocked& module);
  void commit_all();  // batched, update phase
  template <class T>
  void commit_links(LinkQueue<T>& links, sc_dt::uint64 stamp);
  void count_credits();
  void end_tick();
  void begin_foreign_cycle();
  void end_foreign_cycle();
  void schedule(Cycle base);
  void run_wheel();    // per_module
  bool begin_cycle();  // per_module
  void flush_feeds();  // per_module, one delta cycle after the edge
  void report_transits(Cycle cycle);
  void end_run_if_requested();
  void count_tick() {
    if (++ticks_ % pulse_ticks == 0 && pulse_) pulse_();
  }

  Duration period_;
  Cycle before_;  // cycles of the reset before cycle 1
  sc_core::sc_time period_time_;
  Cycle last_cycle_;  // the greatest cycle that simulated time can reach
  Scheduling scheduling_;
  bool audits_;
  int observers_;                   // the audit, and modules with a listener
  Cycle now_;                       // batched
  Cycle next_tick_ = Wheel::never;  // batched: the cycle for which `tick_` is notified
  bool ticked_ = false;             // the next update phase belongs to a tick
  bool watched_ = false;
  bool stopped_ = false;
  Cycle foreign_cycle_ = -1;  // batched: the cycle in which foreign modules may still drive wires
  Wheel wheel_;
  Cycle wheel_cycle_ = 0;  // per_module: the last cycle whose sleepers were woken
  struct Member {
    /// Prefetches the data that a tick reads first.
    void prefetch() const {
      flitwave::prefetch(module, 1);
      flitwave::prefetch(hot, 3);
    }

    Clocked* module;
    const void* hot;
  };
  std::vector<Member> modules_;
  std::unique_ptr<Commit> commits_;
  std::unique_ptr<ClockWire> clock_wire_;
  std::unique_ptr<sc_core::sc_clock> plain_clock_;
  sc_core::sc_event tick_{"tick"};
  sc_core::sc_event flush_{"flush"};
  std::vector<std::unique_ptr<TransitFeed>> feeds_;
  std::vector<std::function<void()>> final_samplers_;
  std::function<void()> committed_;
  std::function<void()> failed_;
  std::function<void()> pulse_;
  std::uint32_t ticks_ = 0;
  std::exception_ptr error_;
  std::string failed_module_;  // whose error it is; empty: of no module
  std::string ending_module_;
  std::exception_ptr ending_;
};

}  // namespace flitwave
