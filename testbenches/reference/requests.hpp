// testbenches/reference/requests.hpp: the processors under closed-loop load: requests and replies.
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
/// A node's software runs at its events, before its interface. It receives a message one cycle
/// after the message's last flit.
class RequestSoftware {
 public:
  RequestSoftware(const Params& params, const Window& window);

  bool due(Index node, Cycle now) const {
    const auto& events = nodes_[node].events;
    return !events.empty() && events.begin()->first == now;
  }
  /// Executes the events of a node. Appends the packets that it creates, and the local ports whose
  /// messages it has received.
  void run(Index node, Cycle now, std::vector<Waiting>& made, std::vector<Index>& received);
  /// A message's tail was taken at a node.
  void arrived(Index node, Index local, const Waiting& message, Index source, Cycle now);
  /// Creates nothing from now on.
  void stop() { stopped_ = true; }

  std::int64_t tagged() const { return tagged_; }      ///< Requests created in the window so far.
  std::int64_t answered() const { return answered_; }  ///< Of these, those with a reply.
  Cycle last_answered() const { return last_answered_; }  ///< Cycle of the last such reply.
  const Sample& round_trips() const { return round_trips_; }
  std::int64_t replies_in_window() const { return replies_in_window_; }

 private:
  enum class Event { software, service };
  struct Message {
    Index source = 0;
    Index local = 0;
    bool reply = false;
    Index slot = 0;  // slot of the request in its window
    Cycle at = 0;    // tail's arrival; later, end of the overhead
  };
  struct Service {
    Index to = 0;
    Index slot = 0;
    Cycle until = 0;
  };
  struct Node {
    std::map<Cycle, std::vector<Event>> events;  // in the order of creation
    std::deque<Message> received;                // overhead not begun
    std::multimap<Cycle, Message> working;       // by the end of their overhead
    std::deque<Service> services;
    std::vector<Cycle> created;  // of the open requests, by slot
    Cycle busy_until = 0;
    Random destinations{0, ""};
  };

  void begin_overheads();
  void receive(const Message& message);
  void request(Index slot);
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
  // Of the current node.
  Index node_ = 0;
  Cycle now_ = 0;
  std::vector<Waiting>* made_ = nullptr;
  std::vector<Index>* received_ = nullptr;
};

}  // namespace flitwave::reference
