// algorithms/pace.cpp: see pace.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/pace.hpp"

#include <algorithm>
#include <utility>

#include "configs/error.hpp"

namespace flitwave {

namespace {

/// The nodes that send or receive, ascending.
std::vector<NodeId> participants_of(const Schedule& schedule) {
  std::vector<NodeId> nodes;
  for (const Transfer& transfer : schedule.transfers()) {
    nodes.push_back(transfer.from);
    nodes.push_back(transfer.to);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

/// The transfers of each step that has any, in their order. Shape: [steps that send]
std::vector<std::vector<int>> by_step(const Schedule& schedule) {
  std::vector<std::vector<int>> steps(index(schedule.steps()));
  for (std::size_t i = 0; i < schedule.transfers().size(); ++i)
    steps[index(schedule.transfers()[i].step) - 1].push_back(static_cast<int>(i));
  steps.erase(std::remove_if(steps.begin(), steps.end(), [](const auto& s) { return s.empty(); }),
              steps.end());
  return steps;
}

/// Copies a schedule, step by step, with barriers between.
class BarrierWriter {
 public:
  explicit BarrierWriter(const Schedule& plain)
      : plain_(plain),
        nodes_(participants_of(plain)),
        steps_(by_step(plain)),
        copies_(plain.transfers().size(), -1),
        received_(nodes_.size()),
        before_(nodes_.size()),
        paced_(demand()) {
    for (std::size_t i = 0; i < plain.demand().deliveries.size(); ++i) split(static_cast<int>(i));
    paced_.keep_remarks(plain);
    paced_.set_lengths({});  // without the barriers
  }

  Schedule write() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      ++step_;
      for (int number : steps_[i]) copy(number);
      if (i + 1 < steps_.size()) add_barrier(static_cast<int>(i));
    }
    paced_.set_barrier_steps(static_cast<int>(steps_.size() - 1) * rounds());
    return std::move(paced_);
  }

 private:
  int participants() const { return static_cast<int>(nodes_.size()); }
  int rounds() const {
    int rounds = 0;
    while ((1 << rounds) < participants()) ++rounds;
    return rounds;
  }
  std::size_t partner(std::size_t place, int round) const {
    return (place + (std::size_t{1} << round)) % nodes_.size();
  }
  std::size_t place_of(NodeId node) const {
    return index(std::lower_bound(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
  }

  /// The schedule's deliveries, and one for each signal: by barrier, round and sender.
  Demand demand() const {
    Demand demand = plain_.demand();
    for (std::size_t barrier = 0; barrier + 1 < steps_.size(); ++barrier)
      for (int round = 0; round < rounds(); ++round)
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
          Delivery signal(nodes_[i], {nodes_[partner(i, round)]}, Bytes{0});
          signal.is_barrier = true;
          demand.deliveries.push_back(std::move(signal));
        }
    return demand;
  }

  void split(int delivery) {
    const int first = plain_.piece(delivery, 0);
    int parts = 0;
    while (first + parts < static_cast<int>(plain_.pieces().size()) &&
           plain_.pieces()[index(first + parts)].delivery == delivery)
      ++parts;
    if (parts > 1) paced_.split(delivery, parts);
  }

  void copy(int number) {
    const Transfer& transfer = plain_.transfer(number);
    Transfer& sent =
        transfer.own ? paced_.send(transfer.pieces, transfer.from, transfer.to, step_, transfer.use)
                     : paced_.send_received(transfer.pieces, transfer.from, transfer.to, step_,
                                            transfer.use);
    sent.addresses = transfer.addresses;
    sent.direction = transfer.direction;
    sent.phase = transfer.phase;
    for (int before : transfer.after) paced_.wait_for(copies_[index(before)]);
    for (int receipt : before_[place_of(transfer.from)]) paced_.wait_for(receipt);
    copies_[index(number)] = last();
    received_[place_of(transfer.to)].push_back(last());
  }

  void add_barrier(int barrier) {
    const std::vector<std::vector<int>> before = std::move(before_);
    for (int round = 0; round < rounds(); ++round) {
      ++step_;
      std::vector<int> signals(nodes_.size());
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const std::size_t to = partner(i, round);
        const int delivery = static_cast<int>(plain_.demand().deliveries.size()) +
                             (barrier * rounds() + round) * participants() + static_cast<int>(i);
        paced_.send(paced_.piece(delivery, 0), nodes_[i], nodes_[to], step_);
        for (int receipt : before[i]) paced_.wait_for(receipt);
        for (int receipt : received_[i]) paced_.wait_for(receipt);
        signals[to] = last();
      }
      for (std::size_t i = 0; i < nodes_.size(); ++i) received_[i].push_back(signals[i]);
    }
    before_ = std::move(received_);
    received_.assign(nodes_.size(), {});
  }

  /// The transfer appended last.
  int last() const { return static_cast<int>(paced_.transfers().size()) - 1; }

  const Schedule& plain_;
  std::vector<NodeId> nodes_;
  std::vector<std::vector<int>> steps_;
  std::vector<int> copies_;                 // the copy of each transfer; -1: not yet
  std::vector<std::vector<int>> received_;  // by each node, since the last barrier began
  std::vector<std::vector<int>> before_;    // transfers that each node needs before its next step
  Schedule paced_;
  int step_ = 0;
};

}  // namespace

Schedule with_message_barriers(const Schedule& schedule) {
  if (schedule.copies())
    throw ConfigError("barrier",
                      "a barrier of messages is not possible for messages that the network copies",
                      "use barrier: ideal, or pace: dataflow");
  if (schedule.demand().released())
    throw ConfigError("pace", "deliveries with release times of their own share no steps",
                      "use pace: dataflow");
  if (schedule.transfers().empty()) return schedule;
  return BarrierWriter(schedule).write();
}

}  // namespace flitwave
