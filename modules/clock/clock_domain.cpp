// modules/clock/clock_domain.cpp: see clock_domain.hpp.
// SPDX-License-Identifier: Apache-2.0
// [compiled alone]
#include "modules/clock/clock_domain.hpp"

#include <algorithm>
#include <utility>

#include "configs/error.hpp"
#include "modules/clock/clocked.hpp"

namespace flitwave {

using sc_core::SC_PS;
using sc_core::sc_time;

std::vector<std::string> names_of(Scheduling) { return {"batched", "per_module", "audit"}; }

namespace {

/// SystemC's units of time per picosecond: its resolution is a picosecond unless it was set finer.
/// All are integers, since a double loses picoseconds beyond 2.5 hours.
sc_dt::uint64 units_per_picosecond() {
  static const sc_dt::uint64 units = sc_time(1, SC_PS).value();
  if (units == 0) throw ModelError("the time resolution of SystemC is coarser than a picosecond");
  return units;
}

}  // namespace

sc_time time_of(std::int64_t picoseconds) {
  return sc_time::from_value(static_cast<sc_dt::uint64>(picoseconds) * units_per_picosecond());
}

std::int64_t picoseconds_of(const sc_time& time) {
  return static_cast<std::int64_t>(time.value() / units_per_picosecond());
}

std::int64_t picoseconds_now() { return picoseconds_of(sc_core::sc_time_stamp()); }

/// The primitive channel whose update phase commits all wires of the domain.
class ClockDomain::Commit final : public CommitQueue, public sc_core::sc_prim_channel {
 public:
  Commit(ClockDomain& domain, bool with_plain_signals, bool with_audit)
      : CommitQueue(with_plain_signals, with_audit), sc_prim_channel("commit"), domain_(domain) {}

  void commit_soon() override { request_update(); }

 private:
  void update() override { domain_.commit_all(); }

  ClockDomain& domain_;
};

/// `clk` of the batched schedule: its rising edge is the tick event of the domain. Falling edges
/// exist only while `clk` is observed.
class ClockDomain::ClockWire final : public sc_core::sc_module,
                                     public sc_core::sc_signal_in_if<bool> {
 public:
  SC_HAS_PROCESS(ClockWire);
  ClockWire(const sc_core::sc_module_name& name, ClockDomain& domain)
      : sc_module(name), domain_(domain) {
    SC_METHOD(fall);
    sensitive << falls_;
    dont_initialize();
  }

  const sc_core::sc_event& default_event() const override { return value_changed_event(); }
  const sc_core::sc_event& value_changed_event() const override {
    domain_.watched_ = true;
    return changed_;
  }
  const sc_core::sc_event& posedge_event() const override {
    domain_.watched_ = true;
    return domain_.tick_;
  }
  const sc_core::sc_event& negedge_event() const override {
    domain_.watched_ = true;
    return falls_;
  }
  const bool& read() const override {
    domain_.watched_ = true;
    return level_ = domain_.is_high(picoseconds_now());
  }
  const bool& get_data_ref() const override { return read(); }
  bool event() const override { return posedge() || negedge(); }
  bool posedge() const override { return domain_.tick_.triggered(); }
  bool negedge() const override { return falls_.triggered(); }

  /// Before edge 1: processes that wait for any change of `clk` must run at this edge.
  void start() { changed_.notify(time_of(domain_.period_.picoseconds)); }
  /// In the delta cycle of the rising edge: schedules the falling edge.
  void rise() {
    const sc_time half = time_of(domain_.high_time());
    level_ = true;
    changed_.notify(half);
    falls_.notify(half);
  }

 private:
  void fall() {
    level_ = false;
    changed_.notify(time_of(domain_.period_.picoseconds / 2));
  }

  ClockDomain& domain_;
  sc_core::sc_event changed_{"changed"};
  sc_core::sc_event falls_{"falls"};
  mutable bool level_ = false;
};

ClockDomain::ClockDomain(const sc_core::sc_module_name& name, Duration period,
                         Scheduling scheduling, Cycle reset_cycles)
    : sc_module(name),
      period_(period),
      before_(reset_cycles - 1),
      period_time_(time_of(period.picoseconds)),
      last_cycle_(longest_time / period.picoseconds - before_),
      scheduling_(scheduling == Scheduling::audit ? Scheduling::batched : scheduling),
      audits_(scheduling == Scheduling::audit),
      observers_(audits_ ? 1 : 0),
      now_(-before_) {
  commits_ = std::make_unique<Commit>(*this, scheduling == Scheduling::per_module, audits_);
  reset.write(true);
  if (scheduling_ == Scheduling::batched) {
    clock_wire_ = std::make_unique<ClockWire>("clk", *this);
    SC_METHOD(tick_all);
    sensitive << tick_;
    dont_initialize();
    return;
  }
  plain_clock_ = std::make_unique<sc_core::sc_clock>("clk", time_of(period.picoseconds), 0.5,
                                                     time_of(period.picoseconds), true);
  SC_METHOD(run_wheel);
  sensitive << plain_clock_->posedge_event();
  dont_initialize();
  SC_METHOD(flush_feeds);
  sensitive << flush_;
  dont_initialize();
}

ClockDomain::~ClockDomain() = default;

sc_core::sc_signal_in_if<bool>& ClockDomain::clk() {
  if (plain_clock_) return *plain_clock_;
  return *clock_wire_;
}

int ClockDomain::enrol(Clocked& module) {
  modules_.push_back({&module, &module});
  commits_->active.resize(static_cast<int>(modules_.size()));
  return static_cast<int>(modules_.size()) - 1;
}

CommitQueue& ClockDomain::commits() { return *commits_; }

void ClockDomain::start_of_simulation() {
  if (scheduling_ == Scheduling::per_module) return;
  next_tick_ = watched_ ? 1 - before_ : 1;
  tick_.notify(time_of(time_of_edge(next_tick_)));
  if (watched_) clock_wire_->start();
}

Cycle ClockDomain::last_cycle_passed() const { return cycle_at(picoseconds_now() - 1); }

void ClockDomain::at(Cycle cycle, Sleeper& sleeper) {
  wheel_.add(cycle, sleeper);
  // Within a tick, its update phase schedules the next tick; outside, an update must be requested.
  if (scheduling_ == Scheduling::batched && !ticked_) commits_->commit_soon();
}

void ClockDomain::at_last(Cycle cycle, Sleeper& sleeper) {
  wheel_.add_last(cycle, sleeper);
  if (scheduling_ == Scheduling::batched && !ticked_) commits_->commit_soon();
}

void ClockDomain::wake(Clocked& module) {
  if (scheduling_ == Scheduling::per_module) return;
  commits_->active.insert(module.module_index_);
  commits_->commit_soon();
}

TransitFeed& ClockDomain::add_feed() {
  return *feeds_.emplace_back(std::make_unique<TransitFeed>());
}

void ClockDomain::tick_all() {
  if (stopped_) return;
  try {
    end_foreign_cycle();
    commits_->cycle = now_ = std::exchange(next_tick_, Wheel::never);
    ticked_ = true;
    count_tick();
    if (watched_) clock_wire_->rise();
    if (now_ == 1) reset.write(false);
    if (now_ >= 1) run_cycle();
    commits_->commit_soon();
  } catch (...) {
    fail(std::current_exception());
  }
}

void ClockDomain::run_cycle() {
  wheel_.advance(now_);
  commits_->turn();
  if (observers_ > 0) return run_observed_ticks();
  commits_->active.visit(
      [this](int index) { return modules_[static_cast<std::size_t>(index)].module->run_tick(); },
      [this](int index) { modules_[static_cast<std::size_t>(index)].prefetch(); });
}

/// A pulse lasts one cycle: only the commit after a tick ends it.
template <class T>
void ClockDomain::commit_links(LinkQueue<T>& links, sc_dt::uint64 stamp) {
  if (ticked_) {
    for (LinkWires<T>* wires : links.high) wires->fall(stamp);
    for (LinkWires<T>* wires : links.driven) wires->commit(stamp);
    links.high.swap(links.driven);
    links.driven.clear();
  }
  for (LinkWires<T>* wires : links.outside) wires->commit_outside(stamp);
  links.outside.clear();
  if (links.standing.empty() || !ticked_) return;
  links.standing.erase(std::remove_if(links.standing.begin(), links.standing.end(),
                                      [](LinkWires<T>* wires) { return !wires->stand(); }),
                       links.standing.end());
}

void ClockDomain::count_credits() {
  if (commits_->count_credits) commits_->count_credits(*commits_);
}

/// While foreign modules drive wires, the transits of a cycle are reported when the next cycle
/// begins.
void ClockDomain::begin_foreign_cycle() {
  const Cycle cycle = cycle_of_time();
  if (cycle < 0) return;  // what is driven during the reset is not received
  if (cycle != foreign_cycle_) end_foreign_cycle();
  foreign_cycle_ = cycle;
}

void ClockDomain::end_foreign_cycle() {
  if (foreign_cycle_ < 0) return;
  for (LinkWires<Flit>* wires : commits_->flits.standing) wires->report();
  report_transits(std::exchange(foreign_cycle_, -1));
}

void ClockDomain::commit_all() {
  const sc_dt::uint64 stamp = sc_core::sc_get_curr_simcontext()->change_stamp();
  Commit& queue = *commits_;
  if (queue.foreign) begin_foreign_cycle();
  if (!queue.flits.idle()) commit_links(queue.flits, stamp);
  if (!queue.backs.idle()) commit_links(queue.backs, stamp);
  for (ReadyWires* wires : queue.readies) wires->commit(stamp);
  queue.readies.clear();
  try {
    if (ticked_) end_tick();
    if (committed_) committed_();
  } catch (...) {
    fail(std::current_exception());
  }
  schedule(ticked_ ? now_ : cycle_of_time());
  ticked_ = false;
}

void ClockDomain::end_tick() {
  count_credits();
  if (!commits_->foreign) report_transits(now_);
  end_run_if_requested();
}

void ClockDomain::schedule(Cycle base) {
  const Commit& queue = *commits_;
  const bool busy = watched_ || audits_ || !queue.active.empty() || !queue.flits.high.empty() ||
                    !queue.backs.high.empty() || !queue.flits.standing.empty() ||
                    queue.last_pulse >= base;
  const Cycle next = busy ? base + 1 : wheel_.next();
  if (next > last_cycle_ || error_ || stopped_) return;  // there is no further tick
  next_tick_ = std::min(next_tick_, next);
  if (ticked_ && next == base + 1)
    tick_.notify(period_time_);
  else
    tick_.notify(time_of(time_of_edge(next) - picoseconds_now()));
}

void ClockDomain::run_wheel() {
  try {
    count_tick();
    if (now() == 1) reset.write(false);
    if (begin_cycle()) flush_.notify(sc_core::SC_ZERO_TIME);
  } catch (...) {
    fail(std::current_exception());
  }
}

/// SystemC may run the processes of modules before that of the wheel. The first process of a cycle
/// wakes the sleepers, so that they are woken before all ticks, as in the batched schedule.
/// Returns: whether modules tick in this cycle.
bool ClockDomain::begin_cycle() {
  const Cycle cycle = now();
  if (cycle < 1 || stopped_) return false;
  if (std::exchange(wheel_cycle_, cycle) != cycle) wheel_.advance(cycle);
  return true;
}

void ClockDomain::flush_feeds() {
  // Monitors sample at an edge the values of the wires in the cycle before.
  report_transits(now() - 1);
  end_run_if_requested();
}

void ClockDomain::finish(Cycle cycle) {
  if (scheduling_ == Scheduling::batched) return end_foreign_cycle();
  for (const auto& sampler : final_samplers_) sampler();
  report_transits(cycle);
}

void ClockDomain::report_transits(Cycle cycle) {
  try {
    for (LinkWires<Flit>* wires : commits_->offers) wires->settle_offer();
    commits_->offers.clear();
    for (const auto& feed : feeds_) feed->flush(cycle);
  } catch (...) {
    fail(std::current_exception());
  }
}

void ClockDomain::fail(std::exception_ptr error) noexcept {
  if (!error_) error_ = std::move(error);
  if (failed_) failed_();
}

void ClockDomain::fail(const Clocked& module, std::exception_ptr error) noexcept {
  if (!error_ || failed_module_ > module.name()) {
    failed_module_ = module.name();
    error_ = nullptr;
  }
  fail(std::move(error));
}

void ClockDomain::end_run(const Clocked& module, std::exception_ptr reason) {
  if (ending_ && ending_module_ <= module.name()) return;
  ending_module_ = module.name();
  ending_ = std::move(reason);
}

void ClockDomain::end_run_if_requested() {
  if (ending_) fail(ending_);
}

void ClockDomain::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

}  // namespace flitwave
