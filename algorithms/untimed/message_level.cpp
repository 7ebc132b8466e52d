// algorithms/untimed/message_level.cpp: see message_level.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/message_level.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "configs/error.hpp"

namespace flitwave {

/// One run, event by event; those of one cycle in the order in which they were scheduled, except
/// for ports, which choose among all messages that arrive at them in a cycle.
class MessageLevel::Walk {
 public:
  explicit Walk(const MessageLevel& model)
      : model_(model),
        params_(model.params_),
        worms_(model.messages_.size()),
        times_(model.messages_.size()),
        ports_(static_cast<std::size_t>(model.nodes_)) {
    for (int capacity : model.capacities_) resources_.push_back({capacity, {}});
    for (int node = 0; node < model.nodes_; ++node) resources_.push_back({params_.ports, {}});
    for (Port& port : ports_) port.free = params_.ports;
  }

  std::vector<LevelTimes> run() {
    for (std::size_t i = 0; i < worms_.size(); ++i) {
      const LevelMessage& sent = model_.messages_[i];
      worms_[i].missing = sent.after.size() + 1;
      Stage& stage = stages_[sent.stage];
      stage.waiting.push_back(number(i));
      ++stage.left;
    }
    open_stage(0);
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      take(event);
    }
    return std::move(times_);
  }

 private:
  enum class Step { ready, queue, inject, advance, finish, receive, serve };
  struct Event {
    Cycle at;
    std::int64_t order;
    Step step;
    int message;  // for `serve`, one that the node sends
  };
  struct Later {
    static auto key(const Event& event) {
      return std::tuple(event.at, event.step == Step::serve, event.order);
    }
    bool operator()(const Event& a, const Event& b) const { return key(a) > key(b); }
  };
  struct Resource {
    int free;
    std::deque<int> waiting;  // messages
  };
  struct Port {
    int free = 1;
    std::vector<int> waiting;  // messages, in the order of their arrival
  };
  struct Stage {
    std::vector<int> waiting;  // messages
    int left = 0;              // number of these that have not arrived yet
  };
  struct Worm {
    std::size_t missing = 0;  // preceding messages that have not arrived, and its stage
    std::size_t held = 0;    // channels held of its route, then of its receiver's ejection channels
    Cycle requested_at = 0;  // when it requested the next
  };

  static int number(std::size_t index) { return static_cast<int>(index); }
  const LevelMessage& message(int number) const {
    return model_.messages_[static_cast<std::size_t>(number)];
  }
  Worm& worm(int number) { return worms_[static_cast<std::size_t>(number)]; }
  LevelTimes& times(int number) { return times_[static_cast<std::size_t>(number)]; }

  void foresee(Cycle at, Step step, int message) { events_.push({at, foreseen_++, step, message}); }

  void take(const Event& event) {
    switch (event.step) {
      case Step::ready:
        times(event.message).ready = now_;
        if (params_.startup != StartUp::overlapped) return wait_for_port(event.message);
        return foresee(now_ + params_.send, Step::queue, event.message);
      case Step::queue:
        return wait_for_port(event.message);
      case Step::inject:
        times(event.message).injected = now_;
        return request(event.message);
      case Step::advance:
        return request(event.message);
      case Step::finish:
        return finish(event.message);
      case Step::receive:
        return receive(event.message);
      case Step::serve:
        return serve(ports_[message(event.message).from.index()]);
    }
  }

  void wait_for_port(int number) {
    ports_[message(number).from.index()].waiting.push_back(number);
    foresee(now_, Step::serve, number);
  }

  void serve(Port& port) {
    while (port.free > 0 && !port.waiting.empty()) {
      const auto next = next_in_queue(port.waiting.begin(), port.waiting.end(), params_.queue,
                                      [this](int waiting) { return message(waiting).rank; });
      const int chosen = *next;
      port.waiting.erase(next);
      --port.free;
      const Cycle startup = params_.startup == StartUp::serialized ? params_.send : 0;
      foresee(now_ + startup, Step::inject, chosen);
    }
  }

  Resource& next_of(int number) {
    const LevelMessage& sent = message(number);
    const std::size_t held = worm(number).held;
    return resources_[held < sent.route.size() ? static_cast<std::size_t>(sent.route[held])
                                               : model_.capacities_.size() + sent.to.index()];
  }

  void request(int number) {
    worm(number).requested_at = now_;
    Resource& wanted = next_of(number);
    if (wanted.free == 0) return wanted.waiting.push_back(number);
    --wanted.free;
    got(number);
  }

  /// The message is granted its request.
  void got(int number) {
    Worm& worm = this->worm(number);
    times(number).blocked += now_ - worm.requested_at;
    const bool whole = worm.held++ == message(number).route.size();
    if (!whole) return foresee(now_ + params_.hop, Step::advance, number);
    const Cycle startup = params_.startup == StartUp::path_held ? params_.send : 0;
    foresee(now_ + startup + message(number).length, Step::finish, number);
  }

  void release(Resource& resource) {
    ++resource.free;
    if (resource.waiting.empty()) return;
    const int next = resource.waiting.front();
    resource.waiting.pop_front();
    --resource.free;
    got(next);
  }

  /// The receiver takes its last flit.
  void finish(int number) {
    foresee(now_ + params_.receive, Step::receive, number);
    const LevelMessage& sent = message(number);
    for (int part : sent.route) release(resources_[static_cast<std::size_t>(part)]);
    release(resources_[model_.capacities_.size() + sent.to.index()]);
    ++ports_[sent.from.index()].free;
    foresee(now_, Step::serve, number);
  }

  void receive(int number) {
    times(number).done = now_;
    for (int next : model_.followers_[static_cast<std::size_t>(number)]) pass(next, now_);
    const auto stage = stages_.find(message(number).stage);
    if (--stage->second.left > 0) return;
    stages_.erase(stage);
    open_stage(now_ + params_.barrier);
  }

  /// One condition fewer that a message waits for, from a cycle on.
  void pass(int number, Cycle from) {
    if (--worm(number).missing == 0)
      foresee(std::max(from, message(number).release), Step::ready, number);
  }

  /// The first remaining stage, if any, begins.
  void open_stage(Cycle begin) {
    if (stages_.empty()) return;
    for (int number : stages_.begin()->second.waiting) pass(number, begin);
  }

  const MessageLevel& model_;
  const MessageLevelParams& params_;
  std::vector<Worm> worms_;
  std::vector<LevelTimes> times_;
  std::vector<Resource> resources_;  // channels of routes, then the ejection channels of each node
  std::vector<Port> ports_;          // injection channels. Shape: [nodes]
  std::map<int, Stage> stages_;      // incomplete stages
  std::priority_queue<Event, std::vector<Event>, Later> events_;
  Cycle now_ = 0;
  std::int64_t foreseen_ = 0;
};

MessageLevel::MessageLevel(std::vector<LevelMessage> messages, int nodes,
                           std::vector<int> capacities, const MessageLevelParams& params)
    : messages_(std::move(messages)),
      followers_(messages_.size()),
      nodes_(nodes),
      capacities_(std::move(capacities)),
      params_(params) {
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    if (messages_[i].length < 1) throw ModelError("a message without a flit");
    for (int before : messages_[i].after) {
      if (before < 0 || static_cast<std::size_t>(before) >= i)
        throw ModelError("a message depends on a later one");
      followers_[static_cast<std::size_t>(before)].push_back(static_cast<int>(i));
    }
  }
}

std::vector<LevelTimes> MessageLevel::run() const { return Walk(*this).run(); }

}  // namespace flitwave
