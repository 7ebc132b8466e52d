// testbenches/transfer_times.cpp: see transfer_times.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/transfer_times.hpp"

#include <algorithm>

namespace flitwave {

void TransferTimes::report(const Schedule& schedule, const Topology& topology, Duration period,
                           const MessageModel& model, Results& results) const {
  const double microseconds = static_cast<double>(period.picoseconds) * 1e-6;
  Table table{{"message", "from", "to", "step", "ready_cycle", "done_cycle", "done_us", "alone_us"},
              {}};
  Cycle sum = 0;
  Cycle greatest = 0;
  for (std::size_t i = 0; i < done_.size(); ++i) {
    const Transfer& transfer = schedule.transfers()[i];
    table.rows.push_back({std::to_string(transfer.message), topology.label(transfer.from),
                          topology.label(transfer.to), std::to_string(transfer.step),
                          std::to_string(ready_[i]), std::to_string(done_[i]),
                          number_text(static_cast<double>(done_[i]) * microseconds)});
    const std::optional<double> alone = model.alone(transfer);
    table.rows.back().push_back(alone ? number_text(*alone) : "");
    sum += done_[i];
    greatest = std::max(greatest, done_[i]);
  }
  results.tables["transfers"] = std::move(table);
  if (delivered_ < expected() || done_.empty()) return;
  const double mean = static_cast<double>(sum) / static_cast<double>(done_.size());
  results.add("collective.max", static_cast<double>(greatest), "cycle");
  results.add("collective.mean", mean, "cycle");
  results.add("overhead.rounding_us", model.rounding(), "us");
  results.add("collective.max_us", static_cast<double>(greatest) * microseconds, "us");
  results.add("collective.mean_us", mean * microseconds, "us");
}

}  // namespace flitwave
