// algorithms/routing.hpp: routing functions: the permitted next hops of a packet, without a clock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "configs/random.hpp"
#include "configs/registry.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

class Columns;
class PathLabels;
class StopOrder;

/// The direction in which packets move round rings.
enum class Direction : std::uint8_t {
  mesh,      ///< Never over the wrap channel, as on a mesh.
  minimal,   ///< The shorter direction.
  positive,  ///< Towards greater coordinates, modulo the extent.
  negative,  ///< Towards smaller coordinates, modulo the extent.
};
std::vector<std::string> names_of(Direction);

/// The routing information of a packet's head.
struct Header {
  NodeId source;
  NodeId destination;
  /// Oblivious choices made once, at injection (ties on a torus, an intermediate node).
  std::uint32_t choice = 0;
  /// 0: a request or a plain message; 1: a reply.
  int message_class = 0;
  /// The direction of this packet round rings; none: as the routing specifies for all.
  std::optional<Direction> direction{};
};

/// How a head arrived at a node: by a network port on a virtual channel of a class, or from the
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
  /// Part of the escape subfunction, which leads to the destination whatever the state of other
  /// channels.
  bool escape = false;

  bool local() const { return !port.valid(); }
};

/// The possible next hops of a packet at a node. Candidates of one branch are alternatives, in
/// order of preference: in every cycle a waiting head requests the first of them that is free.
/// Branches (for multicast) are copies, all of which are sent. Objects are reused, so that routing
/// does not allocate.
class Route {
 public:
  /// Most relations have few candidates, which need no heap memory.
  using Candidates = boost::container::small_vector<Candidate, 4>;

  void clear() { candidates_.clear(); }
  void forward(PortId port, int vc_class = 0, int branch = 0) {
    candidates_.push_back({port, vc_class, branch});
  }
  /// Adds a candidate of the escape subfunction.
  void escape(PortId port, int vc_class = 0, int branch = 0) {
    candidates_.push_back({port, vc_class, branch, true});
  }
  void deliver(int branch = 0) { candidates_.push_back({PortId{}, 0, branch}); }
  /// Maps every class c on a channel to c * count + part, and the local processor's class to
  /// `part`.
  void split_classes(int count, int part) {
    for (Candidate& candidate : candidates_)
      candidate.vc_class = candidate.local() ? part : candidate.vc_class * count + part;
  }

  const Candidates& candidates() const { return candidates_; }

 private:
  Candidates candidates_;
};

/// Virtual channels first .. first + count - 1.
struct VcRange {
  int first = 0;
  int count = 0;
};

/// Some of the packets that a routing relation may route: from these nodes, to those. Nothing: all.
struct FollowedPackets {
  std::optional<std::vector<NodeId>> sources;
  std::optional<std::vector<NodeId>> destinations;
};

/// A routing relation on one topology: header at a node -> candidates. Pure: the same arguments
/// give the same route, so that the check of the graph and the timed router use the same function.
/// Dependence on the source goes into Header::choice at injection; `route` reads only the choice,
/// so that a check need not try every source.
class RoutingFunction {
 public:
  virtual ~RoutingFunction() = default;

  /// Fills `route`, which is empty before.
  /// Needs: a header whose packet can be at `here` after `arrival`.
  virtual void route(NodeId here, const Arrival& arrival, const Header& header,
                     Route& route) const = 0;

  /// The number of classes of virtual channels that the relation distinguishes.
  virtual int vc_classes() const { return 1; }
  /// The fewest virtual channels that a channel needs.
  virtual int least_vcs() const { return vc_classes(); }
  /// The virtual channels of a class on a channel that has `vcs`, class after class; by default
  /// divided evenly.
  /// Range: vcs >= least_vcs()
  virtual VcRange class_vcs(int vc_class, int vcs) const;
  /// The class that a virtual channel belongs to under `class_vcs`.
  int class_of_vc(int vc, int vcs) const;

  /// Whether freedom from deadlock rests on escape candidates. Then a head must always be able to
  /// reach the front of its buffer, so under wormhole switching a virtual channel may be
  /// reallocated only when its buffer is empty.
  /// Source: Duato 1993, whose assumptions forbid flits of two messages in one queue.
  virtual bool relies_on_escape() const { return false; }
  /// Throws: ConfigError unless packets may name this direction in their headers.
  virtual void check_direction(Direction direction) const;
  /// The number of classes of virtual channels on the channels to and from processors.
  virtual int message_classes() const { return 1; }
  /// The labels along which all packets are routed, upwards or downwards; null for other relations.
  virtual const PathLabels* path_labels() const { return nullptr; }
  /// The lines of the dimension that packets correct last; null where they do not correct one
  /// dimension after the other in a fixed order.
  virtual const Columns* columns() const { return nullptr; }
  /// The order in which worms visit destinations, by labels or along columns; null where the
  /// relation has neither. The route of a worm from a stop does not depend on the channel by which
  /// it arrived.
  virtual const StopOrder* stop_order() const { return nullptr; }

  /// The oblivious choice for a new packet; stored in its header.
  virtual std::uint32_t choose(NodeId source, NodeId destination, Random& random) const {
    (void)source, (void)destination, (void)random;
    return 0;
  }
  /// Values of Header::choice for which packets, each keeping its choice, together take every turn
  /// that any packet can take.
  virtual std::vector<std::uint32_t> all_choices() const { return {0}; }
  /// Whether packets from `source` can carry `choice`, one of `all_choices`.
  virtual bool may_choose(NodeId source, std::uint32_t choice) const {
    (void)source, (void)choice;
    return true;
  }
  /// Whether packets between any two nodes take each of `all_choices` possible for their source
  /// equally often, or choices that load channels in the same way.
  virtual bool chooses_evenly() const { return true; }

  // Declarations of the relation about itself, so that a check of a large network need not follow
  // every packet. A test compares each declaration with the walk of all packets.

  /// Packets under `choice`, one of `all_choices`, that together with those of other choices take
  /// every turn that any packet can take, and where the relation has escapes, every sequence of
  /// hops from one escape to the next.
  virtual FollowedPackets followed(std::uint32_t choice) const {
    (void)choice;
    return {};
  }
  /// The class of arrivals at a node that routes do not distinguish: those with one number lead to
  /// the same routes, whatever the header. By default each has a number of its own; 0 for all
  /// declares that a route depends on node, destination and choice alone.
  virtual int arrival_case(NodeId here, const Arrival& arrival) const {
    (void)here;
    return arrival.injected() ? 0 : 1 + arrival.port.value() * vc_classes() + arrival.vc_class;
  }
  /// Whether mirroring a hypercube in any of its dimensions maps routes to routes. Then packets to
  /// one node show, mirrored, what packets to all nodes do.
  virtual bool mirrors() const { return false; }
};

/// The virtual channels of one class when `vcs` are divided among `classes`; the first classes get
/// one more where the division leaves a remainder.
/// Range: vcs >= classes >= 1
VcRange vcs_of_class(int vc_class, int classes, int vcs);

/// Throws: ConfigError on `channel.vcs` when `vcs` are fewer than the relation needs.
void require_vcs(const RoutingFunction& routing, int vcs);
/// The virtual channels of each class on a channel between nodes, and of each message class on one
/// to or from a processor, as bits.
/// Range: vcs >= routing.least_vcs()
std::vector<std::uint64_t> class_masks(const RoutingFunction& routing, int vcs);
std::vector<std::uint64_t> message_masks(const RoutingFunction& routing, int vcs);

/// A channel that a packet crosses, and its class of virtual channels there.
struct Crossing {
  ChannelId channel;
  int vc_class = 0;
};

/// An arrival at a node by some channel of the network; from the processor if there is none.
Arrival arrival_at(const Topology& topology, NodeId node);

/// The path from source to destination that takes the first candidate at every hop. `arrival`: how
/// the packet arrived at the source, e.g. for one that continues from there.
/// Throws: ModelError when the route does not arrive within twice as many hops as there are nodes.
std::vector<Crossing> crossings(const RoutingFunction& routing, const Topology& topology,
                                const Header& header, Arrival arrival = {});
/// The channels of a path.
std::vector<ChannelId> channels_of(const std::vector<Crossing>& way);
/// The channels of the path from source to destination.
std::vector<ChannelId> path(const RoutingFunction& routing, const Topology& topology,
                            const Header& header, Arrival arrival = {});

/// Kinds of routing: parameters, topology -> RoutingFunction. The topology outlives the function.
using Routings = Registry<std::unique_ptr<RoutingFunction>(const Topology&)>;

}  // namespace flitwave
