// testbenches/testbench.cpp: see testbench.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/testbench.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "flitwave/testbenches/waves.hpp"

namespace flitwave {

namespace {

constexpr std::array kinds = {ChannelSite::Kind::network, ChannelSite::Kind::injection,
                              ChannelSite::Kind::ejection};

NetlistParams netlist_params(const Job& job, const Plan& plan, StallProbe* probe) {
  NetlistParams params;
  params.channel = job.channel;
  params.ports = job.node.ports;
  params.timing = {job.node.send_overhead.rounded(job.clock.period),
                   job.node.receive_overhead.rounded(job.clock.period), job.node.overhead,
                   job.node.ejection};
  params.router = [&plan](NodeId node) -> const RouterModel& { return plan.model(node); };
  params.seed = job.top.seed;
  params.order = job.top.build_order;
  params.probe = probe;
  return params;
}

}  // namespace

Testbench::Testbench(const sc_core::sc_module_name& name, const Job& job, const Plan& plan)
    : sc_module(name),
      job_(job),
      plan_(plan),
      packets_(plan.topology->nodes()),
      fingerprint_(packets_),
      feeds_(kinds.size(), nullptr) {
  SC_METHOD(oversee);
  sensitive << between_cycles_;
  dont_initialize();
  if (job.traffic) {
    window_.begin = TransferTimes::start + job.traffic->warmup.count;
    window_.end = window_.begin + job.traffic->measure.count;
    traffic_.tagged_from = window_.begin;
    traffic_.tagged_until = window_.end;
    packets_.count_arrivals(window_.begin, window_.end, [this] { arrived(); });
  }
  packets_.tell_first([this] { look_at(domain_->now() + job_.watchdog.interval.count); });
  limit_ = std::min(job.stop.limit.rounded(job.clock.period),
                    longest_time / job.clock.period.picoseconds);
  domain_ = std::make_unique<ClockDomain>("clock", job.clock.period, job.clock.scheduling);
  domain_->set_failure_handler([] { sc_core::sc_pause(); });
  const bool stalls = std::any_of(job.observers.begin(), job.observers.end(),
                                  [](const auto& o) { return o.kind() == "contention"; });
  netlist_ = std::make_unique<Netlist>("netlist", *plan.topology, *plan.routing,
                                       netlist_params(job, plan, stalls ? this : nullptr), *domain_,
                                       packets_);
  make_observers();
  make_programs();
}

Testbench::~Testbench() = default;

Testbench& lasting_testbench(const Job& job, const Plan& plan) {
  static Testbench* testbench = nullptr;  // stays reachable, so that it does not count as a leak
  testbench = new Testbench("testbench", job, plan);
  return *testbench;
}

void Testbench::listen(ChannelSite::Kind kind, TransitListener& listener) {
  TransitFeed*& feed = feeds_[static_cast<std::size_t>(kind)];
  if (!feed) {
    feed = &domain_->add_feed();
    netlist_->tap(kind, *feed);
  }
  feed->listen(listener);
}

void Testbench::make_observers() {
  for (ChannelSite::Kind kind : kinds) listen(kind, fingerprint_);
  const ObserverSite site{*plan_.topology,
                          netlist_->channels(),
                          packets_,
                          window_,
                          job_.clock.period,
                          plan_.schedule ? &*plan_.schedule : nullptr,
                          plan_.untimed ? &*plan_.untimed : nullptr};
  for (const auto& bound : job_.observers) {
    observers_.push_back(bound.build(site));
    for (ChannelSite::Kind kind : observers_.back()->channels()) listen(kind, *observers_.back());
    if (observers_.back()->wants_stalls()) stall_observers_.push_back(observers_.back().get());
  }
}

void Testbench::make_programs() {
  if (plan_.schedule)
    transfers_ =
        std::make_unique<TransferTimes>(plan_.schedule->transfers().size(), [this] { arrived(); });
  if (job_.traffic)
    gap_ = std::make_unique<GeometricGap>(job_.traffic->rate.flits_per_node_cycle /
                                          static_cast<double>(job_.traffic->packet.count));
  for (int i = 0; i < plan_.topology->nodes(); ++i) {
    const NodeId node(i);
    ProcessorNode& processor = netlist_->processor(node);
    int programs = 0;
    if (plan_.schedule) {
      processor.add(std::make_unique<CollectiveProgram>(node, programs++, *plan_.schedule,
                                                        *plan_.format, *transfers_));
    }
    if (job_.traffic)
      processor.add(std::make_unique<TrafficSource>(
          *gap_, *plan_.pattern, job_.traffic->packet.count, traffic_, job_.top.seed, node));
    processor.start();
  }
}

void Testbench::waited(const Stall& stall) {
  for (Observer* observer : stall_observers_) observer->on_stall(stall);
}

/// Something was waited for and has come: if it was the last, the run need not go on.
void Testbench::arrived() {
  last_arrival_ = domain_->now();
  if (phase_ == Phase::running && everything_arrived()) look_at(last_arrival_ + 1);
}

void Testbench::look_at(Cycle cycle) {
  if (cycle >= next_look_) return;
  next_look_ = cycle;
  domain_->at(cycle, *this);
}

/// Comes as a sleeper of the domain and looks one delta cycle later, when all wires are committed.
void Testbench::due() {
  if (domain_->now() == next_look_) between_cycles_.notify(sc_core::SC_ZERO_TIME);
}

void Testbench::oversee() {
  try {
    const Cycle now = domain_->now();
    look_after(now);
    if (phase_ == Phase::done) {
      sc_core::sc_pause();
      return;
    }
    next_look_ = INT64_MAX;
    look_at(next_look(now));
  } catch (...) {
    domain_->fail(std::current_exception());
  }
}

/// When to look next if nothing comes before.
Cycle Testbench::next_look(Cycle now) const {
  constexpr Cycle settling_poll = 16;
  if (phase_ == Phase::running && everything_arrived()) return now + 1;
  Cycle next = limit_;
  if (phase_ == Phase::settling)
    next = now + settling_poll;
  else if (packets_.in_network() > 0)  // an empty network needs no watchdog
    next = now + job_.watchdog.interval.count;
  for (const Cycle milestone : {limit_, window_.end, end_of_drain()})
    if (milestone > now) next = std::min(next, milestone);
  return next;
}

/// Comes every so many ticks, in the middle of a cycle.
void Testbench::pulse() {
  if (options_->progress) options_->progress(progress());
  if (options_->interrupted && options_->interrupted()) {
    interrupted_ = true;
    look_at(domain_->now() + 1);
  }
}

void Testbench::look_after(Cycle now) {
  const auto end = [this](Outcome outcome, std::string message) {
    outcome_ = outcome;
    message_ = std::move(message);
    phase_ = Phase::done;
  };
  if (interrupted_)
    return end(Outcome::partial, "interrupted; what was measured until then is kept");
  const WaitGraph graph(*netlist_);
  if (graph.deadlocked()) {
    outcome_ = Outcome::deadlock;
    throw Deadlock(fmt::format("cycle {}: {}", now, graph.text(packets_)));
  }
  // Not in the cycle of the last arrival, even if something else brings us here: when a run ends
  // must not depend on when it is looked after.
  const bool over = everything_arrived() && now > last_arrival_;
  if (phase_ == Phase::running && (over || now >= end_of_drain())) begin_settling();
  if (phase_ == Phase::settling && netlist_->at_rest()) phase_ = Phase::done;
  if (phase_ != Phase::done && now >= limit_)
    end(Outcome::limit, fmt::format("not delivered by cycle {}, the stop.limit", now));
}

bool Testbench::everything_arrived() const {
  if (transfers_ && transfers_->delivered() < transfers_->expected()) return false;
  return !job_.traffic || (domain_->now() >= window_.end && tagged_arrived());
}

/// From when on the packets of the window are no longer waited for.
Cycle Testbench::end_of_drain() const {
  if (!job_.traffic || (transfers_ && transfers_->delivered() < transfers_->expected()))
    return INT64_MAX;
  return window_.end + job_.traffic->drain.count;
}

/// The run has what it wanted. Sources stop, and what is in the network leaves it, so that the
/// books can be closed.
void Testbench::begin_settling() {
  phase_ = Phase::settling;
  traffic_.until = domain_->now() + 1;
  if (!job_.traffic) return;
  for (int i = 0; i < plan_.topology->nodes(); ++i) netlist_->interface(NodeId(i)).drop_queue();
}

Progress Testbench::progress() const {
  Progress progress;
  progress.cycle = domain_->now();
  if (transfers_) {
    progress.done = transfers_->delivered();
    progress.expected = transfers_->expected();
  } else {
    progress.done = std::min(domain_->now(), window_.end);
    progress.expected = window_.end;
  }
  return progress;
}

Results Testbench::run(const RunOptions& options) {
  options_ = &options;
  domain_->set_pulse([this] { pulse(); });
  if (!options.wave_path.empty() && job_.wave)
    waves_ = record_waves(*job_.wave, options.wave_path, *netlist_, *domain_, packets_);
  look_at(next_look(0));
  sc_core::sc_start();
  domain_->finish();
  if (waves_) waves_->finish();
  const bool cut = waves_ && waves_->cut();
  try {
    domain_->rethrow();
  } catch (const Deadlock& deadlock) {
    outcome_ = Outcome::deadlock;
    message_ = deadlock.what();
  }
  check_books();
  Results results = report();
  if (cut)
    results.notes.push_back("the wave is cut: wave.limit, " + to_string(job_.wave->limit) +
                            ", was reached");
  return results;
}

/// Nothing is lost and nothing comes twice.
/// Throws: ModelError
void Testbench::check_books() const {
  std::int64_t injected = 0;
  std::int64_t ejected = 0;
  for (int i = 0; i < plan_.topology->nodes(); ++i) {
    injected += netlist_->interface(NodeId(i)).flits_injected();
    ejected += netlist_->interface(NodeId(i)).flits_ejected();
  }
  const std::int64_t inside = netlist_->flits_inside() + netlist_->flits_on_wires();
  if (injected != ejected + inside)
    throw ModelError(fmt::format("{} flits were injected, {} ejected, and {} are in the network",
                                 injected, ejected, inside));
  if (outcome_ != Outcome::complete) return;
  if (!netlist_->at_rest() || packets_.in_network() != 0)
    throw ModelError("the run is over, but packets or credits are missing");
}

RunSummary Testbench::summary() const {
  RunSummary run;
  run.all_arrived = tagged_arrived() && (!transfers_ || everything_arrived());
  run.cycles = domain_->now();
  if (outcome_ == Outcome::complete)
    run.cycles = std::max(fingerprint_.last() + 1, transfers_ ? transfers_->last() : 0);
  return run;
}

Results Testbench::report() const {
  Results results;
  results.outcome = outcome_;
  results.message = message_;
  const RunSummary run = summary();
  results.cycles = run.cycles;
  results.fingerprint = fingerprint_.value();
  results.notes = plan_.warnings;
  if (outcome_ == Outcome::complete && !run.all_arrived)
    results.notes.push_back(fmt::format(
        "saturated: {} of {} packets of the measurement had not arrived {} cycles after it, the "
        "traffic.drain; no latency is given",
        traffic_.tagged - packets_.arrivals(), traffic_.tagged, job_.traffic->drain.count));
  results.add("transits", static_cast<double>(fingerprint_.count()), "flit");
  results.add("packets", static_cast<double>(packets_.added()), "packet");
  if (transfers_) transfers_->report(*plan_.schedule, *plan_.topology, job_.clock.period, results);
  for (const auto& observer : observers_) observer->report(run, results);
  return results;
}

}  // namespace flitwave
