// modules/clock/clock_domain.hpp: which modules tick when; the commit of all wires; the sleepers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// How modules are ticked and wires are committed. All give the same simulation.
enum class Scheduling {
  batched,     ///< One process ticks the active modules; one primitive channel commits all wires.
  per_module,  ///< One clocked SC_METHOD per module, one sc_signal per wire: the oracle.
  audit,       ///< As batched, but those that sleep are ticked too, and must do nothing.
};
std::vector<std::string> names_of(Scheduling);

class Clocked;

/// How far simulated time reaches. Unit: ps
constexpr std::int64_t longest_time = INT64_MAX / 4;
/// The current simulated time. Unit: ps
std::int64_t picoseconds_now();

/// A clock, the modules on it and the wires between them.
///
/// Timing: the rising edge of cycle n is at n * period, n >= 1. In a cycle, sleepers that are due
///   run first, then modules tick in the order of their making, each reading the wires as before
///   the edge; then all wires that were driven change at once. `reset` is high until edge 1.
///   When no module is active, time jumps to the next sleeper, unless somebody watches `clk`.
///   A flit crosses a channel in a cycle if it is valid, and under ready_valid accepted, on the
///   receiver's wires at the next edge: foreign modules may drive them in any delta cycle.
/// Source: the evaluate-update contract of IEEE 1666-2011, section 4.2.
class ClockDomain : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ClockDomain);
  ClockDomain(const sc_core::sc_module_name& name, Duration period, Scheduling scheduling);
  ~ClockDomain() override;

  /// Batched where it is audited.
  Scheduling scheduling() const { return scheduling_; }
  Duration period() const { return period_; }
  /// The cycle whose edge came last. Range: 0 (before the first edge) and up
  Cycle now() const { return scheduling_ == Scheduling::batched ? now_ : cycle_of_time(); }

  /// For foreign modules: `clk.pos()` comes in the delta cycle in which modules tick, so that
  /// clocked processes read wires as before the edge.
  sc_core::sc_signal_in_if<bool>& clk();
  /// Synchronous, active high; falls at edge 1.
  sc_core::sc_signal<bool> reset{"reset"};

  /// Wakes the sleeper at a cycle.
  /// Range: `cycle` > now()
  void at(Cycle cycle, Sleeper& sleeper);
  /// The same after all others of that cycle: of what several modules bring about together, when
  /// the order in which they do so within an earlier cycle must not matter.
  void at_last(Cycle cycle, Sleeper& sleeper);
  /// Ticks the module at the next edge; for those who act outside a tick.
  void wake(Clocked& module);

  /// Makes and returns a feed that is flushed after each cycle; lives as long as the domain.
  TransitFeed& add_feed();
  CommitQueue& commits();

  /// Called once in `pulse_ticks` ticks of the clock, whatever is simulated; for who looks at the
  /// world outside. It must not change anything that is simulated.
  void set_pulse(std::function<void()> pulse) { pulse_ = std::move(pulse); }
  static constexpr std::uint32_t pulse_ticks = 1024;

  /// Called at the end of the run; for what samples the wires of a cycle at the next edge.
  void add_final_sampler(std::function<void()> sampler) {
    final_samplers_.push_back(std::move(sampler));
  }
  /// The run is over: reports the transits of the last cycle that would be reported at the next
  /// edge.
  void finish();

  /// Called after every commit of wires, in the update phase; batched only, for waves.
  void set_commit_listener(std::function<void()> listener) { committed_ = std::move(listener); }

  /// Keeps the first exception of a process and tells the handler, since SystemC would lose its
  /// type.
  void fail(std::exception_ptr error) noexcept;
  /// Ends the run once this cycle is over, for a reason that leaves the network as it should be;
  /// of several reasons in one cycle that of the module whose name comes first. So where a run ends
  /// depends neither on scheduling nor on the order in which modules tick.
  void end_run(const Clocked& module, std::exception_ptr reason);
  void set_failure_handler(std::function<void()> handler) { failed_ = std::move(handler); }
  /// Throws: the exception that `fail` kept, if any.
  void rethrow() const;

 private:
  friend class Clocked;
  class Commit;
  class ClockWire;

  int enrol(Clocked& module);
  void start_of_simulation() override;
  Cycle cycle_of_time() const;
  void tick_all();  // batched
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
  void run_wheel();      // per_module
  void advance_wheel();  // per_module
  void flush_feeds();    // per_module, one delta cycle after the edge
  void report_transits(Cycle cycle);
  void end_run_if_asked();
  void count_tick() {
    if (++ticks_ % pulse_ticks == 0 && pulse_) pulse_();
  }

  Duration period_;
  sc_core::sc_time period_time_;
  Cycle last_cycle_;  // of simulated time
  Scheduling scheduling_;
  bool audits_;
  Cycle now_ = 0;
  Cycle next_tick_ = Wheel::never;  // batched: for which `tick_` is notified
  bool ticked_ = false;             // the update phase that follows belongs to a tick
  bool watched_ = false;
  Cycle foreign_cycle_ = -1;  // batched: of which foreign modules may still drive wires
  Wheel wheel_;
  Cycle wheel_cycle_ = 0;  // per_module: the last one of which sleepers were woken
  struct Member {
    /// Gets what a tick looks at first into the cache.
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
  std::string ending_module_;
  std::exception_ptr ending_;
};

}  // namespace flitwave
