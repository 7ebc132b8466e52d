// testbenches/reference/sources.hpp: what makes packets, and where they wait for an interface.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>

#include "testbenches/reference/field.hpp"
#include "testbenches/reference/requests.hpp"
#include "testbenches/reference/waiting.hpp"
#include "testbenches/reference/window.hpp"

namespace flitwave::reference {

/// All sources, side by side, and the queues between each and its interface: one, or one for
/// requests and one for replies.
class Sources {
 public:
  Sources(const Params& params, const Window& window);

  /// Whether a source makes something now.
  bool due(Index node, Cycle now) const {
    return next_[node] == now || (software_ && software_->due(node, now));
  }
  /// Makes what is due. Returns: how many packets.
  Index make(Index node, Cycle now);

  /// Whether the first packet in a queue was handed over in an earlier cycle.
  bool ready(Index node, Cycle now, Index queue = 0) const {
    const std::deque<Waiting>& packets = queues_[node * classes_ + queue];
    return !packets.empty() && packets.front().created < now;
  }
  Waiting pop(Index node, Index queue = 0) {
    std::deque<Waiting>& packets = queues_[node * classes_ + queue];
    const Waiting first = packets.front();
    packets.pop_front();
    return first;
  }
  /// No more is made, and what waits in the queue is forgotten. Returns: how many packets.
  Index stop(Index node);

  /// Packets, or requests, made in the window so far.
  std::int64_t tagged() const { return software_ ? software_->tagged() : tagged_; }

  /// Null under open-loop load.
  const RequestSoftware* software() const { return software_ ? &*software_ : nullptr; }
  /// As RequestSoftware::arrived.
  void arrived(Index node, Index local, const Waiting& message, Index source, Cycle now) {
    if (software_) software_->arrived(node, local, message, source, now);
  }
  /// The local ports whose messages were received when `make` was called last.
  const std::vector<Index>& received() const { return received_; }

 private:
  void add(Index node, const Waiting& packet);
  Index make_drawn(Index node, Cycle now);
  Index make_traced(Index node, Cycle now);
  Index make_asked(Index node, Cycle now);

  const Params& params_;
  const Window& window_;
  std::int64_t tagged_ = 0;
  Index classes_;
  std::optional<RequestSoftware> software_;
  std::vector<Waiting> made_;
  std::vector<Index> received_;
  // Per node.
  Field<Cycle> next_;                  // when the source makes something
  Field<std::deque<Waiting>> queues_;  // Shape: [nodes][classes]; oldest first
  Field<Random> gaps_;
  Field<Random> destinations_;
  Field<std::int64_t> kept_;  // by the injection process
  Field<Index> next_traced_;  // of the trace's packets
};

}  // namespace flitwave::reference
