// algorithms/routing.hpp: which way a packet may go; a decision, without a clock.
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

/// Which way packets go round rings.
enum class Direction : std::uint8_t {
  mesh,      ///< Never over the channel that closes a ring, as on a mesh.
  minimal,   ///< The shorter way.
  positive,  ///< Towards greater coordinates, modulo the extent.
  negative,  ///< Towards smaller coordinates, modulo the extent.
};
std::vector<std::string> names_of(Direction);

/// What a packet's head tells a router.
struct Header {
  NodeId source;
  NodeId destination;
  /// Oblivious choices made once, at injection (ties on a torus, an intermediate node).
  std::uint32_t choice = 0;
  /// 0: a request or a plain message; 1: a reply.
  int message_class = 0;
  /// Which way this packet goes round rings; none: as the routing says of all.
  std::optional<Direction> direction{};
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
  /// Part of the escape subfunction: what always leads on, however packets wait for the rest.
  bool escape = false;

  bool local() const { return !port.valid(); }
};

/// Where a packet goes from a node. Candidates of one branch are alternatives, in order of
/// preference: in every cycle a waiting head asks for the first of them that is free. Branches (for
/// multicast) are copies that all leave. Reused, so that routing allocates nothing.
class Route {
 public:
  /// Most relations have few, which need no memory of their own.
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
  /// Turns every class c on a channel to c * count + part, and to `part` at the local processor.
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

/// Some of the packets that a routing relation may meet: from these nodes, to those. Nothing: all.
struct FollowedPackets {
  std::optional<std::vector<NodeId>> sources;
  std::optional<std::vector<NodeId>> destinations;
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

  /// How many classes of virtual channels the relation tells apart.
  virtual int vc_classes() const { return 1; }
  /// The fewest virtual channels that a channel needs.
  virtual int least_vcs() const { return vc_classes(); }
  /// The virtual channels of a class on a channel that has `vcs`, one class behind the other; by
  /// default shared evenly.
  /// Range: vcs >= least_vcs()
  virtual VcRange class_vcs(int vc_class, int vcs) const;
  /// The class that a virtual channel belongs to under `class_vcs`.
  int class_of_vc(int vc, int vcs) const;

  /// Whether freedom from deadlock rests on escape candidates. Then a head must come to the front
  /// of a buffer whatever happens elsewhere, so under wormhole switching a virtual channel may be
  /// given to the next packet only when its buffer is empty.
  /// Source: Duato 1993, whose assumptions forbid flits of two messages in one queue.
  virtual bool relies_on_escape() const { return false; }
  /// Throws: ConfigError unless packets may name this direction in their headers.
  virtual void check_direction(Direction direction) const;
  /// How many classes of virtual channels the channels to and from processors have.
  virtual int message_classes() const { return 1; }
  /// The labels along which all packets go, up or down; null where they go otherwise.
  virtual const PathLabels* path_labels() const { return nullptr; }
  /// The lines of the dimension that packets correct last; null where they do not correct one
  /// dimension after the other in a fixed order.
  virtual const Columns* columns() const { return nullptr; }
  /// In which order worms visit destinations, by labels or along columns; null where the relation
  /// has neither. A worm goes on from a destination alike whichever channel led it there.
  virtual const StopOrder* stop_order() const { return nullptr; }

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
  /// Whether packets between any two nodes make each of `all_choices` that their source may make
  /// equally often, or choices that load channels in the same way.
  virtual bool chooses_evenly() const { return true; }

  // What a relation declares of itself, so that a check of a large network need not follow every
  // packet. A test compares each declaration with the walk of all packets.

  /// Packets under `choice`, one of `all_choices`, that take together with those of other choices
  /// every turn that any packet can take, and where the relation has escapes, every sequence of
  /// hops from one escape to the next.
  virtual FollowedPackets followed(std::uint32_t choice) const {
    (void)choice;
    return {};
  }
  /// Which arrivals at a node routes do not tell apart: those with one number lead to the same
  /// routes, whatever the header. By default each has a number of its own; 0 for all says that a
  /// route depends on node, destination and choice alone.
  virtual int arrival_case(NodeId here, const Arrival& arrival) const {
    (void)here;
    return arrival.injected() ? 0 : 1 + arrival.port.value() * vc_classes() + arrival.vc_class;
  }
  /// Whether mirroring a hypercube in any of its dimensions maps routes to routes. Then packets to
  /// one node show, mirrored, what packets to all nodes do.
  virtual bool mirrors() const { return false; }
};

/// The virtual channels of one class when `vcs` are shared evenly among `classes`; the first
/// classes get one more where it does not come out even.
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

/// An arrival at a node by some channel of the network; from the processor if none leads there.
Arrival arrival_at(const Topology& topology, NodeId node);

/// The way from source to destination, taking every time the first candidate. `arrival`: how the
/// packet came to the source, e.g. one that goes on from there.
/// Throws: ModelError when the route does not arrive within twice as many hops as there are nodes.
std::vector<Crossing> crossings(const RoutingFunction& routing, const Topology& topology,
                                const Header& header, Arrival arrival = {});
/// The channels of a way.
std::vector<ChannelId> channels_of(const std::vector<Crossing>& way);
/// Those of the way from source to destination.
std::vector<ChannelId> path(const RoutingFunction& routing, const Topology& topology,
                            const Header& header, Arrival arrival = {});

/// Kinds of routing: parameters, topology -> RoutingFunction. The topology outlives the function.
using Routings = Registry<std::unique_ptr<RoutingFunction>(const Topology&)>;

}  // namespace flitwave
