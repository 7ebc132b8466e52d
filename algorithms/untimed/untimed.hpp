// algorithms/untimed/untimed.hpp: steps, channel load, contention and coverage of a schedule,
// without a clock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/routing.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// Two transfers that need one channel. Of several, each is paired with the first. Deliveries with
/// release times have steps of their own.
struct Contention {
  int step = 0;  ///< Step of the first.
  ChannelId channel;
  int first = 0;   ///< Index into Schedule::transfers.
  int second = 0;  ///< Index into Schedule::transfers; first < second.
};

/// A transfer whose path contains a fault.
struct Blocked {
  int transfer = 0;   ///< Index into Schedule::transfers.
  ChannelId channel;  ///< The first faulty one.
};

/// A destination that a schedule does not serve in a network with faults.
struct Unreached {
  int delivery = 0;  ///< Index into Demand::deliveries.
  NodeId destination;
};

/// The path of one message where routers decide on it, and copy it.
struct RelayedWay {
  std::vector<ChannelId> channels;  ///< Each channel that it crosses, once for all receivers.
  /// Channels on the path to each receiver, one per step; -1: the message is not delivered. Shape:
  /// [receivers]
  std::vector<int> steps;
};
/// Such paths, by the sender and the receivers of a message.
using RelayedWays = std::function<RelayedWay(NodeId from, const std::vector<NodeId>& to)>;

/// The result of checking a schedule on the graph.
struct Untimed {
  int steps = 0;                        ///< Message-passing steps.
  int barrier_steps = 0;                ///< Those that belong to barriers of messages.
  std::vector<int> transfers_per_step;  ///< Shape: [steps]
  std::vector<int> channel_load;        ///< Transfers over each channel, all steps. [channels]
  std::vector<int> step_load;           ///< Greatest load of a channel within each step. [steps]
  std::vector<Contention> contentions;  ///< Within a step, of no barrier; by step, then channel.
  /// The same for transfers that need one class of virtual channels there. Empty where routers
  /// decide on paths.
  std::vector<Contention> class_contentions;
  std::vector<std::string> faults;  ///< What the demand requires and the schedule lacks,
                                    ///< deliveries twice or to nodes that need none, too few ports.
  std::vector<Blocked> blocked;     ///< By step; faults from the start count.
  /// With faults, destinations without their message are not counted as errors of the schedule.
  std::vector<Unreached> unreached;
  /// Where routers decide on paths, for each transfer: RelayedWay::steps; -1: it does not take
  /// place.
  /// Shape: [transfers], else empty
  std::vector<int> way_steps;
  std::vector<int> given_up;    ///< Transfers whose receivers routers do not serve; by step.
  std::vector<int> never_sent;  ///< Transfers that depend on those given up; by step.
  /// Channels crossed by all messages; one that two of them cross counts twice.
  std::int64_t traffic = 0;
  double mean_path = 0;  ///< Channels per transfer.
  /// The fewest steps in which a node with these ports, and at most its channels, can serve one
  /// message's destinations; 0 for other demands, and where the network copies messages.
  int least_steps = 0;
  int most_at_once = 0;  ///< Most transfers that a node sends, or receives, in a step.

  bool satisfies_demand() const { return faults.empty(); }
};

/// The path of one transfer; for one that continues from another's receiver, from there. An
/// oblivious choice of the routing uses a random stream of the transfer's own, so that the same
/// schedule has the same routes in every evaluation without a clock. `number`: index into
/// Schedule::transfers.
std::vector<Crossing> untimed_crossings(const Schedule& schedule, int number,
                                        const Topology& topology, const RoutingFunction& routing);
/// Its channels, in order.
std::vector<ChannelId> untimed_route(const Schedule& schedule, int number, const Topology& topology,
                                     const RoutingFunction& routing);

/// Checks the schedule step by step along the routes. `ports`: local ports per node; a node that
/// sends or receives more transfers in a step is an error. `ways`: if given, messages take these
/// instead of the routes.
Untimed evaluate(const Schedule& schedule, const Topology& topology, const RoutingFunction& routing,
                 int ports, const RelayedWays& ways = {});

}  // namespace flitwave
