// testbenches/reference/stores.hpp: buffers of flits at interfaces.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "configs/error.hpp"
#include "testbenches/reference/field.hpp"
#include "testbenches/reference/wiring.hpp"
#include "testbenches/reference/word.hpp"

namespace flitwave::reference {

/// The buffers behind ejection channels. A flit waits there if the interface cannot take it: the
/// processor has not received the preceding message, or the interface holds its maximum of
/// requests. A port takes one flit per cycle, from its virtual channels in turn.
class Stores {
 public:
  Stores(const Params& params, const Wiring& wiring)
      : most_locals_(wiring.most_locals),
        vcs_(params.vcs),
        depth_(params.depth),
        held_(params.held),
        most_requests_(params.requests ? params.requests->reply_queue : 0),
        used_(held_ || most_requests_ > 0),
        inside_(wiring.nodes, 0),
        requests_(wiring.nodes, 0),
        opens_at_(wiring.nodes * most_locals_, 0),
        last_(wiring.nodes * most_locals_, 0),
        flits_(wiring.nodes * most_locals_ * vcs_, {}) {}

  /// Whether flits may have to wait at all.
  bool used() const { return used_; }
  /// Whether any flit waits at a node.
  bool any(Index node) const { return inside_[node] > 0; }

  void put(Index node, Index local, Word flit, bool request) {
    std::deque<Stored>& queue = flits_[port_of(node, local) * vcs_ + vc_of(flit)];
    queue.push_back({flit, request && is_head(flit)});
    ++inside_[node];
    if (static_cast<Index>(queue.size()) > depth_)
      throw ModelError("reference: flit at a full interface");
  }
  bool can_take(Index node, Index local, Cycle now) const {
    return now >= opens_at_[port_of(node, local)] && takeable(node, local) != 0;
  }
  /// Removes and returns the flit that is taken in this cycle.
  Word next(Index node, Index local) {
    Index& last = last_[port_of(node, local)];
    last = next_from(takeable(node, local), last + 1);
    std::deque<Stored>& queue = flits_[port_of(node, local) * vcs_ + last];
    const Stored first = queue.front();
    queue.pop_front();
    --inside_[node];
    requests_[node] += first.opens_request ? 1 : 0;
    return first.flit;
  }

  /// A message has arrived at a port: if ejection is held, nothing more is taken there until
  /// `release`.
  void hold(Index node, Index local) {
    if (held_) opens_at_[port_of(node, local)] = INT64_MAX;
  }
  void release(Index node, Index local, Cycle from) {
    if (held_) opens_at_[port_of(node, local)] = from;
  }
  /// The last flit of a reply has left.
  void replied(Index node) { --requests_[node]; }
  /// Any number of requests is taken from now on.
  void take_all() { most_requests_ = 0; }

 private:
  struct Stored {
    Word flit = no_flit;
    bool opens_request = false;
  };

  Index port_of(Index node, Index local) const { return node * most_locals_ + local; }
  Mask takeable(Index node, Index local) const {
    const bool full = most_requests_ > 0 && requests_[node] >= most_requests_;
    Mask vcs = 0;
    for (Index vc = 0; vc < vcs_; ++vc) {
      const std::deque<Stored>& queue = flits_[port_of(node, local) * vcs_ + vc];
      if (!queue.empty() && !(full && queue.front().opens_request)) vcs |= bit(vc);
    }
    return vcs;
  }

  Index most_locals_;
  Index vcs_;
  Index depth_;
  bool held_;
  Index most_requests_;  // 0: unlimited
  bool used_;
  // Per node.
  Field<Index> inside_;    // flits
  Field<Index> requests_;  // taken, with replies that have not left
  // Per local port.
  Field<Cycle> opens_at_;
  Field<Index> last_;                // the virtual channel of the last taken flit, initially 0
  Field<std::deque<Stored>> flits_;  // Shape: [local ports][vcs]
};

}  // namespace flitwave::reference
