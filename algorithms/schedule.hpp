// algorithms/schedule.hpp: who sends what to whom, after what.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "flitwave/algorithms/demand.hpp"
#include "flitwave/configs/registry.hpp"
#include "flitwave/topologies/topology.hpp"

namespace flitwave {

class RoutingFunction;

/// When a node may start a transfer of a schedule.
enum class Pace {
  dataflow,  ///< As soon as it has the message and its earlier sends were started.
  stepped,   ///< Not before every transfer of the step before is complete.
};
std::vector<std::string> names_of(Pace);

/// One message from one node to another, as one step of a schedule.
struct Transfer {
  int message = 0;  ///< Index into the demand.
  NodeId from;
  NodeId to;
  int step = 1;       ///< Message-passing step in which the transfer happens, from 1.
  int addresses = 1;  ///< Destinations named in the header: those the receiver is to serve.
};

/// The transfers that serve a demand, in the order in which each node issues its sends.
class Schedule {
 public:
  explicit Schedule(Demand demand, Pace pace = Pace::dataflow);

  /// Appends a transfer.
  /// Throws: ModelError when the sender does not have the message before `step`, or the receiver
  ///   has it already; naming both.
  void send(int message, NodeId from, NodeId to, int step, int addresses = 1);

  const Demand& demand() const { return demand_; }
  Pace pace() const { return pace_; }
  const std::vector<Transfer>& transfers() const { return transfers_; }
  int steps() const { return steps_; }

 private:
  Demand demand_;
  Pace pace_;
  std::vector<Transfer> transfers_;
  std::vector<std::vector<std::pair<NodeId, int>>>
      holders_;  // per message, by node: node, step received
  int steps_ = 0;
};

/// What a collective may know of the network beside its graph.
struct CollectiveContext {
  const Topology& topology;
  const RoutingFunction& routing;  ///< The routes its messages will take.
  int ports = 1;                   ///< Local ports per node: sends at a time.
};

/// Kinds of collective: parameters, demand, network -> Schedule.
using Collectives = Registry<Schedule(const Demand&, const CollectiveContext&)>;

}  // namespace flitwave
