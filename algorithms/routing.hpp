// algorithms/routing.hpp: which way a packet may go; a decision, without a clock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "flitwave/configs/random.hpp"
#include "flitwave/configs/registry.hpp"
#include "flitwave/topologies/topology.hpp"

namespace flitwave {

/// What a packet's head tells a router.
struct Header {
  NodeId source;
  NodeId destination;
  /// Oblivious choices made once, at injection (ties on a torus, an intermediate node).
  std::uint32_t choice = 0;
  /// 0: a request or a plain message; 1: a reply.
  int message_class = 0;
};

/// How a head came to a node: by a network port on a virtual channel of a class, or from the
/// node's own processor (port invalid).
struct Arrival {
  PortId port;
  int vc_class = 0;

  bool injected() const { return !port.valid(); }
};

/// One output that a branch may take: a network port and a class of virtual channels on it, or
/// the local processor (port invalid).
struct Candidate {
  PortId port;
  int vc_class = 0;
  int branch = 0;

  bool local() const { return !port.valid(); }
};

/// Where a packet goes from a node. Candidates of one branch are alternatives, in order of
/// preference; branches (for multicast) are copies that all leave. Reused, so that routing
/// allocates nothing.
class Route {
 public:
  void clear() { candidates_.clear(); }
  void forward(PortId port, int vc_class = 0, int branch = 0) {
    candidates_.push_back({port, vc_class, branch});
  }
  void deliver(int branch = 0) { candidates_.push_back({PortId{}, 0, branch}); }
  /// Turns every class c on a channel to c * count + part, and to `part` at the local processor.
  void split_classes(int count, int part) {
    for (Candidate& candidate : candidates_)
      candidate.vc_class = candidate.local() ? part : candidate.vc_class * count + part;
  }

  const std::vector<Candidate>& candidates() const { return candidates_; }

 private:
  std::vector<Candidate> candidates_;
};

/// A routing relation on one topology: header at a node -> candidates. Pure: the same arguments
/// give the same route, so it can be checked on the graph and called by the timed router alike.
/// What depends on the source goes into Header::choice at injection; `route` looks at the choice,
/// so that a check need not try every source.
class RoutingFunction {
 public:
  virtual ~RoutingFunction() = default;

  /// Fills `route`; it comes cleared.
  /// Needs: a header whose packet can be at `here` after `arrival`.
  virtual void route(NodeId here, const Arrival& arrival, const Header& header,
                     Route& route) const = 0;

  /// How many classes of virtual channels the relation tells apart; a channel needs at least as
  /// many virtual channels.
  virtual int vc_classes() const { return 1; }
  /// How many classes of virtual channels the channels to and from processors have.
  virtual int message_classes() const { return 1; }

  /// The oblivious choice for a new packet; stored in its header.
  virtual std::uint32_t choose(NodeId source, NodeId destination, Random& random) const {
    (void)source, (void)destination, (void)random;
    return 0;
  }
  /// Values of Header::choice under which packets, each keeping its choice, take together every
  /// turn that any packet can take.
  virtual std::vector<std::uint32_t> all_choices() const { return {0}; }
  /// Whether packets from `source` can carry `choice`, one of `all_choices`.
  virtual bool may_choose(NodeId source, std::uint32_t choice) const {
    (void)source, (void)choice;
    return true;
  }
};

/// Virtual channels first .. first + count - 1.
struct VcRange {
  int first = 0;
  int count = 0;
};

/// The virtual channels of one class when `vcs` are shared evenly among `classes`; the first
/// classes get one more where it does not come out even.
/// Range: vcs >= classes >= 1
VcRange vcs_of_class(int vc_class, int classes, int vcs);
/// Per class its virtual channels, as bits. Shape: [classes]
std::vector<std::uint64_t> vc_masks(int classes, int vcs);
/// The class that a virtual channel belongs to under `vcs_of_class`.
int class_of_vc(int vc, int classes, int vcs);

/// The channels from source to destination, taking every time the first candidate.
/// Throws: ModelError when the route does not arrive within twice as many hops as there are nodes.
std::vector<ChannelId> path(const RoutingFunction& routing, const Topology& topology,
                            const Header& header);

/// Kinds of routing: parameters, topology -> RoutingFunction. The topology outlives the function.
using Routings = Registry<std::unique_ptr<RoutingFunction>(const Topology&)>;

}  // namespace flitwave
