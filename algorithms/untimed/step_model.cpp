// algorithms/untimed/step_model.cpp: see step_model.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/step_model.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

/// One run.
class StepModel::Walk {
 public:
  explicit Walk(const StepModel& model)
      : model_(model),
        is_held_(index(model.channels_), 0),
        got_(model.messages_.size(), 0),
        missing_(model.messages_.size(), 0),
        next_(model.queues_.size(), 0),
        under_way_(model.queues_.size(), 0),
        left_(model.messages_.size()) {
    run_.begins.assign(model.messages_.size(), 0);
    for (std::size_t i = 0; i < missing_.size(); ++i)
      missing_[i] = static_cast<int>(model.messages_[i].after.size());
  }

  StepRun run(const ServiceOrder& order) {
    while (left_ > 0) {
      // The state does not change before a connection ends.
      const bool waits = !offered_ && !moved_ && !over_.empty();
      step_ = waits ? over_.front().first + 1 : step_ + 1;
      release();
      offer();
      if (left_ == 0) break;
      std::sort(waiting_.begin(), waiting_.end());
      order(waiting_);
      serve();
      if (over_.empty() && !offered_ && !moved_) {
        run_.deadlocked = waiting_;
        break;
      }
    }
    return std::move(run_);
  }

 private:
  const StepMessage& message(int number) const { return model_.messages_[index(number)]; }

  void release() {
    if (over_.empty() || over_.front().first >= step_) return;
    std::vector<std::pair<int, int>> on;
    for (const auto& [last, number] : over_) {
      if (last >= step_) {
        on.emplace_back(last, number);
        continue;
      }
      for (ChannelId channel : message(number).route) is_held_[channel.index()] = 0;
      end(number);
    }
    over_.swap(on);
  }

  /// A message has ended: its sender may offer another, and its dependants may be offered.
  void end(int number) {
    --under_way_[message(number).from.index()];
    --left_;
    for (int follower : model_.followers_[index(number)]) --missing_[index(follower)];
  }

  void offer() {
    offered_ = false;
    // A message that needs no network may release others in the same step.
    for (bool again = true; again;) {
      again = false;
      for (std::size_t node = 0; node < next_.size(); ++node) again |= offer_of(node);
    }
  }

  /// Returns: whether a message needed no network, and so has ended.
  bool offer_of(std::size_t node) {
    const std::vector<int>& queue = model_.queues_[node];
    bool ended = false;
    while (next_[node] < queue.size() && under_way_[node] < model_.ports_ &&
           missing_[index(queue[next_[node]])] == 0) {
      const int number = queue[next_[node]++];
      ++under_way_[node];
      offered_ = true;
      if (!message(number).route.empty()) {
        waiting_.push_back(number);
        continue;
      }
      end(number);
      ended = true;
    }
    return ended;
  }

  void serve() {
    std::size_t kept = 0;
    moved_ = false;
    for (int number : waiting_)
      if (!advance(number)) waiting_[kept++] = number;
    waiting_.resize(kept);
    std::sort(over_.begin(), over_.end());
  }

  bool advance(int number) {
    const StepMessage& served = message(number);
    std::size_t& got = got_[index(number)];
    for (; got < served.route.size(); ++got) {
      char& is_held = is_held_[served.route[got].index()];
      if (is_held != 0) return false;
      is_held = 1;
      moved_ = true;
    }
    run_.begins[index(number)] = step_;
    const int last = step_ + served.duration - 1;
    run_.steps = std::max(run_.steps, last);
    over_.emplace_back(last, number);
    return true;
  }

  const StepModel& model_;
  std::vector<char> is_held_;              // by channel
  std::vector<std::size_t> got_;           // channels that each message has
  std::vector<int> missing_;               // messages of `after` that have not ended yet
  std::vector<std::size_t> next_;          // by node, index into its queue
  std::vector<int> under_way_;             // by node
  std::vector<int> waiting_;               // offered, without their whole route
  std::vector<std::pair<int, int>> over_;  // last step, number; those with their whole route
  std::size_t left_;
  int step_ = 0;
  bool offered_ = false;
  bool moved_ = false;
  StepRun run_;
};

StepModel::StepModel(std::vector<StepMessage> messages, int nodes, int channels, int ports)
    : messages_(std::move(messages)),
      queues_(index(nodes)),
      followers_(messages_.size()),
      channels_(channels),
      ports_(ports) {
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    const int number = static_cast<int>(i);
    if (messages_[i].duration < 1)
      throw ModelError(fmt::format("message {} of the step model lasts no step", number));
    queues_[messages_[i].from.index()].push_back(number);
    for (int before : messages_[i].after) {
      if (before < 0 || before >= number)
        throw ModelError(
            fmt::format("message {} of the step model depends on {}, which is not "
                        "before it",
                        number, before));
      followers_[index(before)].push_back(number);
    }
  }
}

StepRun StepModel::run(const ServiceOrder& order) const { return Walk(*this).run(order); }

}  // namespace flitwave
