// testbenches/observers/transfer_times.hpp: when the transfers of a schedule could begin and were
// done.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/arrays/array_memory.hpp"
#include "modules/processor/collective_program.hpp"
#include "testbenches/job/observer.hpp"
#include "testbenches/observers/message_model.hpp"

namespace flitwave {

/// The times of a schedule's transfers, in cycles after the start of the programs.
class TransferTimes final : public TransferLog {
 public:
  /// `all_done` is called when the last transfer is done. `memory`: of the array that they move;
  /// may be null.
  TransferTimes(std::size_t transfers, std::function<void()> all_done,
                ArrayMemory* memory = nullptr)
      : ready_(transfers, -1),
        done_(transfers, -1),
        sends_(transfers),
        receives_(transfers),
        sent_(transfers, -1),
        all_done_(std::move(all_done)),
        memory_(memory) {}

  void ready(int transfer, Cycle cycle) override {
    ready_[index(transfer)] = cycle - start;
    if (memory_) memory_->send(transfer);
  }
  void delivered(int transfer, Cycle cycle) override {
    done_[index(transfer)] = cycle - start;
    if (memory_) memory_->receive(transfer);
    last_ = std::max(last_, cycle);
    if (++delivered_ == expected()) all_done_();
  }

  void send_begins(int transfer, const OverheadStart& begin) override {
    sends_[index(transfer)] = begin;
  }
  void receive_begins(int transfer, const OverheadStart& begin) override {
    receives_[index(transfer)] = begin;
  }

  void sent(int transfer, Cycle cycle) override { sent_[index(transfer)] = cycle; }

  void part_begins(NodeId node, Cycle cycle) override { begins_[node.value()] = cycle; }

  static constexpr Cycle start = 1;  ///< The cycle in which programs start.
  static constexpr int program = 0;  ///< The number of a collective's program at every node.

  /// When its sender had the message; -1: not yet.
  Cycle ready_at(std::size_t transfer) const { return ready_[transfer]; }
  /// When its receiver had processed it; -1: not yet.
  Cycle done_at(std::size_t transfer) const { return done_[transfer]; }
  // Not counted from the start.

  /// When its injection channel was free again; -1: not yet.
  Cycle sent_at(std::size_t transfer) const { return sent_[transfer]; }
  /// When its overheads began, if they did.
  const OverheadStart& send_of(std::size_t transfer) const { return sends_[transfer]; }
  const OverheadStart& receive_of(std::size_t transfer) const { return receives_[transfer]; }
  /// When the node's part of the collective began.
  Cycle begin_of(NodeId node) const {
    const auto held = begins_.find(node.value());
    return held == begins_.end() ? start : held->second;
  }
  /// The cycle in which the last transfer so far was done.
  Cycle last() const { return last_; }
  std::int64_t delivered() const { return delivered_; }
  std::int64_t expected() const { return static_cast<std::int64_t>(done_.size()); }
  /// Whether there are transfers, and all are done.
  bool complete() const { return expected() > 0 && delivered_ == expected(); }

  /// Adds the collective's latency, from when the first of its nodes begins: the mean over all
  /// deliveries to a destination, the maximum over all transfers, and a table of transfers with the
  /// model's time of each without contention.
  ///
  /// For deliveries with release times of their own the table has the first `most_rows` transfers.
  /// Row i is transfer i; its column `after` has the transfer that was done last of those whose
  /// data it needs.
  void report(const Schedule& schedule, const Topology& topology, Duration period,
              const MessageModel& model, Results& results) const;

  /// When each destination had each delivery whole, in cycles from the start; -1: never. Data that
  /// a node has without a transfer are complete from the start. Needs: no more transfers will be
  /// done.
  /// Shape: [deliveries' destinations]
  std::vector<Cycle> completions(const Schedule& schedule) const;

 private:
  static constexpr std::size_t most_rows = 20'000;

  Cycle begin_of(const Schedule& schedule) const;
  Cycle completion(const PieceHistory* history, Cycle before) const;
  std::string awaited_by(const Transfer& transfer) const;
  Table table(const Schedule& schedule, const Topology& topology, Duration period,
              const MessageModel& model, std::size_t rows) const;

  std::vector<Cycle> ready_;
  std::vector<Cycle> done_;
  std::vector<OverheadStart> sends_;
  std::vector<OverheadStart> receives_;
  std::vector<Cycle> sent_;
  std::map<int, Cycle> begins_;  // of parts that were held, by node
  std::function<void()> all_done_;
  ArrayMemory* memory_;
  Cycle last_ = 0;
  std::int64_t delivered_ = 0;
};

}  // namespace flitwave
