// testbenches/run/testbench/tlm_network.hpp: the TLM bridges and devices of a job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "modules/network/netlist.hpp"
#include "modules/tlm/devices/node_device.hpp"
#include "modules/tlm/interconnect.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/job/results/results.hpp"
#include "testbenches/observers/transaction_list.hpp"

namespace flitwave {

/// A bridge for each node with devices, and the devices that the job names.
class TlmNetwork {
 public:
  /// All outlive it. `collective`: per node its part of the schedule; empty without one.
  /// `transactions`: is given each that ends. `progressed`: called when an initiator is done or a
  /// transaction has ended.
  /// Throws: ConfigError, located, for devices that cannot be created.
  TlmNetwork(const Job& job, const Plan& plan, const Netlist& netlist, ClockDomain& domain,
             const std::vector<CollectiveProgram*>& collective, TransactionList& transactions,
             std::function<void()> progressed);
  ~TlmNetwork();

  /// The bridge of a node.
  /// Throws: ConfigError when the job gives it no devices.
  TlmBridge& bridge(NodeId node) const;

  /// Throws: ConfigError, located, when a socket is not bound to one module, a region of the
  ///   address map has no device, or the collective can never begin. Needs: the user's modules are
  ///   bound
  void check();

  /// Whether the initiators of the job are done and all transactions have their responses.
  bool is_idle() const;
  /// The same, for good: no module of the user's own, which may begin a transaction at any time, is
  /// bound to a socket. Otherwise the run ends with the simulation.
  bool is_over() const { return !open_ && is_idle(); }
  /// The error of a target that has had a request, or of an initiator that has had a response, for
  /// too long, if there is one.
  std::optional<DesignError> missing_answer(Cycle now) const;
  /// The error of a part of the collective that waits for a transaction that no initiator makes, if
  /// there is one.
  std::optional<DesignError> unbegun_collective(Cycle now) const;
  /// The run has ended: nothing waits for a response any more.
  void abandon() { interconnect_.abandon(); }
  /// Adds counts of transactions, errors and wrong values.
  void report(Results& results) const;

 private:
  void require_begun_collective() const;

  const Job& job_;
  const Plan& plan_;
  TransactionList& transactions_;
  TlmInterconnect interconnect_;
  std::vector<std::unique_ptr<TlmBridge>> bridges_;
  std::vector<std::unique_ptr<NodeDevice>> devices_;
  std::vector<std::size_t> sockets_;  // of each bridge that its devices use
  bool open_ = false;                 // modules of the user are bound to sockets
};

}  // namespace flitwave
