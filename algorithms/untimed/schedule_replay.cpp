// algorithms/untimed/schedule_replay.cpp: see schedule_replay.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/schedule_replay.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

namespace {

/// A node, and the time until which it is busy. Unit: us
struct Place {
  std::vector<std::size_t> sends;  ///< In the order in which they are issued.
  std::size_t next = 0;            ///< Index of the next send.
  bool queued = false;             ///< Whether the next send is among the events.
  double processor = 0;
  double may_send = 0;
  double receipt = 0;  ///< When the last receive began.
  bool received = false;
};

class Replay {
 public:
  Replay(const Schedule& schedule, const ReplayModel& model)
      : transfers_(schedule.transfers()),
        model_(model),
        waits_for_(transfers_.size(), 0),
        ready_(transfers_.size(), 0),
        feeds_(transfers_.size()),
        copies_(transfers_.size()),
        stages_(transfers_.size(), 0),
        open_in_stage_(1, 0) {
    const bool has_barriers = schedule.has_barriers();
    if (has_barriers) open_in_stage_.resize(index(schedule.stages()) + 2, 0);
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
      times_.push_back(model.times(transfers_[i].size));
      const auto original = index(std::max(0, transfers_[i].copy_of));
      if (transfers_[i].copy_of < 0)
        places_[transfers_[i].from].sends.push_back(i);
      else
        copies_[original].push_back(i);
      if (has_barriers) stages_[i] = index(schedule.stage_of(transfers_[i]));
      ++open_in_stage_[stages_[i]];
    }
    for (std::size_t i = 0; i < transfers_.size(); ++i)
      for (int earlier : transfers_[i].after) {
        feeds_[index(earlier)].push_back(i);
        ++waits_for_[i];
      }
  }

  double run() {
    open_stage();
    while (!events_.empty()) {
      const auto [time, send, transfer] = events_.top();
      events_.pop();
      if (send)
        begin_send(time, transfer);
      else
        begin_receipt(time, transfer);
    }
    if (done_ != transfers_.size())
      throw ModelError(fmt::format("{} of {} transfers can never start", transfers_.size() - done_,
                                   transfers_.size()));
    return end_;
  }

 private:
  using Event = std::tuple<double, bool, std::size_t>;  ///< Time, is a send, transfer.

  /// Adds the node's next send to the events, if it is ready.
  void queue_send(Place& place, double now) {
    if (place.queued || place.next == place.sends.size()) return;
    const std::size_t transfer = place.sends[place.next];
    if (waits_for_[transfer] > 0) return;
    if (stages_[transfer] > open_stage_) return;
    place.queued = true;
    events_.emplace(std::max({now, ready_[transfer], place.may_send, place.processor}), true,
                    transfer);
  }

  void begin_send(double now, std::size_t transfer) {
    Place& place = places_[transfers_[transfer].from];
    if (model_.one_processor && place.processor > now) {
      events_.emplace(place.processor, true, transfer);  // a receive was first
      return;
    }
    const MessageTimes& times = times_[transfer];
    if (model_.one_processor) place.processor = now + times.send;
    place.may_send = now + times.send_gap;
    events_.emplace(now + times.flight, false, transfer);
    for (std::size_t copy : copies_[transfer]) events_.emplace(now + times.flight, false, copy);
    ++place.next;
    place.queued = false;
    queue_send(place, now);
  }

  void begin_receipt(double now, std::size_t transfer) {
    Place& place = places_[transfers_[transfer].to];
    const MessageTimes& times = times_[transfer];
    double begin = now;
    if (place.received) begin = std::max(begin, place.receipt + times.receive_gap);
    if (model_.one_processor) begin = std::max(begin, place.processor);
    if (begin > now) {
      events_.emplace(begin, false, transfer);
      return;
    }
    place.received = true;
    place.receipt = now;
    const double end = now + times.receive;
    if (model_.one_processor) place.processor = end;
    complete(transfer, end);
  }

  void complete(std::size_t transfer, double now) {
    ++done_;
    end_ = std::max(end_, now);
    for (std::size_t fed : feeds_[transfer]) {
      ready_[fed] = std::max(ready_[fed], now);
      if (--waits_for_[fed] == 0) queue_send(places_[transfers_[fed].from], now);
    }
    if (--open_in_stage_[stages_[transfer]] == 0) open_stage();
  }

  /// Begins the first stage that has transfers left, when all before it are complete.
  void open_stage() {
    while (open_stage_ + 1 < open_in_stage_.size() && open_in_stage_[open_stage_] == 0)
      ++open_stage_;
    for (auto& [node, place] : places_) queue_send(place, end_);
  }

  const std::vector<Transfer>& transfers_;
  const ReplayModel& model_;
  std::vector<MessageTimes> times_;               ///< For each transfer.
  std::vector<int> waits_for_;                    ///< Transfers before each that are not complete.
  std::vector<double> ready_;                     ///< When the last of them was complete.
  std::vector<std::vector<std::size_t>> feeds_;   ///< Transfers that wait for each.
  std::vector<std::vector<std::size_t>> copies_;  ///< Copies that the network makes of each.
  std::vector<std::size_t> stages_;               ///< Stage of each transfer; 0 without barriers.
  std::vector<int> open_in_stage_;                ///< Transfers not complete. Shape: [stage]
  std::size_t open_stage_ = 0;
  std::map<NodeId, Place> places_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::size_t done_ = 0;
  double end_ = 0;
};

}  // namespace

double replay(const Schedule& schedule, const ReplayModel& model) {
  return Replay(schedule, model).run();
}

}  // namespace flitwave
