// testbenches/run/testbench/testbench.cpp: a run of a testbench, and its end.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/testbench/testbench.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "testbenches/waves/waves.hpp"

namespace flitwave {

void Testbench::on_stall(const Stall& stall) {
  for (Observer* observer : stall_observers_) observer->on_stall(stall);
}

void Testbench::on_passage(const Passage& passage) {
  for (Observer* observer : passage_observers_) observer->on_passage(passage);
}

void Testbench::entered(const UnitEntry& entry) {
  for (Observer* observer : router_observers_) observer->on_unit_entry(entry);
}

void Testbench::selected(const UnitSelection& selection) {
  for (Observer* observer : router_observers_) observer->on_selection(selection);
}

void Testbench::held(NodeId router, std::int64_t flits) {
  for (Observer* observer : router_observers_) observer->on_held(router, flits);
}

/// An awaited event has occurred in a cycle: if it was the last, the run need not continue.
void Testbench::arrived_in(Cycle cycle) {
  last_arrival_ = cycle;
  if (phase_ == Phase::running && everything_arrived()) look_at(last_arrival_ + 1);
}

void Testbench::look_at(Cycle cycle) {
  if (cycle >= next_look_) return;
  next_look_ = cycle;
  domain_->at(cycle, *this);
}

void Testbench::await_sample() {
  if (load_ && load_->next() < INT64_MAX) domain_->at(load_->next(), *this);
}

/// Transits may be reported in the cycle before, or after the modules of a channel have ticked.
void Testbench::await_end_of(Cycle cycle) {
  if (cycle > domain_->now()) return domain_->at(cycle, *this);
  await_inspection();
}

/// All testbenches of a simulation, in the order of their construction.
std::vector<Testbench*>& Testbench::all() {
  static std::vector<Testbench*> testbenches;
  return testbenches;
}

/// The process of one testbench inspects for all: if each waited for a delta cycle in which nothing
/// else is pending, two would wait for each other forever.
void Testbench::await_inspection() {
  awaits_inspection_ = true;
  all().front()->between_cycles_.notify(sc_core::SC_ZERO_TIME);
}

/// Runs as a sleeper of the domain; the inspection is in a later delta cycle, when all wires are
/// committed.
void Testbench::due() {
  const Cycle now = domain_->now();
  if (now == next_look_ || (load_ && now == load_->next()) || (holdings_ && holdings_->due(now)))
    await_inspection();
}

void Testbench::oversee() {
  // Wires that foreign modules drive may take several delta cycles to settle.
  if (sc_core::sc_pending_activity_at_current_time())
    return between_cycles_.notify(sc_core::SC_ZERO_TIME);
  for (Testbench* testbench : all())
    if (std::exchange(testbench->awaits_inspection_, false)) testbench->inspect();
}

void Testbench::inspect() {
  try {
    const Cycle now = domain_->now();
    if (holdings_) holdings_->take(now);
    if (load_ && now == load_->next()) take_sample();
    if (now != next_look_) return;
    look_after(now);
    if (phase_ == Phase::done) return stop();
    next_look_ = INT64_MAX;
    look_at(next_look(now));
  } catch (...) {
    domain_->fail(std::current_exception());
  }
}

/// When it is certain that the network does not carry a load, its measurement ends early, unless
/// the job requires the whole measurement or a collective is still running.
void Testbench::take_sample() {
  load_->take();
  await_sample();
  const Cycle end = domain_->now() + 1;
  if (!too_much() || !stops_early() || phase_ != Phase::running || end >= window_.end) return;
  load_->stop();
  stopped_early_ = true;
  window_.end = traffic_.tagged_until = end;
  look_at(end);
}

bool Testbench::stops_early() const { return job_.stop.saturated && !transfers_ && !tlm_; }

/// The next time of inspection if no event occurs before.
Cycle Testbench::next_look(Cycle now) const {
  constexpr Cycle settling_poll = 16;
  if (phase_ == Phase::running && everything_arrived()) return now + 1;
  Cycle next = limit_;
  if (phase_ == Phase::settling)
    next = now + settling_poll;
  else if (packets_.in_network() > 0 || opaque_ || tlm_)  // an empty network needs no watchdog
    next = now + job_.watchdog.interval.count;
  for (const Cycle milestone : {limit_, window_.end, end_of_drain()})
    if (milestone > now) next = std::min(next, milestone);
  return next;
}

/// Called every so many ticks, in the middle of a cycle.
void Testbench::pulse() {
  if (options_->progress) options_->progress(progress());
  if (options_->interrupted && options_->interrupted()) {
    interrupted_ = true;
    look_at(std::max<Cycle>(1, domain_->now() + 1));
  }
}

void Testbench::look_after(Cycle now) {
  const auto end = [this](Outcome outcome, std::string message) {
    outcome_ = outcome;
    message_ = std::move(message);
    phase_ = Phase::done;
  };
  if (interrupted_) return end(Outcome::partial, "interrupted; the measurements so far are kept");
  check_deadlock(now);
  if (opaque_) check_movement(now);
  if (tlm_ && has_failed_devices(now)) return;
  // Not in the cycle of the last arrival, even if another event causes an inspection: the end of a
  // run must not depend on the times of inspection.
  const bool over = everything_arrived() && now > last_arrival_;
  if (phase_ == Phase::running && (over || now >= end_of_drain())) begin_settling();
  if (phase_ == Phase::settling && network_->at_rest()) phase_ = Phase::done;
  if (phase_ != Phase::done && now >= limit_)
    end(Outcome::limit, fmt::format("stop.limit reached: not all data delivered by cycle {}", now));
}

/// Whether the run ends because of the devices at nodes.
bool Testbench::has_failed_devices(Cycle now) {
  std::optional<DesignError> error = tlm_->missing_answer(now);
  if (!error && !transfers_over()) error = tlm_->unbegun_collective(now);
  // Not thrown: the stacks of SystemC's threads are not known to sanitizers.
  if (error) domain_->fail(std::make_exception_ptr(*error));
  return error.has_value();
}

/// Throws: Deadlock when packets wait for each other forever.
void Testbench::check_deadlock(Cycle now) {
  if (netlist_) {
    const WaitGraph graph(*netlist_);
    if (!graph.deadlocked()) return;
    outcome_ = Outcome::deadlock;
    throw Deadlock(fmt::format("cycle {}: {}{}", now, graph.text(packets_),
                               opaque_ ? opaque_->text(now) : ""));
  }
  if (!transactional_->is_blocked()) return;
  outcome_ = Outcome::deadlock;
  throw Deadlock(
      fmt::format("cycle {}: deadlock: {} packets wait for each other; fidelity: signal "
                  "shows the dependency cycle{}",
                  now, packets_.in_network(), transactional_->waiting_text(8)));
}

/// Throws: Deadlock when nothing moves any more.
void Testbench::check_movement(Cycle now) {
  const bool waits =
      packets_.in_network() > 0 || (phase_ == Phase::settling && !network_->at_rest());
  if (!opaque_->is_blocked(now, fingerprint_.last(), waits)) return;
  outcome_ = Outcome::deadlock;
  throw Deadlock(fmt::format("cycle {}: {}", now, opaque_->blocked_text(now)));
}

bool Testbench::everything_arrived() const { return work_is_over() && measurement_is_over(); }

bool Testbench::measurement_is_over() const {
  return !job_.measurement || (domain_->now() >= window_.end && tagged_arrived());
}

/// Whether the schedule has no further transfers.
bool Testbench::transfers_over() const {
  return !transfers_ || transfers_->delivered() + given_up_count_ >= transfers_->expected();
}

/// Whether neither the schedule nor a device sends anything more.
bool Testbench::work_is_over() const { return transfers_over() && (!tlm_ || tlm_->is_over()); }

/// Neither its transfer nor those that depend on it will take place.
void Testbench::lost(const MessageInTransit& message) {
  const std::size_t transfers = plan_.schedule->transfers().size();
  given_up_.resize(transfers, false);
  const auto give_up = [this](std::size_t transfer) {
    if (given_up_[transfer]) return;
    ++given_up_count_;
    given_up_[transfer] = true;
    if (barrier_) barrier_->ended(static_cast<int>(transfer), domain_->now());
  };
  const auto never_send = [&](std::size_t transfer) {
    if (!given_up_[transfer] && faults_)
      faults_->never_sent(static_cast<int>(transfer), domain_->now());
    give_up(transfer);
  };
  give_up(index(message.tag));
  for (std::size_t i = message.tag + 1; i < transfers; ++i) {
    const std::vector<int>& needed = plan_.schedule->transfer(static_cast<int>(i)).after;
    if (std::any_of(needed.begin(), needed.end(),
                    [this](int before) { return given_up_[index(before)]; }))
      never_send(i);
  }
  arrived();
}

/// From when on the packets of the window are no longer waited for.
Cycle Testbench::end_of_drain() const {
  if (!job_.measurement || !work_is_over()) return INT64_MAX;
  return window_.end + (too_much() && stops_early() ? 0 : job_.measurement->drain.count);
}

/// The run is complete. Sources stop, and the network drains, so that the conservation check is
/// possible.
void Testbench::begin_settling() {
  phase_ = Phase::settling;
  traffic_.until = domain_->now() + 1;
  if (!job_.measurement) return;
  network_->drop_queues();
}

Progress Testbench::progress() const {
  Progress progress;
  progress.cycle = std::max<Cycle>(0, domain_->now());
  if (transfers_) {
    progress.done = transfers_->delivered();
    progress.expected = transfers_->expected();
  } else {
    progress.done = std::min(progress.cycle, window_.end);
    progress.expected = window_.end;
  }
  return progress;
}

/// The run has ended.
void Testbench::stop() {
  if (options_ && options_->ended) return options_->ended();
  sc_core::sc_pause();
}

Results Testbench::run(const RunOptions& options) {
  // [run]
  begin(options);
  sc_core::sc_start();
  return end();
  // [run]
}

void Testbench::begin(const RunOptions& options) {
  options_ = &options;
  domain_->set_pulse([this] { pulse(); });
  if (!options.wave_path.empty() && job_.wave)
    waves_ = record_waves(*job_.wave, options.wave_path, *netlist_, *domain_, packets_);
  look_at(next_look(0));
  if (load_ && load_->next() == 0) load_->take();  // the network is empty before the first cycle
  await_sample();
}

/// The run has not ended, but the simulation is over.
void Testbench::cut_short() {
  cut_at_ = std::max<Cycle>(0, domain_->last_cycle_passed());
  // Modules of the user's own begin no more transactions.
  const bool idle = tlm_ && tlm_->is_idle() && network_->at_rest();
  if (idle && transfers_over() && measurement_is_over()) return;
  outcome_ = Outcome::partial;
  message_ = fmt::format(
      "the simulation was over after cycle {}, before the run had ended; the measurements so far "
      "are kept",
      *cut_at_);
}

Results Testbench::end() {
  if (!has_ended()) cut_short();
  domain_->stop();
  if (tlm_) tlm_->abandon();
  domain_->finish(cut_at_.value_or(domain_->now()));
  if (holdings_) holdings_->finish();
  if (waves_) {
    if (outcome_ == Outcome::deadlock)
      waves_->mark("deadlock", domain_->time_of_edge(domain_->now()));
    waves_->finish(domain_->time_of_edge(summary().cycles));
  }
  try {
    Results results = conclude();
    if (waves_) end_waves(results);
    return results;
  } catch (...) {
    if (waves_) waves_->write_window();
    throw;
  }
}

/// The results, after the checks of a run that has ended.
/// Throws: ModelError
Results Testbench::conclude() {
  try {
    domain_->rethrow();
  } catch (const Deadlock& deadlock) {
    outcome_ = Outcome::deadlock;
    message_ = deadlock.what();
  } catch (const Livelock& livelock) {
    outcome_ = Outcome::livelock;
    message_ = fmt::format("cycle {}: livelock: {}", domain_->now(), livelock.what());
  } catch (const DesignError& error) {
    outcome_ = Outcome::design_error;
    message_ = error.what();
  }
  if (outcome_ != Outcome::design_error) check_books();
  return report();
}

/// Writes the window of a wave after its trigger or an error, and adds notes.
void Testbench::end_waves(Results& results) {
  const Cycles window = job_.wave->window;
  const bool regular = results.outcome == Outcome::complete || results.outcome == Outcome::partial;
  const bool missed = regular && options_->is_missed && options_->is_missed(results);
  if (window.count > 0 && regular && !missed && !waves_->triggered())
    results.notes.push_back(
        job_.wave->trigger
            ? "no wave is written: neither the event of wave.trigger nor an error occurred"
            : "no wave is written, because the run ended without an error; "
              "wave.window keeps its last " +
                  to_string(window));
  else if (window.count > 0)
    waves_->write_window();
  if (waves_->is_empty())
    results.notes.push_back("no wave is written: the run ended before wave.from, " +
                            to_string(job_.wave->from));
  if (waves_->cut())
    results.notes.push_back("the wave is cut: wave.limit, " + to_string(job_.wave->limit) +
                            ", was reached");
}

}  // namespace flitwave
