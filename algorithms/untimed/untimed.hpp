// algorithms/untimed/untimed.hpp: steps, channel load, contention and coverage of a schedule, no
// clock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/routing.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// Two transfers that need one channel. Of several, each is named with the first.
/// Deliveries that are released on their own have steps of their own.
struct Contention {
  int step = 0;  ///< Of the first.
  ChannelId channel;
  int first = 0;   ///< Index into Schedule::transfers.
  int second = 0;  ///< Index into Schedule::transfers; first < second.
};

/// A transfer whose path is broken.
struct Blocked {
  int transfer = 0;   ///< Index into Schedule::transfers.
  ChannelId channel;  ///< The first that is broken.
};

/// A destination that a schedule leaves out of a network with faults.
struct Unreached {
  int delivery = 0;  ///< Index into Demand::deliveries.
  NodeId destination;
};

/// The way of one message where routers decide on it, and copy it.
struct RelayedWay {
  std::vector<ChannelId> channels;  ///< Each that it crosses, once for all receivers.
  /// Channels on the way to each receiver, one a step; -1: it is given up. Shape: [receivers]
  std::vector<int> steps;
};
/// Such ways, by the sender and the receivers of a message.
using RelayedWays = std::function<RelayedWay(NodeId from, const std::vector<NodeId>& to)>;

/// A schedule judged on the graph.
struct Untimed {
  int steps = 0;                        ///< Message-passing steps.
  int barrier_steps = 0;                ///< Those of them that belong to barriers of messages.
  std::vector<int> transfers_per_step;  ///< Shape: [steps]
  std::vector<int> channel_load;        ///< Transfers over each channel, all steps. [channels]
  std::vector<int> step_load;           ///< Greatest load of a channel within each step. [steps]
  std::vector<Contention> contentions;  ///< Within a step, of no barrier; by step, then channel.
  /// The same of those that need one class of virtual channels there. Empty where routers decide on
  /// ways.
  std::vector<Contention> class_contentions;
  std::vector<std::string> faults;  ///< What the demand asks and the schedule does not give,
                                    ///< deliveries twice or to strangers, too few ports.
  std::vector<Blocked> blocked;     ///< By step; what is broken from the start counts.
  /// Where there are faults, destinations without their message are no fault of the schedule.
  std::vector<Unreached> unreached;
  /// Where routers decide on ways, of each transfer: RelayedWay::steps; -1: it does not happen.
  /// Shape: [transfers], else empty
  std::vector<int> way_steps;
  std::vector<int> given_up;    ///< Transfers whose receivers routers give up; by step.
  std::vector<int> never_sent;  ///< Transfers that need those given up; by step.
  /// Channels crossed by all messages; one that two of them cross counts twice.
  std::int64_t traffic = 0;
  double mean_path = 0;  ///< Channels per transfer.
  /// The fewest steps in which so many ports, and no more than a node has channels, can serve one
  /// message's destinations; 0 for other demands, and where the network copies messages.
  int least_steps = 0;
  int most_at_once = 0;  ///< Most transfers that a node sends, or receives, in a step.

  bool satisfies_demand() const { return faults.empty(); }
};

/// The way of one transfer; of one that goes on from another's receiver, from there. An oblivious
/// choice of the routing is drawn from a stream of the transfer's own, so that the same schedule
/// has the same routes in every evaluation without a clock. `number`: index into
/// Schedule::transfers.
std::vector<Crossing> untimed_crossings(const Schedule& schedule, int number,
                                        const Topology& topology, const RoutingFunction& routing);
/// Its channels, in order.
std::vector<ChannelId> untimed_route(const Schedule& schedule, int number, const Topology& topology,
                                     const RoutingFunction& routing);

/// Walks the schedule step by step along the routes. `ports`: local ports per node; a node that
/// sends or receives more transfers in a step is a fault.
/// `ways`: if there are any, messages take these, and not the routes.
Untimed evaluate(const Schedule& schedule, const Topology& topology, const RoutingFunction& routing,
                 int ports, const RelayedWays& ways = {});

}  // namespace flitwave
