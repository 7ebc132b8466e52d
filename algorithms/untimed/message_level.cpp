// algorithms/untimed/message_level.cpp: see message_level.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/message_level.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "algorithms/reservation/reservations.hpp"
#include "configs/error.hpp"

namespace flitwave {

/// One run, event by event; those of one cycle in the order in which they were scheduled, except
/// for ports, which choose among all messages that arrive at them in a cycle.
class MessageLevel::Walk final : private WormDriver {
 public:
  explicit Walk(const MessageLevel& model)
      : model_(model),
        params_(model.params_),
        missing_(model.messages_.size()),
        times_(model.messages_.size()),
        ports_(static_cast<std::size_t>(model.nodes_)),
        reservations_(params_.release, channels_of(model), pools_of(model), *this) {
    for (Port& port : ports_) port.free = params_.ports;
  }

  std::vector<LevelTimes> run() {
    for (std::size_t i = 0; i < times_.size(); ++i) {
      const LevelMessage& sent = model_.messages_[i];
      missing_[i] = sent.after.size() + 1;
      Stage& stage = stages_[sent.stage];
      stage.waiting.push_back(static_cast<int>(i));
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
  enum class Step { ready, queue, inject, worm, port, receive, serve, network };
  struct Event {
    Cycle at;
    std::int64_t order;
    Step step;
    int message;  // for `serve` and `port`, one that the node sends; none for `worm` and `network`
    WormEvent worm;
  };
  struct Later {
    /// Of a cycle, ports and then the network are the last.
    static auto key(const Event& event) {
      const int last = event.step == Step::network ? 2 : event.step == Step::serve ? 1 : 0;
      return std::tuple(event.at, last, event.order);
    }
    bool operator()(const Event& a, const Event& b) const { return key(a) > key(b); }
  };
  struct Port {
    int free = 1;
    std::vector<int> waiting;  // messages, in the order of their arrival
  };
  struct Stage {
    std::vector<int> waiting;  // messages
    int left = 0;              // number of these that have not arrived yet
  };

  /// The numbers of routes, then the ejection channels of each node.
  static std::vector<ReservedChannel> channels_of(const MessageLevel& model) {
    if (model.params_.release == Release::with_tail) return model.params_.channels;
    std::vector<ReservedChannel> channels;
    for (int capacity : model.capacities_) {
      channels.emplace_back();
      channels.back().times.crossing = model.params_.hop;
      channels.back().vcs = capacity;
    }
    ReservedChannel ejection;
    ejection.vcs = model.params_.ports;
    ejection.last = true;
    channels.insert(channels.end(), static_cast<std::size_t>(model.nodes_), ejection);
    return channels;
  }

  /// All virtual channels of a channel.
  static std::vector<ChannelPool> pools_of(const MessageLevel& model) {
    if (model.params_.release == Release::with_tail) return model.params_.pools;
    std::vector<ChannelPool> pools;
    for (const ReservedChannel& channel : channels_of(model))
      pools.push_back({static_cast<int>(pools.size()), {0, channel.vcs}});
    return pools;
  }

  const LevelMessage& message(int number) const {
    return model_.messages_[static_cast<std::size_t>(number)];
  }
  LevelTimes& times(int number) { return times_[static_cast<std::size_t>(number)]; }
  int message_of(int worm) const { return message_of_[static_cast<std::size_t>(worm)]; }

  void foresee(Cycle at, Step step, int message) {
    events_.push({at, foreseen_++, step, message, {}});
  }

  void take(const Event& event) {
    switch (event.step) {
      case Step::ready:
        times(event.message).ready = now_;
        if (params_.startup != StartUp::overlapped) return wait_for_port(event.message);
        return foresee(now_ + params_.send, Step::queue, event.message);
      case Step::queue:
        return wait_for_port(event.message);
      case Step::inject:
        return inject(event.message);
      case Step::worm:
        return reservations_.take_place(event.worm, now_);
      case Step::port:
        return free_port(event.message);
      case Step::receive:
        return receive(event.message);
      case Step::serve:
        return serve(ports_[message(event.message).from.index()]);
      case Step::network:
        return run_network();
    }
  }

  void wait_for_port(int number) {
    ports_[message(number).from.index()].waiting.push_back(number);
    foresee(now_, Step::serve, number);
  }

  void free_port(int number) {
    ++ports_[message(number).from.index()].free;
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
      const Cycle hand_over = params_.release == Release::with_tail ? 1 : 0;
      foresee(now_ + startup + hand_over, Step::inject, chosen);
    }
  }

  void inject(int number) {
    times(number).injected = now_;
    if (params_.release == Release::with_path) return begin(number);
    begun_.push_back(number);
    wake(now_);
  }

  void begin(int number) {
    const Cycle hold = params_.startup == StartUp::path_held ? params_.send : -1;
    const int worm = reservations_.add(message(number).length, hold);
    message_of_.resize(std::max(message_of_.size(), static_cast<std::size_t>(worm) + 1));
    message_of_[static_cast<std::size_t>(worm)] = number;
    reservations_.begin(worm, now_);
  }

  /// Release::with_tail: messages begin in the order of nodes, after what else takes place.
  void run_network() {
    reservations_.run(now_);
    std::sort(begun_.begin(), begun_.end(),
              [this](int a, int b) { return message(a).from < message(b).from; });
    for (int number : std::exchange(begun_, {})) begin(number);
    reservations_.run(now_);
  }

  void at(Cycle cycle, const WormEvent& event) override {
    events_.push({cycle, foreseen_++, Step::worm, -1, event});
  }

  void wake(Cycle cycle) override { foresee(cycle, Step::network, -1); }

  void add_route(int worm, std::vector<int>& pools) override {
    const LevelMessage& sent = message(message_of(worm));
    pools = sent.route;
    if (params_.release == Release::with_tail) return;
    pools.push_back(static_cast<int>(model_.capacities_.size()) + sent.to.value());
  }

  void add_choices(int, std::vector<int>&) override {}

  void crosses(int worm) override {
    if (params_.release == Release::with_path)
      times(message_of(worm)).blocked += reservations_.waited(worm);
  }

  /// With one overhead after the other, the next begins when the port is free; otherwise the next
  /// message is handed over then.
  void departs(int worm) override {
    const Cycle later = params_.startup == StartUp::serialized ? 1 : 0;
    foresee(now_ + later, Step::port, message_of(worm));
  }

  /// The receiver takes its last flit.
  void finishes(int worm) override {
    const int number = message_of(worm);
    foresee(now_ + params_.receive, Step::receive, number);
    if (params_.release == Release::with_path) return free_port(number);
    times(number).blocked = blocked(worm);
  }

  /// The time of a worm's head beyond that of channels and stages.
  Cycle blocked(int worm) const {
    Cycle spent = 0;
    Cycle due = times_[static_cast<std::size_t>(message_of(worm))].injected;
    reservations_.for_each_channel(worm, [&](int channel, Cycle head, Cycle) {
      const ChannelTimes& times = params_.channels[static_cast<std::size_t>(channel)].times;
      spent += head - due;
      due = head + times.crossing + times.decision + times.passage;
    });
    return spent;
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
    if (--missing_[static_cast<std::size_t>(number)] == 0)
      foresee(std::max(from, message(number).release), Step::ready, number);
  }

  /// The first remaining stage, if any, begins.
  void open_stage(Cycle begin) {
    if (stages_.empty()) return;
    for (int number : stages_.begin()->second.waiting) pass(number, begin);
  }

  const MessageLevel& model_;
  const MessageLevelParams& params_;
  std::vector<std::size_t> missing_;  // of each message: preceding ones, and its stage
  std::vector<LevelTimes> times_;
  std::vector<Port> ports_;      // injection channels. Shape: [nodes]
  std::map<int, Stage> stages_;  // incomplete stages
  std::priority_queue<Event, std::vector<Event>, Later> events_;
  Cycle now_ = 0;
  std::int64_t foreseen_ = 0;
  std::vector<int> message_of_;  // by the number of the worm
  std::vector<int> begun_;       // messages whose heads depart in this cycle, if they can
  Reservations reservations_;
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
