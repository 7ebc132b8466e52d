// testbenches/run/evaluations/message_level.cpp: worms of a schedule that hold their paths, without
// flits.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "algorithms/untimed/message_level_schedule.hpp"
#include "modules/transaction/reserved_channels.hpp"
#include "testbenches/job/evaluation.hpp"
#include "testbenches/job/plan/evaluation_draws.hpp"
#include "testbenches/job/plan/plan_fidelity.hpp"
#include "testbenches/observers/delivery_times.hpp"
#include "testbenches/observers/transfer_times.hpp"
#include "testbenches/observers/untimed_results.hpp"
#include "testbenches/run/simulate.hpp"
#include "topologies/measures/measures.hpp"

namespace flitwave {
namespace {

struct LevelParams {
  Cycles hop{1};
  Release release = Release::with_path;
};

StartUp startup_of(Overhead overhead) {
  switch (overhead) {
    case Overhead::overlapped:
      return StartUp::overlapped;
    case Overhead::path_held:
      return StartUp::path_held;
    case Overhead::serialized:
      break;
  }
  return StartUp::serialized;
}

/// Throws: ConfigError, located.
[[noreturn]] void reject(const Job& job, const char* key, const std::string& problem,
                         const std::string& remedy) {
  throw error_at(job, key, problem, remedy + ", or use evaluation: timed");
}

void check_node(const Job& job) {
  const auto counts = [&job](const Delay& delay) { return delay.rounded(job.clock.period) > 0; };
  if (job.node.ejection != Ejection::drains)
    reject(job, "node.ejection",
           "the message-level model ejects every message whose path is set up",
           "set ejection: drains");
  if (counts(job.node.start_skew))
    reject(job, "node.start_skew", "all nodes of the message-level model start at the same time",
           "leave out node.start_skew");
  if (counts(job.node.combine_overhead))
    reject(job, "node.combine_overhead", "the message-level model combines messages in no time",
           "leave it out");
  if (job.node.overhead == Overhead::serialized && counts(job.node.receive_overhead))
    reject(job, "node.receive_overhead",
           "a processor of the message-level model sends and receives at the same time, which "
           "overhead: serialized excludes",
           "leave it out, or set overhead: overlapped");
}

void check_network(const Job& job, const Plan& plan) {
  for (int i = 0; i < plan.topology->nodes(); ++i) {
    const RouterModel& model = plan.model(NodeId(i));
    if (model.switching != Switching::wormhole || !model.timing)
      reject(job, "router.kind",
             fmt::format("messages of the message-level model hold all virtual channels from their "
                         "source on; packets in the router of node {} do not",
                         plan.topology->label(NodeId(i))),
             "use router: {kind: wormhole}");
  }
}

void check_schedule(const Job& job, const Plan& plan, const Schedule& schedule) {
  if (schedule.copies())
    reject(job, "algorithm", "the message-level model does not support messages that routers copy",
           "use another algorithm");
  for (const auto& [bytes, addresses] : sizes_sent(schedule))
    if (plan.format->packets(Bytes{bytes}, addresses).size() > 1)
      reject(job, "packet_format.longest",
             fmt::format(
                 "a message of the message-level model is one packet; a message of {} would be "
                 "split into several packets",
                 to_string(Bytes{bytes})),
             "make it longer, or leave it out");
}

/// What the rules of transaction fidelity need.
void check_tails(const Job& job, const Plan& plan) {
  if (job.written.find_path("evaluation.hop"))
    reject(job, "evaluation.hop",
           "with release: tail a head takes the times of routers and channels", "leave hop out");
  if (job.node.ports.of(2) != 1)
    reject(job, "node.ports", "with release: tail a node has one injection channel",
           "set ports: 1");
  if (job.channel.handshake != Handshake::credit)
    reject(job, "channel.handshake", "with release: tail buffers are known by credits",
           "set channel.handshake: credit");
  if (const NodeId node = node_without_transactions(plan); node.valid())
    reject(job, "router",
           fmt::format("with release: tail times follow from the stages of routers; those of node "
                       "{} are not known",
                       plan.topology->label(node)),
           "use router: {kind: wormhole}");
}

void check_level(const LevelParams& params, const Job& job, const Plan& plan) {
  check_node(job);
  if (params.release == Release::with_tail) check_tails(job, plan);
  check_network(job, plan);
  check_schedule(job, plan, *plan.schedule);
  if (plan.compared) check_schedule(job, plan, plan.compared->schedule);
}

MessageLevelParams params_of(const LevelParams& params, const Job& job, const Plan& plan) {
  MessageLevelParams level;
  level.startup = startup_of(job.node.overhead);
  level.send = job.node.send_overhead.rounded(job.clock.period);
  level.receive = job.node.receive_overhead.rounded(job.clock.period);
  level.hop = params.hop.count;
  level.ports = job.node.ports.of(std::max(1, greatest_degree(*plan.topology)));
  level.queue = job.node.queue;
  level.barrier = 1 + job.top.barrier_cost.rounded(job.clock.period);
  return level;
}

/// Channels and routes as at transaction fidelity, with the injection and the ejection channels.
void reserve_tails(const Job& job, const Plan& plan, std::vector<LevelMessage>& messages,
                   MessageLevelParams& level) {
  NetlistParams params;
  params.channel = plan.channel;
  params.timing.credit_delay = job.node.credit_delay.count;
  params.timing.ejection_sharing = job.node.ejection_sharing;
  params.router = [&plan](NodeId node) -> const RouterModel& { return plan.model(node); };
  const auto sites = channel_sites(*plan.topology, [](NodeId) { return 1; });
  const ReservedChannels reserved(*plan.routing, params, sites);
  level.release = Release::with_tail;
  level.channels = reserved.channels();
  level.pools = reserved.pools();
  const int injections = plan.topology->channels();
  const int ejections = injections + plan.topology->nodes();
  for (LevelMessage& message : messages) {
    message.route.insert(message.route.begin(),
                         reserved.pool(injections + message.from.value(), 0));
    message.route.push_back(reserved.pool(ejections + message.to.value(), 0));
  }
}

/// A schedule's messages, once.
Results evaluate_schedule(const LevelParams& params, const Job& job, const Plan& plan,
                          const Schedule& schedule) {
  const auto length = [&plan](const Transfer& transfer) {
    return Cycle{plan.format->packets(transfer.size, transfer.addresses).front()};
  };
  std::vector<LevelMessage> messages =
      level_messages(schedule, *plan.topology, *plan.routing, length);
  MessageLevelParams level = params_of(params, job, plan);
  if (params.release == Release::with_tail) reserve_tails(job, plan, messages, level);
  const MessageLevel model(std::move(messages), plan.topology->nodes(),
                           level_capacities(*plan.topology, *plan.routing, job.channel.vcs), level);
  TransferTimes times(schedule.transfers().size(), [] {});
  Cycle blocked = 0;
  std::int64_t left = 0;
  const std::vector<LevelTimes> run = model.run();
  for (std::size_t i = 0; i < run.size(); ++i) {
    const int transfer = static_cast<int>(i);
    if (run[i].ready >= 0) times.ready(transfer, TransferTimes::start + run[i].ready);
    if (run[i].done >= 0)
      times.delivered(transfer, TransferTimes::start + run[i].done);
    else
      ++left;
    blocked += run[i].blocked;
  }
  Results results;
  results.cycles = times.last();
  if (left > 0) {
    results.outcome = Outcome::deadlock;
    results.message =
        fmt::format("{} messages hold virtual channels and wait for each other", left);
  }
  times.report(schedule, *plan.topology, job.clock.period, MessageModel(job, plan), results);
  if (schedule.demand().released() && left == 0)
    DeliveryTimes(schedule.demand(), *plan.topology, times.completions(schedule)).report(results);
  results.add(
      "message_level.blocked",
      static_cast<double>(blocked) / static_cast<double>(std::max<std::size_t>(1, run.size())),
      "cycle");
  return results;
}

Results evaluate_once(const LevelParams& params, const Job& job, const Plan& plan) {
  Results results = evaluate_schedule(params, job, plan, *plan.schedule);
  if (!plan.compared || results.outcome != Outcome::complete) return results;
  const Results other = evaluate_schedule(params, job, plan, plan.compared->schedule);
  if (other.outcome != Outcome::complete) {
    results.outcome = other.outcome;
    results.message = "compare: " + other.message;
    return results;
  }
  add_excess(other, results);
  return results;
}

/// Differences between the model and the network that the job describes.
std::vector<std::string> notes_of(const LevelParams& params, const Job& job, const Plan& plan) {
  std::vector<std::string> notes;
  if (params.release == Release::with_tail) return notes;
  if (plan.closed_form && params.hop.count > 0) {
    const Cycle hop =
        plan.closed_form->packet_latency(2, 1) - plan.closed_form->packet_latency(1, 1);
    if (hop != params.hop.count)
      notes.push_back(
          fmt::format("evaluation.hop: a head takes {} for a hop in the simulated "
                      "network, and {} here",
                      counted(hop, "cycle"), counted(params.hop.count, "cycle")));
  }
  if (job.channel.vcs > plan.routing->vc_classes())
    notes.emplace_back(
        "channel.vcs: several virtual channels of a class have the full rate of their channel each "
        "in the message-level model");
  if (job.node.ejection_sharing == EjectionSharing::flits && job.channel.vcs > 1)
    notes.emplace_back(
        "node.ejection_sharing: messages use an ejection channel one after the other in the "
        "message-level model, as with packets");
  return notes;
}

Results run_level(const LevelParams& params, const Job& job, const Plan& plan,
                  const SimulateOptions& options) {
  if (job.top.draws > 1)
    return evaluate_draws(
        job, plan, [&] { return options.is_interrupted(); },
        [&](int draw) {
          const Job drawn = simulated_job(job, draw, ServedBy::algorithm);
          return evaluate_once(params, drawn, Plan::make(drawn, Plan::Check::skip));
        });
  Results results = evaluate_once(params, job, plan);
  for (std::string& note : plan.notes()) results.notes.push_back(std::move(note));
  for (std::string& note : notes_of(params, job, plan)) results.notes.push_back(std::move(note));
  report_steps(*plan.untimed, *plan.schedule, *plan.topology, *plan.routing, results);
  return results;
}

Evaluation message_level(const LevelParams& params, const Job& job, const Plan& plan) {
  check_level(params, job, plan);
  return [params, &job, &plan](const SimulateOptions& options) {
    return run_level(params, job, plan, options);
  };
}

}  // namespace

void register_message_level(Evaluations& evaluations) {
  EvaluationTraits traits;
  traits.counts_barriers = true;
  traits.metrics = {{"message_level.blocked", "cycle",
                     "mean time for which a head waited for virtual channels and its receiver",
                     MetricInfo::Forms::drawn}};
  evaluations.add(
      "message_level",
      {"messages are worms that hold the virtual channels of their paths, first come, first "
       "served, at full rate each, and one message at a time has an ejection channel; no flits are "
       "simulated",
       "Wang et al. 2001, section 2.1"},
      Schema<LevelParams>{}
          .optional("hop", &LevelParams::hop,
                    "time of a head across a channel between nodes; 0: distance is neglected",
                    between(0, 1e6))
          .optional(
              "release", &LevelParams::release,
              "when channels are free again: path: all when the last flit is taken; tail: each "
              "when the last flit has passed, in the times of routers and channels, as with "
              "fidelity: transaction"),
      message_level, std::move(traits));
}

}  // namespace flitwave
