// algorithms/cube_multicast/baselines.hpp: methods that greedy multicast is compared with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/cube_multicast/walk.hpp"

namespace flitwave {

/// A message for each destination, by UNICAST.1.
/// Source: Lan 1988, section 5.4.2
int multiple_unicast_traffic(CubeAddress source, const CubeNodes& destinations);

/// A broadcast, whatever the destinations.
/// Source: Lan 1988, section 5.4.2
int broadcast_traffic(const Cube& cube);

/// Spare Global Send: which of several nearest destinations is served first.
enum class NearestTie {
  first_in_list,
  lowest_relative,  ///< The lowest address, relative to the sender.
};
std::vector<std::string> names_of(NearestTie);

/// A message of Spare Global Send: from one processor to another, which serves the list.
struct SpareSend {
  CubeAddress from = 0;
  CubeAddress to = 0;
  CubeNodes list;  ///< `to`, and destinations beyond it on a shortest path.
};

/// Spare Global Send: a processor sends to the nearest destination, which receives the message and
/// serves all destinations that have it on a shortest path; then to the nearest of the others.
/// Messages are routed by UNICAST.1. In the order of sending; a node's sends follow its receive.
/// Source: Moler and Scott 1986, as restated by Lan 1988, section 5.4.2, which leaves ties open
std::vector<SpareSend> spare_global_send(CubeAddress source, const CubeNodes& destinations,
                                         NearestTie tie = NearestTie::first_in_list);

/// Channels crossed by the messages; one that two messages cross counts twice.
int spare_traffic(const std::vector<SpareSend>& sends);

/// Mean distance of the other nodes of a cube from one node.
/// Source: Lan 1988, section 5.4.2
double mean_cube_distance(const Cube& cube);

}  // namespace flitwave
