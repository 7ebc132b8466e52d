// modules/tlm/transaction.hpp: a TLM transaction on its way through the network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include <systemc>

#include "configs/quantity.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

class TargetSide;

/// When a transaction passed its stages. Unit: ps; 0: not yet.
struct TransactionTimes {
  std::int64_t begun = 0;      ///< When its request began at the initiator, delays included.
  std::int64_t requested = 0;  ///< When its request was handed to the network.
  std::int64_t arrived = 0;    ///< When its request was handed to the target.
  std::int64_t answered = 0;   ///< When the target's response began, delays included.
  std::int64_t replied = 0;    ///< When its reply was handed to the network.
  std::int64_t ended = 0;      ///< When the response was handed to the initiator.
};

/// A transaction from the call of its initiator to its response.
struct Transaction {
  tlm::tlm_generic_payload* payload = nullptr;  ///< Null: the place is free.
  bool blocking = false;                        ///< By b_transport, from start to end.
  NodeId initiator;
  int socket = 0;                     ///< Of those for initiators at the node.
  NodeId target;                      ///< Not valid if no device serves the address.
  TargetSide* side = nullptr;         ///< Of the target, or null.
  std::uint64_t address = 0;          ///< As the initiator gave it.
  std::uint64_t local = 0;            ///< As the target sees it.
  std::int64_t number = 0;            ///< Counts the transactions of its socket, from 0.
  std::int64_t serial = -1;           ///< Distinguishes those of a network; -1: without a target.
  std::int64_t turn = 0;              ///< Counts those from its socket to its target, from 0.
  std::uint64_t tag = 0;              ///< Of its request; that of its reply is one more.
  sc_core::sc_event* done = nullptr;  ///< Blocking: wakes its initiator's thread.
  TransactionTimes times;

  /// Whether its target has the request and has not answered.
  bool is_at_target() const { return times.arrived > 0 && times.answered == 0; }
  bool is_local() const { return initiator == target; }
};

/// A sink for transactions.
class TransactionLog {
 public:
  /// The response was handed to the initiator. Within one time, the order of calls is not defined.
  virtual void ended(const Transaction& transaction) = 0;
  /// The run has ended before the transaction.
  virtual void remained(const Transaction& transaction) = 0;

 protected:
  ~TransactionLog() = default;
};

}  // namespace flitwave
