// testbenches/run/testbench/testbench_build.cpp: builds a testbench from a job and its plan.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <list>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "testbenches/job/plan/evaluation_draws.hpp"
#include "testbenches/job/predicted_machine.hpp"
#include "testbenches/run/testbench/latency_bound.hpp"
#include "testbenches/run/testbench/testbench.hpp"
#include "testbenches/waves/wave_plan.hpp"
#include "testbenches/waves/waves.hpp"

namespace flitwave {

namespace {

constexpr std::array channel_kinds = {ChannelSite::Kind::network, ChannelSite::Kind::injection,
                                      ChannelSite::Kind::ejection};

NetlistParams netlist_params(const Job& job, const Plan& plan, PassageListener* listener,
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
                   job.node.credit_delay.count,
                   job.node.ejection_sharing,
                   job.node.queue};
  params.router = [&plan](NodeId node) -> const RouterModel& { return plan.model(node); };
  params.seed = job.top.seed;
  params.init_seed = job.top.init_seed;
  if (job.requests) params.reply_queue = job.requests->reply_queue;
  params.order = job.top.build_order;
  params.listener = listener;
  params.fault_log = fault_log;
  return params;
}

RequestTiming request_timing(const RequestParams& params) {
  return {params.window, params.request.count, params.reply.count, params.service.count};
}

/// The greatest time for which nothing moves in a network that is not blocked.
Cycle longest_stop(const Job& job, const Plan& plan) {
  const Duration period = job.clock.period;
  Cycle combining = 0;
  if (plan.schedule)
    for (const Transfer& transfer : plan.schedule->transfers())
      combining =
          std::max(combining, (job.node.combine_overhead * transfer.combined).rounded(period));
  return job.watchdog.blocked_after.count + job.node.send_overhead.rounded(period) +
         job.node.receive_overhead.rounded(period) + combining +
         (job.requests ? job.requests->service.count : 0) + plan.channel.latency.count +
         plan.channel.credit_delay.count + job.node.credit_delay.count;
}

/// The parts of a job that send packets.
std::vector<JobPart> parts_of(const Job& job, const Plan& plan) {
  std::vector<JobPart> parts;
  if (plan.schedule) parts.push_back(JobPart::collective);
  if (job.traffic || plan.trace) parts.push_back(JobPart::background);
  if (job.requests || job.transactions)
    parts.insert(parts.end(), {JobPart::requests, JobPart::replies});
  return parts;
}

bool has_network_channels(const std::vector<ChannelSite::Kind>& kinds) {
  return std::find(kinds.begin(), kinds.end(), ChannelSite::Kind::network) != kinds.end();
}

/// Whether its elements are few enough to be stored one by one.
bool moves_array(const Schedule& schedule) {
  const auto& array = schedule.demand().moved;
  return array && array->elements() <= ArrayMemory::most_elements;
}

}  // namespace

Testbench::Testbench(const sc_core::sc_module_name& name, const Job& job, const Plan& plan)
    : sc_module(name),
      job_(job),
      plan_(plan),
      packets_(plan.topology->nodes()),
      fingerprint_(packets_),
      feeds_(channel_kinds.size(), nullptr) {
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
    for (auto& offered : traffic_.offered) offered.assign(index(plan.topology->nodes()), 0);
    packets_.count_arrivals(window_.begin, window_.end, [this] { arrived(); });
  }
  if (plan.closed_form)
    packets_.report_arrivals(
        [bound = LatencyBound(*plan.topology, *plan.closed_form)](
            const Packet& packet, Cycle now) mutable { bound.check(packet, now); });
  packets_.report_lost([this](const MessageInTransit& message) { lost(message); });
  packets_.report_first([this] { look_at(domain_->now() + job_.watchdog.interval.count); });
  limit_ = std::min(job.stop.limit.rounded(job.clock.period),
                    longest_time / job.clock.period.picoseconds + 1 - job.clock.reset.count);
  domain_ = std::make_unique<ClockDomain>("clock", job.clock.period, job.clock.scheduling,
                                          job.clock.reset.count);
  domain_->set_failure_handler([this] { stop(); });
  if (job.faults) faults_ = std::make_unique<FaultReport>(plan);
  make_network();
  if (job.requests) requests_ = std::make_unique<RequestTimes>(window_, [this] { arrived(); });
  if (job.traffic)
    load_ = std::make_unique<LoadSamples>(*network_, packets_, traffic_, window_,
                                          plan.injection->dispersion());
  if (plan.schedule && moves_array(*plan.schedule))
    memory_ = std::make_unique<ArrayMemory>(*plan.schedule, *plan.topology);
  if (plan.schedule)
    transfers_ = std::make_unique<TransferTimes>(
        plan.schedule->transfers().size(), [this] { arrived(); }, memory_.get());
  if (plan.schedule) payloads_.resize(plan.schedule->transfers().size());
  if (job.transactions) transactions_ = std::make_unique<TransactionList>();
  make_observers();
  make_programs();
  if (job.transactions)
    tlm_ = std::make_unique<TlmNetwork>(job, plan, *netlist_, *domain_, collective_, *transactions_,
                                        [this] { arrived_in(domain_->cycle_of_time()); });
  all().push_back(this);
}

/// Before its observers.
void Testbench::make_network() {
  const auto wanted = [this](auto trait) {
    return std::any_of(job_.observers.begin(), job_.observers.end(), [&](const auto& observer) {
      return plan_.concerns(observer.traits()) && trait(observer.traits());
    });
  };
  if (job_.top.fidelity == Fidelity::transaction) {
    transactional_ = std::make_unique<TransactionNetwork>(
        "network", *plan_.topology, *plan_.routing, netlist_params(job_, plan_, nullptr, nullptr),
        *domain_, packets_);
    network_ = transactional_.get();
    return;
  }
  const bool passages = wanted([](const ObserverTraits& o) { return o.stalls || o.passages; });
  // [netlist]
  netlist_ = std::make_unique<Netlist>(
      "netlist", *plan_.topology, *plan_.routing,
      netlist_params(job_, plan_, passages ? this : nullptr, faults_.get()), *domain_, packets_);
  // [netlist]
  network_ = netlist_.get();
  if (has_opaque_routers(*netlist_))
    opaque_ = std::make_unique<OpaqueWatch>(*netlist_, packets_, longest_stop(job_, plan_));
  if (wanted([](const ObserverTraits& o) { return o.routers; })) make_holdings();
}

Testbench::~Testbench() { all().erase(std::find(all().begin(), all().end(), this)); }

TlmBridge& Testbench::bridge(NodeId node) const {
  if (tlm_) return tlm_->bridge(node);
  throw error_at(job_, "node", "no node has sockets", "add `at: [{nodes: [...], kind: tlm}]`");
}

Testbench& lasting_testbench(const Job& job, const Plan& plan, const char* name) {
  static std::vector<Testbench*> testbenches;  // reachable, so that they do not count as leaks
  return *testbenches.emplace_back(new Testbench(name, job, plan));
}

Netlist& Testbench::netlist() {
  if (netlist_) return *netlist_;
  throw error_at(job_, "fidelity", "a network at transaction fidelity has no routers and channels",
                 "set fidelity: signal");
}

void Testbench::listen(ChannelSite::Kind kind, TransitListener& listener) {
  TransitFeed*& feed = feeds_[index(kind)];
  if (!feed) {
    feed = &domain_->add_feed();
    netlist_->tap(kind, *feed);
  }
  feed->listen(listener);
}

void Testbench::make_holdings() {
  holdings_ = std::make_unique<RouterHoldings>(
      *netlist_, [this](Cycle cycle) { await_end_of(cycle); },
      [this](NodeId router, std::int64_t flits) { held(router, flits); });
  listen(ChannelSite::Kind::network, *holdings_);
  listen(ChannelSite::Kind::injection, *holdings_);
}

void Testbench::make_observers() {
  if (transactional_) transactional_->listen(fingerprint_, false);
  if (netlist_)
    for (ChannelSite::Kind kind : channel_kinds) listen(kind, fingerprint_);
  ObserverSite site{*plan_.topology,
                    *plan_.routing,
                    network_->channels(),
                    packets_,
                    window_,
                    job_.clock.period,
                    plan_.schedule ? &*plan_.schedule : nullptr,
                    plan_.untimed ? &*plan_.untimed : nullptr,
                    transfers_.get(),
                    job_.measurement ? &traffic_ : nullptr,
                    parts_of(job_, plan_),
                    PredictedMachine::of(job_),
                    {}};
  site.transactions = transactions_.get();
  for (int i = 0; i < plan_.topology->nodes(); ++i)
    site.reports_passages.push_back(plan_.model(NodeId(i)).supports.reports_passages);
  auto* const reports = dynamic_cast<UnitReports*>(netlist_ ? netlist_->shared() : nullptr);
  if (reports && holdings_) {
    reports->observe_units(*this);
    site.units = reports->units();
  }
  for (const auto& bound : job_.observers) {
    if (!plan_.concerns(bound.traits())) continue;
    observers_.push_back(bound.build(site));
    const std::vector<ChannelSite::Kind> kinds = observers_.back()->channels();
    if (transactional_)
      transactional_->listen(*observers_.back(), has_network_channels(kinds));
    else
      for (ChannelSite::Kind kind : kinds) listen(kind, *observers_.back());
    if (bound.traits().stalls) stall_observers_.push_back(observers_.back().get());
    if (bound.traits().passages) passage_observers_.push_back(observers_.back().get());
    if (bound.traits().routers) router_observers_.push_back(observers_.back().get());
  }
}

ProgramStart Testbench::start_of(NodeId node) const {
  const Cycle most = job_.node.start_skew.rounded(job_.clock.period);
  Random random(job_.top.seed, "start_skew", static_cast<std::uint64_t>(node.value()));
  return {static_cast<Cycle>(random.below(static_cast<std::uint64_t>(most) + 1)), barrier_.get()};
}

void Testbench::make_programs() {
  if (plan_.schedule && plan_.schedule->has_barriers())
    barrier_ = std::make_unique<StepBarrier>(*plan_.schedule,
                                             job_.top.barrier_cost.rounded(job_.clock.period));
  for (int i = 0; i < plan_.topology->nodes(); ++i) {
    const NodeId node(i);
    ProcessorNode& processor = network_->processor(node);
    int programs = 0;
    if (plan_.schedule) {
      auto program = std::make_unique<CollectiveProgram>(
          node, programs++, *plan_.schedule, *plan_.format, payloads_, *transfers_, start_of(node));
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

namespace {

void check_built(const Job& job, const Plan& plan, const char* name) {
  Testbench& testbench = lasting_testbench(job, plan, name);
  testbench.check_devices();
  if (!job.wave) return;
  plan_wave(*job.wave, "", testbench.netlist(), testbench.domain(), testbench.packets());
}

}  // namespace

void check_modules(const Job& job, const Plan& plan) try {
  struct Other {
    Job job;
    Plan plan;
  };
  static std::list<Other> others;  // as lasting as their testbenches
  const auto check_other = [&job](int draw, ServedBy by, const char* name) {
    Job other = simulated_job(job, draw, by);
    Plan planned = Plan::make(other, Plan::Check::skip);
    others.push_back({std::move(other), std::move(planned)});
    check_built(others.back().job, others.back().plan, name);
  };
  check_built(job, plan, "testbench");
  if (job.compare) check_other(0, ServedBy::compare, "compared");
  if (job.devices.empty()) return;
  // Their modules stay in memory, and `run` checks the draws that are left, too.
  constexpr int most_nodes = 4096;
  const int draws = std::min(job.top.draws, std::max(1, most_nodes / plan.topology->nodes()));
  for (int draw = 1; draw < draws; ++draw)
    in_draw(job, draw,
            [&] { check_other(draw, ServedBy::algorithm, fmt::format("draw_{}", draw).c_str()); });
} catch (const ConfigError& error) {
  throw detail::located(error, job.written);
}

}  // namespace flitwave
