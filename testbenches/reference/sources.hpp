// testbenches/reference/sources.hpp: what makes packets, and where they wait for an interface.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "flitwave/testbenches/reference/field.hpp"
#include "flitwave/testbenches/reference/window.hpp"

namespace flitwave::reference {

/// A packet that no injection channel has begun to send.
struct Waiting {
  NodeId destination;
  Cycle created = 0;
  Index length = 0;
};

/// All sources, side by side, and the queue between each and its interface.
class Sources {
 public:
  Sources(const Params& params, const Window& window);

  /// Whether a source makes something now.
  bool due(Index node, Cycle now) const { return next_[node] == now; }
  /// Makes what is due. Returns: how many packets.
  Index make(Index node, Cycle now);

  /// Whether the first packet in the queue was handed over in an earlier cycle.
  bool ready(Index node, Cycle now) const {
    return !queues_[node].empty() && queues_[node].front().created < now;
  }
  Waiting pop(Index node) {
    const Waiting first = queues_[node].front();
    queues_[node].pop_front();
    return first;
  }
  /// No more is made, and what waits in the queue is forgotten. Returns: how many packets.
  Index stop(Index node);

  /// Packets made in the window so far.
  std::int64_t tagged() const { return tagged_; }

 private:
  void add(Index node, const Waiting& packet);
  Index make_drawn(Index node, Cycle now);
  Index make_traced(Index node, Cycle now);

  const Params& params_;
  const Window& window_;
  std::int64_t tagged_ = 0;
  // Per node.
  Field<Cycle> next_;                  // when the source makes something
  Field<std::deque<Waiting>> queues_;  // oldest first
  Field<Random> gaps_;
  Field<Random> destinations_;
  Field<std::int64_t> kept_;  // by the injection process
  Field<Index> next_traced_;  // of the trace's packets
};

}  // namespace flitwave::reference
