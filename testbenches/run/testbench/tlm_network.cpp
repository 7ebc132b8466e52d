// testbenches/run/testbench/tlm_network.cpp: see tlm_network.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/testbench/tlm_network.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace flitwave {

TlmNetwork::TlmNetwork(const Job& job, const Plan& plan, const Netlist& netlist,
                       ClockDomain& domain, const std::vector<CollectiveProgram*>& collective,
                       TransactionList& transactions, std::function<void()> progressed)
    : job_(job),
      plan_(plan),
      transactions_(transactions),
      interconnect_(*plan.topology, domain, *plan.format, *job.transactions, plan.address_map,
                    transactions) {
  transactions.call_after_each(progressed);
  for (int i = 0; i < plan.topology->nodes(); ++i) {
    const NodeId node(i);
    const int entry = plan.devices_of_node[node.index()];
    if (entry < 0) continue;
    const std::string name = "tlm_" + plan.topology->label(node);
    bridges_.push_back(
        std::make_unique<TlmBridge>(name.c_str(), netlist.processor(node), interconnect_));
    const Job::NodeDevices& devices = job.devices[index(entry)];
    try {
      const HierarchyScope scope(*bridges_.back());
      devices_.push_back(devices.kind.build(
          {*bridges_.back(), domain, *plan.topology, netlist.processor(node),
           collective.empty() ? nullptr : collective[node.index()], job.top.seed, progressed}));
    } catch (const ConfigError& error) {
      throw detail::located(error, devices.written);
    }
    sockets_.push_back(bridges_.back()->sockets());
  }
}

TlmNetwork::~TlmNetwork() = default;

TlmBridge& TlmNetwork::bridge(NodeId node) const {
  if (TlmBridge* const found = interconnect_.bridge(node)) return *found;
  throw error_at(job_, "node.at", "node " + plan_.topology->label(node) + " has no sockets",
                 "name it there, e.g. {nodes: [...], kind: tlm}");
}

void TlmNetwork::check() {
  for (std::size_t i = 0; i < bridges_.size(); ++i)
    open_ = open_ || bridges_[i]->sockets() > sockets_[i];
  for (const auto& bridge : bridges_) {
    const Job::NodeDevices& devices =
        job_.devices[index(plan_.devices_of_node[bridge->node().index()])];
    try {
      bridge->check_bindings(devices.written.path());
    } catch (const ConfigError& error) {
      throw detail::located(error, devices.written);
    }
  }
  for (const AddressRegion& region : plan_.address_map.regions()) {
    if (interconnect_.bridge(region.node)->target(region.device)) continue;
    throw error_at(
        job_, region.setting,
        region.device.empty()
            ? fmt::format("node {} has no target, or several", plan_.topology->label(region.node))
            : fmt::format("node {} has no device `{}`", plan_.topology->label(region.node),
                          region.device),
        "name a device of the node in `device`, e.g. memory");
  }
  require_begun_collective();
}

/// Throws: ConfigError at registers that await a store if no initiator can send one.
void TlmNetwork::require_begun_collective() const {
  if (open_ || !is_idle()) return;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    if (!devices_[i]->awaits_collective()) continue;
    const NodeId node = bridges_[i]->node();
    throw job_.devices[index(plan_.devices_of_node[node.index()])].written.error(
        "node " + plan_.topology->label(node) +
            " begins its part of the collective by a store to its registers, but no node has an "
            "initiator",
        "add one whose program has this store, bind one of your own in C++, or leave out "
        "`registers`");
  }
}

bool TlmNetwork::is_idle() const {
  if (interconnect_.open_transactions() > 0 || interconnect_.open_messages() > 0) return false;
  return std::all_of(devices_.begin(), devices_.end(),
                     [](const auto& device) { return device->is_done(); });
}

std::optional<DesignError> TlmNetwork::unbegun_collective(Cycle now) const {
  if (open_ || !is_idle()) return std::nullopt;
  for (std::size_t i = 0; i < devices_.size(); ++i)
    if (devices_[i]->awaits_collective())
      return DesignError({now, "node " + plan_.topology->label(bridges_[i]->node()), "registers",
                          "command", "a store that begins the node's part of the collective",
                          "none, and all initiators are done", "",
                          "add this store to a program of `initiator`, or leave out `registers`"});
  return std::nullopt;
}

std::optional<DesignError> TlmNetwork::missing_answer(Cycle now) const {
  const Cycle limit = job_.transactions->answer_within.count;
  const TlmInterconnect::Awaited awaited = interconnect_.longest_awaited();
  if (limit == 0 || !awaited.transaction) return std::nullopt;
  const Cycle since = interconnect_.domain().first_cycle_after(awaited.since - 1);
  if (now - since <= limit) return std::nullopt;
  const Transaction& transaction = *awaited.transaction;
  const NodeId node = awaited.by_initiator ? transaction.initiator : transaction.target;
  return DesignError({now, "node " + plan_.topology->label(node),
                      awaited.by_initiator
                          ? fmt::format("socket for initiator {}", transaction.socket)
                          : transaction.side->device(),
                      awaited.by_initiator ? "END_RESP" : "response",
                      fmt::format("within {} cycles (transactions.answer_within)", limit),
                      fmt::format("none since cycle {}", since), interconnect_.text(transaction),
                      awaited.by_initiator
                          ? "send END_RESP, or return TLM_COMPLETED, sooner; or increase the limit"
                          : "let the target respond sooner, or increase the limit"});
}

void TlmNetwork::report(Results& results) const {
  std::int64_t wrong = 0;
  for (const auto& device : devices_) wrong += device->wrong_values();
  transactions_.report(results);
  results.add("transactions.open", static_cast<double>(interconnect_.open_transactions()), "");
  results.add("transactions.wrong", static_cast<double>(wrong), "");
}

}  // namespace flitwave
