// algorithms/cube_multicast/walk.hpp: one message followed through a cube, node by node.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "algorithms/cube_multicast/cube.hpp"

namespace flitwave {

/// A message that leaves a node along a dimension, e.g. a list of destinations or a control vector.
template <class Message>
struct CubeBranch {
  int dimension = 0;
  Message message;
};

/// The decision of a router for a message.
template <class Message>
struct CubeDecision {
  bool deliver = false;                       ///< A copy is sent to the local processor.
  std::vector<CubeBranch<Message>> branches;  ///< In the order in which they are chosen.
  CubeNodes undeliverable;                    ///< Destinations that no branch can serve.
};

/// A hop of a message across a channel.
struct CubeHop {
  CubeAddress from = 0;
  int dimension = 0;
  int step = 1;  ///< Counted from 1: a node sends in the step after its receive.

  CubeAddress to() const { return from ^ bit(dimension); }
};

/// The receive of a message by a processor.
struct CubeReceipt {
  CubeAddress node = 0;
  int step = 0;
};

/// The walk of one message without other traffic; steps are those of nodes that send to all sides
/// at once.
struct CubeWalk {
  CubeAddress source = 0;
  std::vector<CubeHop> hops;          ///< By step; those of one node in the order of its branches.
  std::vector<CubeReceipt> receipts;  ///< By step.
  CubeNodes undeliverable;            ///< Destinations that were given up.

  /// Messages that crossed a channel.
  /// Source: Lan 1988, section 4.2
  int traffic() const { return static_cast<int>(hops.size()); }
  /// Steps until the last processor has the message.
  int steps() const;
  /// The step in which a node's processor receives the message; -1 when it never does.
  int step_of(CubeAddress node) const;
  /// The nodes whose processors receive the message, ascending; one that receives it twice is
  /// listed twice.
  CubeNodes delivered() const;
  /// Whether no node is entered twice, nor the source again: the hops are a tree.
  bool is_tree() const;
};

/// Steps until each node has the message when a node sends one copy a step, in the order of its
/// hops.
/// Needs: the hops are a tree.
/// Source: Lan 1988, section 3.2
int one_port_steps(const CubeWalk& walk);

/// Follows a message from its source. `decide(here, injected, message)` returns the decision of the
/// router of node `here`; `injected` is true at the source, for the message of its processor.
/// Needs: every path ends.
template <class Message, class Decide>
CubeWalk walk_cube(CubeAddress source, Message first, Decide decide) {
  struct Visit {
    CubeAddress here;
    int step;
    Message message;
  };
  CubeWalk walk;
  walk.source = source;
  std::vector<Visit> visits{{source, 0, std::move(first)}};
  for (std::size_t next = 0; next < visits.size(); ++next) {
    const Visit visit = std::move(visits[next]);
    CubeDecision<Message> decision = decide(visit.here, next == 0, visit.message);
    if (decision.deliver) walk.receipts.push_back({visit.here, visit.step});
    walk.undeliverable.insert(walk.undeliverable.end(), decision.undeliverable.begin(),
                              decision.undeliverable.end());
    for (CubeBranch<Message>& branch : decision.branches) {
      walk.hops.push_back({visit.here, branch.dimension, visit.step + 1});
      visits.push_back({walk.hops.back().to(), visit.step + 1, std::move(branch.message)});
    }
  }
  return walk;
}

}  // namespace flitwave
