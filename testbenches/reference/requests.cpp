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
    nodes_[node].dates[first_cycle].push_back(Date::software);
  }
}

void RequestSoftware::arrived(Index node, Index local, const Waiting& message, Index source,
                              Cycle now) {
  nodes_[node].known.push_back({source, local, message.reply, message.place, now});
  nodes_[node].dates[now + 1].push_back(Date::software);
}

void RequestSoftware::run(Index node, Cycle now, std::vector<Waiting>& made,
                          std::vector<Index>& received) {
  node_ = node;
  now_ = now;
  made_ = &made;
  received_ = &received;
  Node& own = nodes_[node];
  if (now == first_cycle)
    for (Index place = 0; place < params_.requests->window; ++place) request(place);
  const std::vector<Date> dates = own.dates.begin()->second;
  for (const Date date : dates) {
    if (date == Date::service) {
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
  own.dates.erase(now);
}

/// One after the other if they are serialized, else each from its message's end on.
void RequestSoftware::begin_overheads() {
  Node& own = nodes_[node_];
  const bool alone = params_.serialized;
  while (!own.known.empty() && own.known.front().at < now_ && !(alone && own.busy_until > now_)) {
    Message message = own.known.front();
    own.known.pop_front();
    message.at = (alone ? std::max(own.busy_until, message.at) : message.at) + params_.receive;
    if (alone) own.busy_until = message.at;
    if (message.at <= now_) {
      receive(message);
    } else {
      own.working.emplace(message.at, message);
      own.dates[message.at].push_back(Date::software);
    }
  }
}

void RequestSoftware::receive(const Message& message) {
  Node& own = nodes_[node_];
  received_->push_back(message.local);
  if (!message.reply) {
    const Service service{message.source, message.place, message.at + params_.requests->service};
    if (service.until <= now_) return reply(service);
    own.services.push_back(service);
    own.dates[service.until].push_back(Date::service);
    return;
  }
  const Cycle created = own.created[static_cast<std::size_t>(message.place)];
  if (!stopped_) {
    replies_in_window_ += window_.holds(message.at) ? 1 : 0;
    if (window_.holds(created)) {
      round_trips_.add(message.at - created);
      ++answered_;
      last_answered_ = now_;
    }
  }
  request(message.place);
}

void RequestSoftware::request(Index place) {
  Node& own = nodes_[node_];
  const NodeId to = params_.pattern->destination(NodeId(static_cast<int>(node_)), own.destinations);
  if (!to.valid() || stopped_) return;
  own.created[static_cast<std::size_t>(place)] = now_;
  tagged_ += window_.holds(now_) ? 1 : 0;
  made_->push_back({to, now_, params_.requests->request, false, place});
}

void RequestSoftware::reply(const Service& service) {
  if (stopped_) return;
  made_->push_back(
      {NodeId(static_cast<int>(service.to)), now_, params_.requests->reply, true, service.place});
}

}  // namespace flitwave::reference
