// testbenches/observers/transaction_list.hpp: the transactions of a run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "modules/tlm/transaction.hpp"
#include "testbenches/job/results/results.hpp"
#include "testbenches/job/results/statistics.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// A transaction that has ended, or was under way when the run ended.
struct ListedTransaction {
  NodeId initiator;
  int socket = 0;
  std::int64_t number = 0;
  std::int64_t serial = -1;  ///< Transaction::serial
  NodeId target;
  std::string device;
  std::string command;  ///< load, store, or none for a command without data.
  std::uint64_t address = 0;
  unsigned bytes = 0;
  std::string status;  ///< E.g. TLM_OK_RESPONSE; under way: TLM_INCOMPLETE_RESPONSE
  TransactionTimes times;
};

/// Counts the transactions that have ended; on request, keeps each, and those under way at the end.
class TransactionList final : public TransactionLog {
 public:
  void call_after_each(std::function<void()> ended) { after_each_ = std::move(ended); }
  void keep_each() { keeps_ = true; }

  void ended(const Transaction& transaction) override;
  void remained(const Transaction& transaction) override;

  /// When the last one ended. Unit: ps
  std::int64_t last() const { return last_; }

  /// In the order of their beginning; at one time, of nodes, sockets and numbers.
  std::vector<ListedTransaction> sorted() const;

  /// The number in `sorted` of each that had a target, by its serial number.
  std::map<std::int64_t, std::size_t> rows() const;

  /// Adds counts, and the times from the begin of the request to the response.
  void report(Results& results) const;

 private:
  void keep(const Transaction& transaction, const std::string& status);

  std::function<void()> after_each_;
  bool keeps_ = false;
  std::vector<ListedTransaction> kept_;
  std::int64_t loads_ = 0;
  std::int64_t stores_ = 0;
  std::int64_t errors_ = 0;
  std::int64_t last_ = 0;
  Sample times_;  // Unit: ps
};

}  // namespace flitwave
