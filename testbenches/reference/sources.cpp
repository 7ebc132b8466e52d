// testbenches/reference/sources.cpp: see sources.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/sources.hpp"

namespace flitwave::reference {

namespace {

constexpr Cycle never = INT64_MAX;

/// The cycle in which packet `number` of a node's trace is created.
Cycle time_of(const Trace& trace, Index node, Index number) {
  const auto position = static_cast<std::size_t>(number);
  if (position == trace.first(static_cast<int>(node) + 1)) return never;
  return first_cycle + trace.packets()[position].at;
}

}  // namespace

Sources::Sources(const Params& params, const Window& window)
    : params_(params), window_(window), classes_(params.routing->message_classes()) {
  const Index nodes = params.topology->nodes();
  queues_ = Field<std::deque<Waiting>>(nodes * classes_, {});
  if (params.requests) software_.emplace(params, window);
  kept_ = Field<std::int64_t>(nodes, 0);
  for (Index node = 0; node < nodes; ++node) {
    if (params.requests) {
      next_.push_back(never);
      continue;
    }
    if (params.trace) {
      next_traced_.push_back(static_cast<Index>(params.trace->first(static_cast<int>(node))));
      next_.push_back(time_of(*params.trace, node, next_traced_[node]));
      continue;
    }
    const auto stream = static_cast<std::uint64_t>(node);
    gaps_.push_back(Random(params.seed, "injection", stream));
    destinations_.push_back(Random(params.seed, "destination", stream));
    next_.push_back(first_cycle + params.injection->first(kept_[node], gaps_[node]));
  }
}

Index Sources::make(Index node, Cycle now) {
  if (software_) return make_by_software(node, now);
  return params_.trace ? make_traced(node, now) : make_random(node, now);
}

Index Sources::make_random(Index node, Cycle now) {
  const NodeId destination =
      params_.pattern->destination(NodeId(static_cast<int>(node)), destinations_[node]);
  if (!destination.valid()) {
    next_[node] = never;
    return 0;
  }
  add(node, {destination, now, params_.length});
  next_[node] = now + params_.injection->next(kept_[node], gaps_[node]);
  return 1;
}

Index Sources::make_traced(Index node, Cycle now) {
  Index made = 0;
  for (; next_[node] == now; ++made) {
    const TracedPacket& packet =
        params_.trace->packets()[static_cast<std::size_t>(next_traced_[node]++)];
    add(node, {packet.destination, now, packet.flits});
    next_[node] = time_of(*params_.trace, node, next_traced_[node]);
  }
  return made;
}

Index Sources::make_by_software(Index node, Cycle now) {
  made_.clear();
  received_.clear();
  software_->run(node, now, made_, received_);
  for (const Waiting& packet : made_) add(node, packet);
  return static_cast<Index>(made_.size());
}

void Sources::add(Index node, const Waiting& packet) {
  queues_[node * classes_ + (packet.reply ? classes_ - 1 : 0)].push_back(packet);
  tagged_ += window_.holds(packet.created) ? 1 : 0;
}

Index Sources::stop(Index node) {
  Index waiting = 0;
  next_[node] = never;
  if (software_) software_->stop();
  for (Index queue = 0; queue < classes_; ++queue) {
    waiting += static_cast<Index>(queues_[node * classes_ + queue].size());
    queues_[node * classes_ + queue].clear();
  }
  return waiting;
}

}  // namespace flitwave::reference
