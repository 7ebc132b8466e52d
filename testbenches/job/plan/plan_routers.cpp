// testbenches/job/plan/plan_routers.cpp: see plan_routers.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan/plan_routers.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace flitwave {

namespace {

/// The first node whose router model is not as `is_such` requires, if any.
template <class IsSuch>
NodeId first_without(const Plan& plan, IsSuch is_such) {
  for (int i = 0; i < plan.topology->nodes(); ++i)
    if (!is_such(plan.model(NodeId(i)))) return NodeId(i);
  return NodeId();
}

/// Each router model that a node uses, once.
std::vector<const RouterModel*> models_of(const Plan& plan) {
  const auto is_used = [&plan](int number) {
    const std::vector<int>& numbers = plan.model_of_node;
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
  };
  std::vector<const RouterModel*> models;
  if (is_used(-1)) models.push_back(&plan.router);
  for (int i = 0; i < static_cast<int>(plan.override_models.size()); ++i)
    if (is_used(i)) models.push_back(&plan.override_models[index(i)]);
  return models;
}

void check_needs_of_all(const NetworkFacts& facts) {
  for (const RouterModel* model : facts.routers) check_needs(*model, facts);
}

/// Each length once for each setting. The messages of a schedule are sent as packets only in a
/// simulation.
std::vector<PacketLength> packet_lengths(const Job& job, const Plan& plan) {
  std::vector<PacketLength> lengths;
  if (job.traffic) lengths.push_back({job.traffic->packet.count, "traffic.packet"});
  if (job.requests) {
    lengths.push_back({job.requests->request.count, "requests.request"});
    lengths.push_back({job.requests->reply.count, "requests.reply"});
  }
  if (job.transactions)
    lengths.push_back({job.packet_format.longest.count, "packet_format.longest"});
  if (plan.trace)
    for (const TracedLength& length : plan.trace->lengths())
      lengths.push_back({length.flits, "", length.first});
  if (!plan.schedule || !job.is_clocked()) return lengths;
  std::set<std::int64_t> seen;
  for (const auto& [bytes, addresses] : sizes_sent(*plan.schedule))
    for (const std::int64_t flits : plan.format->packets(Bytes{bytes}, addresses))
      if (seen.insert(flits).second) lengths.push_back({flits, PacketLength::of_operation});
  return lengths;
}

void check_faults(const Job& job, const Plan& plan) {
  const std::vector<Cycle> onsets = plan.topology->faults().onsets();
  const NodeId no_later =
      first_without(plan, [](const RouterModel& model) { return model.supports.later_faults; });
  if (onsets.back() > 0 && no_later.valid())
    throw error_at(job, "faults.later",
                   fmt::format("the router of node {} supports only faults from the start",
                               plan.topology->label(no_later)),
                   "use `router: {kind: greedy_multicast, fault_tolerant: true, detail: compact}`, "
                   "or list them under faults.nodes and faults.links");
  const NodeId none =
      first_without(plan, [](const RouterModel& model) { return model.supports.faults; });
  if (none.valid())
    throw error_at(
        job, "faults",
        fmt::format("the router of node {} does not support faults", plan.topology->label(none)),
        "use `router: {kind: greedy_multicast, fault_tolerant: true}`, or evaluation: untimed");
}

/// Packets that use an ejection channel one after the other wait in the router.
void check_ejection(const Job& job, const Plan& plan) {
  const NodeId none =
      first_without(plan, [](const RouterModel& model) { return model.supports.ejects_packets; });
  if (!none.valid()) return;
  throw error_at(
      job, "node.ejection_sharing",
      fmt::format("the router of node {} does not keep packets waiting for an ejection channel",
                  plan.topology->label(none)),
      "use router.kind: wormhole, virtual_cut_through or store_and_forward, or leave "
      "node.ejection_sharing out");
}

}  // namespace

void place_routers(const Job& job, Plan& plan) {
  plan.router = job.router.build();
  plan.model_of_node.assign(index(plan.topology->nodes()), -1);
  for (const Job::RouterOverride& entry : job.router_overrides) {
    plan.override_models.push_back(entry.router.build());
    for (const ConfigNode& node : entry.nodes)
      plan.model_of_node[plan.topology->find(node).index()] =
          static_cast<int>(plan.override_models.size()) - 1;
  }
  // A router model without nodes has no shared part, and no plan depends on it.
  const std::vector<int>& models = plan.model_of_node;
  if (std::find(models.begin(), models.end(), -1) == models.end()) {
    plan.router.share = nullptr;
    plan.router.facts = nullptr;
  }
}

NetworkFacts network_facts(const Job& job, const Plan& plan) {
  const Printed& parameters = job.routing.parameters();
  NetworkFacts facts{*plan.topology,
                     *plan.routing,
                     job.routing.kind(),
                     job.routing.section(),
                     job.written.find_path("routing.kind") != nullptr,
                     std::any_of(parameters.begin(), parameters.end(),
                                 [](const auto& entry) { return entry.first == "vc_rule"; }),
                     job.channel,
                     job.node,
                     job.packet_format,
                     job.clock.period,
                     job.top.seed};
  facts.routers = models_of(plan);
  facts.overrides = !plan.override_models.empty();
  facts.allow_deadlock = job.top.allow_deadlock;
  facts.message_classes = job.message_classes();
  if (job.requests) facts.reply_queue = job.requests->reply_queue;
  return facts;
}

void check_router_needs(const Job& job, const NetworkFacts& facts) {
  try {
    check_needs_of_all(facts);
  } catch (const ConfigError& error) {
    if (error.place().known()) throw;
    throw error_at(job, error.key(), error.problem(), error.remedy());
  }
}

bool is_accepted(const NetworkFacts& facts) {
  try {
    check_needs_of_all(facts);
  } catch (const ConfigError&) {
    return false;
  }
  return true;
}

void check_router_support(const Job& job, const Plan& plan) {
  if (!plan.topology->faults().empty() && job.is_clocked()) check_faults(job, plan);
  if (job.node.ejection_sharing != EjectionSharing::flits) check_ejection(job, plan);
}

void check_copying(const Job& job, const Plan& plan) {
  const Copying needed = plan.schedule->copies_on_way() ? Copying::on_way : Copying::at_once;
  const NodeId node = first_without(
      plan, [needed](const RouterModel& model) { return model.supports.copying == needed; });
  if (!node.valid()) return;
  const bool on_way = needed == Copying::on_way;
  const bool passing = plan.model(node).supports.copying == Copying::on_way;
  throw error_at(job, "algorithm.kind",
                 fmt::format("{} sends one message to several nodes, and the router of node {} {}",
                             job.algorithm->kind(), plan.topology->label(node),
                             on_way    ? "does not copy it along its path"
                             : passing ? "copies it only at receivers that a worm passes"
                                       : "does not copy it"),
                 on_way ? "use `router: {kind: path_multicast}`, or `algorithm: {kind: separate}`"
                        : "use `router: {kind: station}` on `topology: {kind: complete}`, `router: "
                          "{kind: greedy_multicast}` on a hypercube, or `algorithm: {kind: "
                          "separate}`");
}

void check_escapes(const Job& job, Plan& plan) {
  if (!plan.routing->relies_on_escape()) return;
  const NodeId node =
      first_without(plan, [](const RouterModel& model) { return model.avoidance.serves_escape; });
  if (!node.valid()) return;
  const std::string problem = fmt::format(
      "routing `{}` is free of deadlock by its escape channels, and heads in the router of node {} "
      "cannot always use them",
      job.routing.kind(), plan.topology->label(node));
  if (!job.top.allow_deadlock)
    throw error_at(job, "routing", problem, "choose another routing, or set allow_deadlock: true");
  plan.serves_escapes = false;
  plan.warnings.push_back("routing: " + problem);
}

void check_packets(const Job& job, Plan& plan) {
  NetworkFacts facts = network_facts(job, plan);
  facts.pattern = plan.pattern.get();
  facts.trace = plan.trace ? &*plan.trace : nullptr;
  facts.schedule = plan.schedule ? &*plan.schedule : nullptr;
  facts.format = &*plan.format;
  facts.lengths = packet_lengths(job, plan);
  check_router_needs(job, facts);
  plan.channel = job.channel;
  if (!std::any_of(facts.routers.begin(), facts.routers.end(),
                   [](const RouterModel* model) { return model->keeps_whole_packets(); }))
    return;
  std::int64_t longest = 0;
  for (const PacketLength& length : *facts.lengths) longest = std::max(longest, length.flits);
  plan.channel.whole_packet = static_cast<int>(longest);
}

FlowControl flow_control(const Plan& plan) {
  const std::vector<const RouterModel*> models = models_of(plan);
  FlowControl control = models.front()->avoidance.control;
  for (const RouterModel* model : models) control = in_common(control, model->avoidance.control);
  if (!plan.schedule || !plan.schedule->copies_on_way()) control.consumption_classes = 0;
  return control;
}

}  // namespace flitwave
