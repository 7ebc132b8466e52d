// testbenches/job/plan/plan_fidelity.cpp: see plan_fidelity.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan/plan_fidelity.hpp"

#include <string>

#include <fmt/format.h>

namespace flitwave {

namespace {

std::string or_signal(const std::string& remedy) { return remedy + ", or set fidelity: signal"; }

[[noreturn]] void reject_flits(const Job& job, const char* key, const std::string& problem,
                               const std::string& remedy) {
  throw error_at(job, key, problem, or_signal(remedy));
}

void check_evaluation(const Job& job) {
  if (job.evaluation.kind() != "timed")
    throw error_at(job, "fidelity",
                   fmt::format("evaluation: {} does not simulate the network without flits",
                               job.evaluation.kind()),
                   "leave fidelity out, or set evaluation: timed");
}

void check_routers(const Job& job, const Plan& plan) {
  if (const NodeId node = node_without_transactions(plan); node.valid())
    reject_flits(job, "router",
                 fmt::format("the time of a packet in the router of node {} does not follow from "
                             "the times of its stages, which transaction fidelity needs",
                             plan.topology->label(node)),
                 "use router.kind: wormhole, virtual_cut_through or store_and_forward with torus: "
                 "classes");
  for (int i = 1; i < plan.topology->nodes(); ++i)
    if (plan.model(NodeId(i)).switching != plan.model(NodeId(0)).switching)
      reject_flits(job, "router.at",
                   fmt::format("the routers of nodes {} and {} differ in switching",
                               plan.topology->label(NodeId(0)), plan.topology->label(NodeId(i))),
                   "use routers that all store packets, or all pass them on");
  if (job.channel.handshake != Handshake::credit)
    reject_flits(job, "channel.handshake", "channels at transaction fidelity have credits",
                 "set channel.handshake: credit");
}

void check_nodes(const Job& job) {
  if (!job.devices.empty())
    reject_flits(job, "node.at",
                 "transactions of devices need the network interfaces of signal fidelity",
                 "remove it");
  if (job.node.ejection != Ejection::drains)
    reject_flits(job, "node.ejection", "nodes at transaction fidelity take flits as they arrive",
                 "set ejection: drains");
  if (job.node.injection_vc != InjectionVc::free)
    reject_flits(job, "node.injection_vc",
                 "packets at transaction fidelity take the next free virtual channel",
                 "set injection_vc: free");
  if (job.requests && job.requests->reply_queue > 0)
    reject_flits(job, "requests.reply_queue", "nodes at transaction fidelity take every request",
                 "set reply_queue: 0");
}

/// It observes packets, or the transfers of a schedule only.
bool needs_no_flits(const ObserverTraits& observer) {
  return observer.by_packet || (observer.without_clock && !observer.passages);
}

void check_observation(const Job& job) {
  if (job.wave)
    reject_flits(job, "wave", "there are no wires at transaction fidelity", "remove it");
  const ConfigNode* const list = job.written.find("observe");
  for (std::size_t i = 0; list && i < job.observers.size(); ++i)
    if (!needs_no_flits(job.observers[i].traits()))
      throw list->items()[i].error(
          fmt::format("`{}` observes what transaction fidelity does not simulate",
                      job.observers[i].kind()),
          or_signal("remove it"));
}

}  // namespace

NodeId node_without_transactions(const Plan& plan) {
  for (int i = 0; i < plan.topology->nodes(); ++i)
    if (!plan.model(NodeId(i)).supports.transactions) return NodeId(i);
  return {};
}

void check_fidelity(const Job& job, const Plan& plan) {
  if (job.top.fidelity == Fidelity::signal) return;
  check_evaluation(job);
  check_routers(job, plan);
  check_nodes(job);
  check_observation(job);
}

}  // namespace flitwave
