// testbenches/observers/kinds/transactions.cpp: every TLM transaction, as a table.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "testbenches/job/observer.hpp"
#include "testbenches/observers/transaction_list.hpp"

namespace flitwave {
namespace {

struct TransactionsParams {};

/// "12.5": nanoseconds, exact.
std::string nanoseconds(std::int64_t picoseconds) {
  std::string text = fmt::format("{}.{:03}", picoseconds / 1000, picoseconds % 1000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// Stores the transactions with the times of their stages.
class Transactions final : public Observer {
 public:
  explicit Transactions(const ObserverSite& site) : site_(site) {
    if (site.transactions) site.transactions->keep_each();
  }

  std::vector<ChannelSite::Kind> channels() const override { return {}; }

  void report(const RunSummary&, Results& results) const override {
    if (!site_.transactions) {
      results.lines.emplace_back("transactions: the job has no devices (node.at)");
      return;
    }
    Table table{{"initiator", "socket", "number", "target", "device", "command", "address", "bytes",
                 "status", "begun_ns", "requested_ns", "arrived_ns", "answered_ns", "replied_ns",
                 "ended_ns"},
                {}};
    for (const ListedTransaction& one : site_.transactions->sorted()) {
      std::vector<std::string> row{site_.topology.label(one.initiator),
                                   std::to_string(one.socket),
                                   std::to_string(one.number),
                                   one.target.valid() ? site_.topology.label(one.target) : "",
                                   one.device,
                                   one.command,
                                   fmt::format("{:#x}", one.address),
                                   std::to_string(one.bytes),
                                   one.status};
      const TransactionTimes& times = one.times;
      row.push_back(nanoseconds(times.begun));
      for (const std::int64_t time :
           {times.requested, times.arrived, times.answered, times.replied, times.ended})
        row.push_back(time == 0 ? "" : nanoseconds(time));  // without a device, or not yet
      table.rows.push_back(std::move(row));
    }
    results.tables["transactions"] = std::move(table);
  }

 private:
  ObserverSite site_;
};

}  // namespace

void register_transactions(Observers& observers) {
  observers.add("transactions",
                {"a table of every TLM transaction: when it began, was handed to the network, "
                 "arrived, was answered and ended; of one under way at the end of the run, the "
                 "times so far",
                 ""},
                Schema<TransactionsParams>{},
                [](const TransactionsParams&, const ObserverSite& site) {
                  return std::unique_ptr<Observer>(std::make_unique<Transactions>(site));
                });
}

}  // namespace flitwave
