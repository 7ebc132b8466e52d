// testbenches/observers/transaction_list.cpp: see transaction_list.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/transaction_list.hpp"

#include <algorithm>
#include <tuple>

#include "modules/tlm/target_side.hpp"

namespace flitwave {

namespace {

const char* command_of(const tlm::tlm_generic_payload& payload) {
  return payload.is_read() ? "load" : payload.is_write() ? "store" : "none";
}

}  // namespace

void TransactionList::ended(const Transaction& transaction) {
  const tlm::tlm_generic_payload& payload = *transaction.payload;
  loads_ += payload.is_read() ? 1 : 0;
  stores_ += payload.is_write() ? 1 : 0;
  errors_ += payload.is_response_error() ? 1 : 0;
  last_ = std::max(last_, transaction.times.ended);
  times_.add(transaction.times.ended - transaction.times.begun);
  if (keeps_) keep(transaction, payload.get_response_string());
  if (after_each_) after_each_();
}

void TransactionList::remained(const Transaction& transaction) {
  if (!keeps_) return;
  keep(transaction, tlm::tlm_generic_payload{}.get_response_string());
  kept_.back().times.ended = 0;  // a response that the initiator has not ended
}

void TransactionList::keep(const Transaction& transaction, const std::string& status) {
  const tlm::tlm_generic_payload& payload = *transaction.payload;
  kept_.push_back({transaction.initiator, transaction.socket, transaction.number,
                   transaction.serial, transaction.target,
                   transaction.side ? transaction.side->device() : "", command_of(payload),
                   transaction.address, payload.get_data_length(), status, transaction.times});
}

std::vector<ListedTransaction> TransactionList::sorted() const {
  std::vector<ListedTransaction> all = kept_;
  std::sort(all.begin(), all.end(), [](const ListedTransaction& a, const ListedTransaction& b) {
    const auto rank = [](const ListedTransaction& one) {
      return std::tuple(one.times.begun, one.initiator.value(), one.socket, one.number);
    };
    return rank(a) < rank(b);
  });
  return all;
}

std::map<std::int64_t, std::size_t> TransactionList::rows() const {
  std::map<std::int64_t, std::size_t> rows;
  const std::vector<ListedTransaction> all = sorted();
  for (std::size_t row = 0; row < all.size(); ++row)
    if (all[row].serial >= 0) rows.emplace(all[row].serial, row);
  return rows;
}

void TransactionList::report(Results& results) const {
  results.add("transactions", static_cast<double>(times_.count()), "");
  results.add("transactions.loads", static_cast<double>(loads_), "");
  results.add("transactions.stores", static_cast<double>(stores_), "");
  results.add("transactions.errors", static_cast<double>(errors_), "");
  if (times_.count() == 0) return;
  const auto nanoseconds = [](double picoseconds) { return picoseconds / 1000; };
  const auto add = [&](const char* name, double picoseconds) {
    results.add(std::string("transaction.time.") + name, nanoseconds(picoseconds), "ns");
  };
  add("mean", times_.mean());
  add("p50", static_cast<double>(times_.percentile(0.5)));
  add("p99", static_cast<double>(times_.percentile(0.99)));
  add("max", static_cast<double>(times_.greatest()));
}

}  // namespace flitwave
