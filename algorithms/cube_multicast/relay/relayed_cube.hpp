// algorithms/cube_multicast/relay/relayed_cube.hpp: a network whose routers relay messages with
// lists.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/cube_multicast/faults/cube_faults.hpp"
#include "algorithms/cube_multicast/relay/relay.hpp"
#include "algorithms/untimed/untimed.hpp"

namespace flitwave {

/// A cube of relay routers, with the faults that exist from the start.
class RelayedCube {
 public:
  /// The network outlives it.
  /// Throws: ConfigError on the key `kind`, naming `user`, when the network is no hypercube.
  RelayedCube(const Topology& network, const std::string& user, RelayRules rules)
      : network_(network), faults_(cube_faults(network, user)), rules_(std::move(rules)) {}

  const Topology& network() const { return network_; }
  const Cube& cube() const { return faults_.cube(); }
  const RelayRules& rules() const { return rules_; }

  /// The walk of a message that a node's processor sends.
  /// Throws: as `header_for` and `relay_walk`.
  CubeWalk walk(CubeAddress source, const CubeNodes& destinations) const;
  /// The same, for evaluation on the graph: one channel per step.
  RelayedWay way(NodeId from, const std::vector<NodeId>& to) const;
  /// The channel of a hop.
  ChannelId channel_of(const CubeHop& hop) const;

 private:
  const Topology& network_;
  CubeFaults faults_;
  RelayRules rules_;
};

}  // namespace flitwave
