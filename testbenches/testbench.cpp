// testbenches/testbench.cpp: see testbench.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/testbench.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "flitwave/testbenches/prediction.hpp"
#include "flitwave/testbenches/waves.hpp"

namespace flitwave {

namespace {

constexpr std::array kinds = {ChannelSite::Kind::network, ChannelSite::Kind::injection,
                              ChannelSite::Kind::ejection};

NetlistParams netlist_params(const Job& job, const Plan& plan, StallProbe* probe,
                             FaultLog* fault_log) {
  NetlistParams params;
  params.channel = plan.channel;
  params.ports = job.node.ports;
  params.timing = {job.node.send_overhead.rounded(job.clock.period),
                   job.node.receive_overhead.rounded(job.clock.period),
                   job.node.combine_overhead,
                   job.clock.period,
                   job.node.overhead,
                   job.node.ejection,
                   job.node.injection_vc,
                   job.node.credit_delay.count};
  params.router = [&plan](NodeId node) -> const RouterModel& { return plan.model(node); };
  params.seed = job.top.seed;
  if (job.requests) params.reply_queue = job.requests->reply_queue;
  params.order = job.top.build_order;
  params.probe = probe;
  params.fault_log = fault_log;
  return params;
}

RequestTiming request_timing(const RequestParams& params) {
  return {params.window, params.request.count, params.reply.count, params.service.count};
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
  if (plan.schedule && plan.schedule->demand().measured.bounded()) {
    window_.begin = TransferTimes::start + plan.schedule->demand().measured.begin;
    window_.end = TransferTimes::start + plan.schedule->demand().measured.end;
  }
  if (job.measurement) {
    window_.begin = TransferTimes::start + job.measurement->warmup.count;
    window_.end = window_.begin + job.measurement->measure.count;
    traffic_.tagged_from = window_.begin;
    traffic_.tagged_until = window_.end;
    traffic_.offered.assign(static_cast<std::size_t>(plan.topology->nodes()), 0);
    packets_.count_arrivals(window_.begin, window_.end, [this] { arrived(); });
  }
  packets_.tell_lost([this](const MessageInTransit& message) { lost(message); });
  packets_.tell_first([this] { look_at(domain_->now() + job_.watchdog.interval.count); });
  limit_ = std::min(job.stop.limit.rounded(job.clock.period),
                    longest_time / job.clock.period.picoseconds);
  domain_ = std::make_unique<ClockDomain>("clock", job.clock.period, job.clock.scheduling);
  domain_->set_failure_handler([] { sc_core::sc_pause(); });
  // The network is built before its observers.
  const bool probed = std::any_of(job.observers.begin(), job.observers.end(), [&](const auto& o) {
    return plan.concerns(o.traits()) && (o.traits().stalls || o.traits().passages);
  });
  if (job.faults) faults_ = std::make_unique<FaultReport>(plan);
  netlist_ = std::make_unique<Netlist>(
      "netlist", *plan.topology, *plan.routing,
      netlist_params(job, plan, probed ? this : nullptr, faults_.get()), *domain_, packets_);
  if (job.requests) requests_ = std::make_unique<RequestTimes>(window_, [this] { arrived(); });
  if (job.traffic) queues_ = std::make_unique<SourceQueues>(*netlist_, *domain_, window_);
  if (plan.schedule)
    transfers_ =
        std::make_unique<TransferTimes>(plan.schedule->transfers().size(), [this] { arrived(); });
  if (plan.schedule) payloads_.resize(plan.schedule->transfers().size());
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
  ObserverSite site{*plan_.topology,
                    netlist_->channels(),
                    packets_,
                    window_,
                    job_.clock.period,
                    plan_.schedule ? &*plan_.schedule : nullptr,
                    plan_.untimed ? &*plan_.untimed : nullptr,
                    transfers_.get(),
                    job_.measurement ? &traffic_ : nullptr,
                    PredictedMachine::of(job_),
                    {}};
  for (int i = 0; i < plan_.topology->nodes(); ++i)
    site.tells_passages.push_back(plan_.model(NodeId(i)).tells_passages);
  for (const auto& bound : job_.observers) {
    if (!plan_.concerns(bound.traits())) continue;
    observers_.push_back(bound.build(site));
    for (ChannelSite::Kind kind : observers_.back()->channels()) listen(kind, *observers_.back());
    if (bound.traits().stalls) stall_observers_.push_back(observers_.back().get());
    if (bound.traits().passages) passage_observers_.push_back(observers_.back().get());
  }
}

void Testbench::make_programs() {
  for (int i = 0; i < plan_.topology->nodes(); ++i) {
    const NodeId node(i);
    ProcessorNode& processor = netlist_->processor(node);
    int programs = 0;
    if (plan_.schedule) {
      auto program = std::make_unique<CollectiveProgram>(node, programs++, *plan_.schedule,
                                                         *plan_.format, payloads_, *transfers_);
      collective_.push_back(program.get());
      processor.add(std::move(program));
    }
    if (job_.traffic)
      processor.add(std::make_unique<TrafficSource>(*plan_.injection, *plan_.pattern,
                                                    job_.traffic->packet.count, traffic_,
                                                    job_.top.seed, node));
    if (job_.requests)
      processor.add(std::make_unique<RequestProgram>(programs, request_timing(*job_.requests),
                                                     *plan_.pattern, traffic_, *requests_,
                                                     job_.top.seed, node));
    if (plan_.trace) processor.add(std::make_unique<TraceSource>(*plan_.trace, traffic_, node));
    processor.start();
  }
}

void Testbench::waited(const Stall& stall) {
  for (Observer* observer : stall_observers_) observer->on_stall(stall);
}

void Testbench::passed(const Passage& passage) {
  for (Observer* observer : passage_observers_) observer->on_passage(passage);
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
  if (!transfers_over()) return false;
  return !job_.measurement || (domain_->now() >= window_.end && tagged_arrived());
}

/// Whether nothing more will come of the schedule.
bool Testbench::transfers_over() const {
  return !transfers_ ||
         transfers_->delivered() + std::count(given_up_.begin(), given_up_.end(), true) >=
             transfers_->expected();
}

/// Neither its transfer nor those that need it will happen.
void Testbench::lost(const MessageInTransit& message) {
  given_up_.resize(plan_.schedule->transfers().size(), false);
  given_up_[static_cast<std::size_t>(message.tag)] = true;
  for (std::size_t i = 0; i < given_up_.size(); ++i) {
    const std::vector<int>& needed = plan_.schedule->transfer(static_cast<int>(i)).after;
    if (std::any_of(needed.begin(), needed.end(),
                    [this](int before) { return given_up_[static_cast<std::size_t>(before)]; }))
      given_up_[i] = true;
  }
  arrived();
}

/// From when on the packets of the window are no longer waited for.
Cycle Testbench::end_of_drain() const {
  if (!job_.measurement || !transfers_over()) return INT64_MAX;
  return window_.end + job_.measurement->drain.count;
}

/// The run has what it wanted. Sources stop, and what is in the network leaves it, so that the
/// books can be closed.
void Testbench::begin_settling() {
  phase_ = Phase::settling;
  traffic_.until = domain_->now() + 1;
  if (!job_.measurement) return;
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
  } catch (const Livelock& livelock) {
    outcome_ = Outcome::livelock;
    message_ = fmt::format("cycle {}: livelock: {}", domain_->now(), livelock.what());
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
  if (outcome_ == Outcome::livelock) return;  // it ends a run amid a cycle, with flits in no place
  std::int64_t injected = 0;
  std::int64_t ejected = 0;
  for (int i = 0; i < plan_.topology->nodes(); ++i) {
    injected += netlist_->interface(NodeId(i)).flits_injected();
    ejected += netlist_->interface(NodeId(i)).flits_ejected();
  }
  const std::int64_t inside = netlist_->flits_inside() + netlist_->flits_on_wires();
  const std::int64_t dropped = netlist_->flits_dropped();
  const std::int64_t copied = netlist_->flits_copied();
  if (injected + copied != ejected + inside + dropped)
    throw ModelError(
        fmt::format("{} flits were injected, {} are copies of them, {} ejected, {} are in the "
                    "network, and {} were probes taken down",
                    injected, copied, ejected, inside, dropped));
  if (outcome_ != Outcome::complete) return;
  if (!netlist_->at_rest() || packets_.in_network() != 0)
    throw ModelError("the run is over, but packets or credits are missing");
  check_little();
  if (!given_up_.empty()) return;  // what nodes have is not what was planned
  for (const CollectiveProgram* program : collective_) program->check_results(*plan_.topology);
}

/// Little's law, exactly: the number of packets in the network, counted as they come and go, and
/// the times that they were in it, summed over all cycles and all packets.
/// Throws: ModelError
void Testbench::check_little() const {
  if (packets_.packet_cycles() == packets_.residence()) return;
  throw ModelError(
      fmt::format("the packets in the network sum to {} over all cycles, and their "
                  "times in it to {}",
                  packets_.packet_cycles(), packets_.residence()));
}

RunSummary Testbench::summary() const {
  RunSummary run;
  run.all_arrived = tagged_arrived() && (!transfers_ || everything_arrived());
  run.cycles = domain_->now();
  if (outcome_ == Outcome::complete)
    run.cycles = std::max(fingerprint_.last() + 1, transfers_ ? transfers_->last() : 0);
  run.saturated = !run.all_arrived ||
                  (queues_ && queues_->growing(traffic_, plan_.injection->dispersion()).valid());
  return run;
}

void Testbench::report_circuits(Results& results) const {
  CircuitCounts all;
  for (int i = 0; i < plan_.topology->nodes(); ++i) {
    const CircuitCounts& counts = netlist_->interface(NodeId(i)).circuits();
    all.granted += counts.granted;
    all.refused += counts.refused;
    all.most_refused = std::max(all.most_refused, counts.most_refused);
    all.longest_wait = std::max(all.longest_wait, counts.longest_wait);
  }
  results.add("circuits.granted", static_cast<double>(all.granted), "");
  results.add("circuits.refused", static_cast<double>(all.refused), "");
  results.add("circuits.refused.max", static_cast<double>(all.most_refused), "");
  results.add("circuits.wait.max", static_cast<double>(all.longest_wait), "cycle");
}

void Testbench::report_load(const RunSummary& run, Results& results) const {
  if (queues_) queues_->report(results);
  if (requests_) requests_->report(run, *plan_.topology, results);
  if (outcome_ != Outcome::complete || !run.saturated) return;
  NodeId source;
  if (queues_) source = queues_->growing(traffic_, plan_.injection->dispersion());
  if (run.all_arrived && source.valid())
    results.notes.push_back(fmt::format(
        "saturated: the queue of source {} grew during the measurement; no latency is given",
        plan_.topology->label(source)));
  else if (!run.all_arrived)
    results.notes.push_back(fmt::format(
        "saturated: {} of {} packets of the measurement had not arrived {} cycles after it, the "
        "drain; no latency is given",
        traffic_.tagged - tagged_arrivals(), traffic_.tagged, job_.measurement->drain.count));
}

/// None unless deliveries are released on their own, and all are done.
std::optional<DeliveryTimes> Testbench::delivery_times() const {
  if (!transfers_ || !transfers_->complete() || !plan_.schedule->demand().released()) return {};
  return DeliveryTimes(plan_.schedule->demand(), *plan_.topology,
                       transfers_->completions(*plan_.schedule));
}

Results Testbench::report() const {
  Results results;
  results.outcome = outcome_;
  results.message = message_;
  RunSummary run = summary();
  const std::optional<DeliveryTimes> deliveries = delivery_times();
  run.saturated = run.saturated || (deliveries && deliveries->saturated());
  results.cycles = run.cycles;
  results.fingerprint = fingerprint_.value();
  results.notes = plan_.warnings;
  const auto given_up = std::count(given_up_.begin(), given_up_.end(), true);
  if (given_up > packets_.messages_lost())
    results.notes.push_back(
        fmt::format("{} were never sent, for they need messages that faults have kept from their "
                    "nodes",
                    counted(given_up - packets_.messages_lost(), "transfer")));
  if (job_.top.count_deadlock) {
    results.add("deadlocked", outcome_ == Outcome::deadlock ? 1 : 0, "");
    if (outcome_ == Outcome::deadlock) {
      results.outcome = Outcome::complete;
      results.notes.push_back(std::exchange(results.message, ""));
    }
  }
  results.add("transits", static_cast<double>(fingerprint_.count()), "flit");
  results.add("packets", static_cast<double>(packets_.added()), "packet");
  if (plan_.channel.handshake == Handshake::acknowledge) report_circuits(results);
  if (const SharedModule* shared = netlist_->shared())
    for (const SharedModule::Count& count : shared->counts())
      results.add(count.name, static_cast<double>(count.value), count.unit);
  results.add("packets.in_network",
              static_cast<double>(packets_.packet_cycles()) /
                  static_cast<double>(std::max<Cycle>(1, run.cycles)),
              "packet");
  if (job_.measurement || deliveries) results.add("saturated", run.saturated ? 1 : 0, "");
  if (job_.measurement) report_load(run, results);
  if (faults_) faults_->report(results);
  if (transfers_)
    transfers_->report(*plan_.schedule, *plan_.topology, job_.clock.period,
                       MessageModel(job_, plan_), results);
  if (deliveries) deliveries->report(results);
  if (plan_.schedule) report_prediction(*plan_.schedule, PredictedMachine::of(job_), results);
  for (const auto& observer : observers_) observer->report(run, results);
  return results;
}

}  // namespace flitwave
