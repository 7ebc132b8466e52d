// testbenches/reference/sources.hpp: the sources of packets, and their queues at the interfaces.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>

#include "testbenches/reference/field.hpp"
#include "testbenches/reference/requests.hpp"
#include "testbenches/reference/waiting.hpp"
#include "testbenches/reference/window.hpp"

namespace flitwave::reference {

/// The sources of all nodes, and the queues between each source and its interface: one, or one for
/// requests and one for replies.
class Sources {
 public:
  Sources(const Params& params, const Window& window);

  /// Whether a source creates something in this cycle.
  bool due(Index node, Cycle now) const {
    return next_[node] == now || (software_ && software_->due(node, now));
  }
  /// Creates the packets that are due. Returns: their number.
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
  /// Creates no more packets and drops those in the queues. Returns: the number of dropped packets.
  Index stop(Index node);

  /// Packets, or requests, created in the window so far.
  std::int64_t tagged() const { return software_ ? software_->tagged() : tagged_; }

  /// Null under open-loop load.
  const RequestSoftware* software() const { return software_ ? &*software_ : nullptr; }
  /// As RequestSoftware::arrived.
  void arrived(Index node, Index local, const Waiting& message, Index source, Cycle now) {
    if (software_) software_->arrived(node, local, message, source, now);
  }
  /// The local ports whose messages were received in the last call of `make`.
  const std::vector<Index>& received() const { return received_; }

 private:
  void add(Index node, const Waiting& packet);
  Index make_random(Index node, Cycle now);
  Index make_traced(Index node, Cycle now);
  Index make_by_software(Index node, Cycle now);

  const Params& params_;
  const Window& window_;
  std::int64_t tagged_ = 0;
  Index classes_;
  std::optional<RequestSoftware> software_;
  std::vector<Waiting> made_;
  std::vector<Index> received_;
  // Per node.
  Field<Cycle> next_;                  // next cycle in which the source creates something
  Field<std::deque<Waiting>> queues_;  // Shape: [nodes][classes]; oldest first
  Field<Random> gaps_;
  Field<Random> destinations_;
  Field<std::int64_t> kept_;  // state of the injection process
  Field<Index> next_traced_;  // in the trace
};

}  // namespace flitwave::reference
