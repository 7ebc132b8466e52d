// testbenches/reference/requests.hpp: software that makes requests and replies to those of others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "configs/random.hpp"
#include "testbenches/reference/field.hpp"
#include "testbenches/reference/waiting.hpp"
#include "testbenches/reference/window.hpp"

namespace flitwave::reference {

/// The software of all nodes under closed-loop load; docs/timing.md, "Requests and replies".
///
/// A node's software runs when it is due, before its interface's turn. A message that ends in a
/// cycle is known to it in the next.
class RequestSoftware {
 public:
  RequestSoftware(const Params& params, const Window& window);

  bool due(Index node, Cycle now) const {
    const auto& dates = nodes_[node].dates;
    return !dates.empty() && dates.begin()->first == now;
  }
  /// Does what is due at a node. Appends the packets that it makes, and the local ports whose
  /// messages it has received.
  void run(Index node, Cycle now, std::vector<Waiting>& made, std::vector<Index>& received);
  /// A message's tail was taken at a node.
  void arrived(Index node, Index local, const Waiting& message, Index source, Cycle now);
  /// Nothing more is made.
  void stop() { stopped_ = true; }

  std::int64_t tagged() const { return tagged_; }         ///< Requests made in the window so far.
  std::int64_t answered() const { return answered_; }     ///< Of these, those whose reply is known.
  Cycle last_answered() const { return last_answered_; }  ///< When the last of them was.
  const Sample& round_trips() const { return round_trips_; }
  std::int64_t replies_in_window() const { return replies_in_window_; }

 private:
  enum class Date { software, service };
  struct Message {
    Index source = 0;
    Index local = 0;
    bool reply = false;
    Index place = 0;  // of the request in its window
    Cycle at = 0;     // when its tail was taken; later, when its overhead is over
  };
  struct Service {
    Index to = 0;
    Index place = 0;
    Cycle until = 0;
  };
  struct Node {
    std::map<Cycle, std::vector<Date>> dates;  // in the order in which they were made
    std::deque<Message> known;                 // whose overhead has not begun
    std::multimap<Cycle, Message> working;     // by the end of their overhead
    std::deque<Service> services;
    std::vector<Cycle> created;  // of the open requests, by place
    Cycle busy_until = 0;
    Random destinations{0, ""};
  };

  void begin_overheads();
  void receive(const Message& message);
  void request(Index place);
  void reply(const Service& service);

  const Params& params_;
  const Window& window_;
  Field<Node> nodes_;
  bool stopped_ = false;
  std::int64_t tagged_ = 0;
  std::int64_t answered_ = 0;
  std::int64_t replies_in_window_ = 0;
  Cycle last_answered_ = 0;
  Sample round_trips_;
  // Of the node in turn.
  Index node_ = 0;
  Cycle now_ = 0;
  std::vector<Waiting>* made_ = nullptr;
  std::vector<Index>* received_ = nullptr;
};

}  // namespace flitwave::reference
