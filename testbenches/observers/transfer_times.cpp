// testbenches/observers/transfer_times.cpp: see transfer_times.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/transfer_times.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "testbenches/job/results/microseconds.hpp"
#include "testbenches/job/results/statistics.hpp"

namespace flitwave {

/// The next step of a piece at a node; -1: the node does not receive it.
Cycle TransferTimes::completion(const PieceHistory* history, Cycle before) const {
  if (!history) return -1;
  Cycle last = before;
  for (const PieceHistory::Receipt& receipt : history->receipts()) {
    if (receipt.transfer < 0 || receipt.use == Use::pass_on) continue;
    const Cycle done = done_[index(receipt.transfer)];
    if (done < 0) return -1;
    last = std::max(last, done);
  }
  return last;
}

std::vector<Cycle> TransferTimes::completions(const Schedule& schedule) const {
  std::vector<Cycle> all;
  const std::vector<Delivery>& deliveries = schedule.demand().deliveries;
  std::size_t piece = 0;
  for (std::size_t i = 0; i < deliveries.size(); ++i) {
    const std::vector<NodeId>& destinations = deliveries[i].destinations;
    const std::size_t first = all.size();
    all.resize(first + destinations.size(), 0);
    for (; piece < schedule.pieces().size() &&
           schedule.pieces()[piece].delivery == static_cast<int>(i);
         ++piece)
      for (std::size_t k = 0; k < destinations.size(); ++k)
        if (Cycle& at = all[first + k]; at >= 0)
          at = completion(schedule.holders(static_cast<int>(piece)).find(destinations[k]), at);
  }
  return all;
}

Cycle TransferTimes::begin_of(const Schedule& schedule) const {
  if (begins_.empty()) return start;
  Cycle first = INT64_MAX;
  for (const Transfer& transfer : schedule.transfers())
    if (transfer.after.empty()) first = std::min(first, begin_of(transfer.from));
  return first;
}

/// The number of the one that was done last of those whose data a transfer needs; empty: it needs
/// none.
std::string TransferTimes::awaited_by(const Transfer& transfer) const {
  int last = -1;
  for (const int other : transfer.after)
    if (done_[index(other)] >= 0 && (last < 0 || done_[index(other)] > done_[index(last)]))
      last = other;
  return last < 0 ? "" : std::to_string(last);
}

Table TransferTimes::table(const Schedule& schedule, const Topology& topology, Duration period,
                           const MessageModel& model, std::size_t rows) const {
  const double cycle_us = microseconds(period.picoseconds);
  Table table{{"message", "from", "to", "step", "ready_cycle", "done_cycle", "done_us", "alone_us",
               "kind", "release_cycle", "after"},
              {}};
  for (std::size_t i = 0; i < rows; ++i) {
    const Transfer& transfer = schedule.transfers()[i];
    const std::optional<double> alone = model.alone(transfer);
    const int independent = schedule.step_of(transfer).second;
    table.rows.push_back(
        {schedule.name_of(transfer), topology.label(transfer.from), topology.label(transfer.to),
         std::to_string(transfer.step), std::to_string(ready_[i]), std::to_string(done_[i]),
         done_[i] < 0 ? "" : number_text(static_cast<double>(done_[i]) * cycle_us),
         alone ? number_text(*alone) : "", schedule.is_signal(transfer) ? "barrier" : "data",
         independent < 0
             ? ""
             : std::to_string(*schedule.demand().deliveries[index(independent)].release),
         ready_[i] < 0 ? "" : awaited_by(transfer)});
  }
  return table;
}

void TransferTimes::report(const Schedule& schedule, const Topology& topology, Duration period,
                           const MessageModel& model, Results& results) const {
  const bool cut = schedule.demand().released() && done_.size() > most_rows;
  results.tables["transfers"] =
      table(schedule, topology, period, model, cut ? most_rows : done_.size());
  if (cut)
    results.notes.push_back(fmt::format("the table of transfers has the first {} only", most_rows));
  if (delivered_ < expected() || done_.empty()) return;
  const std::vector<Cycle> completed = completions(schedule);
  const Cycle begin = begin_of(schedule) - start;
  const Cycle greatest = *std::max_element(done_.begin(), done_.end()) - begin;
  const double cycle_us = microseconds(period.picoseconds);
  Sample had;
  for (Cycle cycle : completed)
    if (cycle >= 0) had.add(std::max<Cycle>(0, cycle - begin));
  if (had.count() == 0) return;  // faults prevented all deliveries
  const double mean = had.mean();
  results.add("collective.max", static_cast<double>(greatest), "cycle");
  results.add("collective.mean", mean, "cycle");
  results.add("overhead.rounding_us", model.rounding(), "us");
  results.add("collective.max_us", static_cast<double>(greatest) * cycle_us, "us");
  results.add("collective.mean_us", mean * cycle_us, "us");
}

}  // namespace flitwave
