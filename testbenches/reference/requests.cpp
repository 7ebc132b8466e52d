// testbenches/reference/requests.cpp: see requests.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/requests.hpp"

#include <algorithm>

namespace flitwave::reference {

RequestSoftware::RequestSoftware(const Params& params, const Window& window)
    : params_(params), window_(window), nodes_(params.topology->nodes(), Node()) {
  for (Index node = 0; node < nodes_.size(); ++node) {
    nodes_[node].destinations =
        Random(params.seed, "destination", static_cast<std::uint64_t>(node));
    nodes_[node].created.resize(static_cast<std::size_t>(params.requests->window), -1);
    nodes_[node].events[first_cycle].push_back(Event::software);
  }
}

void RequestSoftware::arrived(Index node, Index local, const Waiting& message, Index source,
                              Cycle now) {
  nodes_[node].received.push_back({source, local, message.reply, message.slot, now});
  nodes_[node].events[now + 1].push_back(Event::software);
}

void RequestSoftware::run(Index node, Cycle now, std::vector<Waiting>& made,
                          std::vector<Index>& received) {
  node_ = node;
  now_ = now;
  made_ = &made;
  received_ = &received;
  Node& own = nodes_[node];
  if (now == first_cycle)
    for (Index slot = 0; slot < params_.requests->window; ++slot) request(slot);
  const std::vector<Event> events = own.events.begin()->second;
  for (const Event event : events) {
    if (event == Event::service) {
      for (; !own.services.empty() && own.services.front().until <= now; own.services.pop_front())
        reply(own.services.front());
      continue;
    }
    while (!own.working.empty() && own.working.begin()->first <= now) {
      const Message message = own.working.begin()->second;
      own.working.erase(own.working.begin());
      receive(message);
    }
    begin_overheads();
  }
  own.events.erase(now);
}

/// Overheads follow each other if they are serialized; otherwise each begins at the end of its
/// message.
void RequestSoftware::begin_overheads() {
  Node& own = nodes_[node_];
  const bool alone = params_.serialized;
  while (!own.received.empty() && own.received.front().at < now_ &&
         !(alone && own.busy_until > now_)) {
    Message message = own.received.front();
    own.received.pop_front();
    message.at = (alone ? std::max(own.busy_until, message.at) : message.at) + params_.receive;
    if (alone) own.busy_until = message.at;
    if (message.at <= now_) {
      receive(message);
    } else {
      own.working.emplace(message.at, message);
      own.events[message.at].push_back(Event::software);
    }
  }
}

void RequestSoftware::receive(const Message& message) {
  Node& own = nodes_[node_];
  received_->push_back(message.local);
  if (!message.reply) {
    const Service service{message.source, message.slot, message.at + params_.requests->service};
    if (service.until <= now_) return reply(service);
    own.services.push_back(service);
    own.events[service.until].push_back(Event::service);
    return;
  }
  const Cycle created = own.created[static_cast<std::size_t>(message.slot)];
  if (!stopped_) {
    replies_in_window_ += window_.holds(message.at) ? 1 : 0;
    if (window_.holds(created)) {
      round_trips_.add(message.at - created);
      ++answered_;
      last_answered_ = now_;
    }
  }
  request(message.slot);
}

void RequestSoftware::request(Index slot) {
  Node& own = nodes_[node_];
  const NodeId to = params_.pattern->destination(NodeId(static_cast<int>(node_)), own.destinations);
  if (!to.valid() || stopped_) return;
  own.created[static_cast<std::size_t>(slot)] = now_;
  tagged_ += window_.holds(now_) ? 1 : 0;
  made_->push_back({to, now_, params_.requests->request, false, slot});
}

void RequestSoftware::reply(const Service& service) {
  if (stopped_) return;
  made_->push_back(
      {NodeId(static_cast<int>(service.to)), now_, params_.requests->reply, true, service.slot});
}

}  // namespace flitwave::reference
