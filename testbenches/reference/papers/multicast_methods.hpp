// testbenches/reference/papers/multicast_methods.hpp: channels that a multicast crosses, by
// method.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/cube_multicast/baselines.hpp"
#include "algorithms/cube_multicast/level_trees.hpp"
#include "algorithms/cube_multicast/tie_rule.hpp"

namespace flitwave {

/// The methods that Lan 1988 compares.
enum class MulticastMethod {
  greedy,             ///< `greedy_walk`
  spare_global_send,  ///< `spare_global_send`
  multiple_unicast,   ///< `multiple_unicast_traffic`
  broadcast,          ///< `broadcast_traffic`
  optimal,            ///< `fewest_links_by_subsets`, `fewest_links_by_levels`
  lower_bound,        ///< A channel for each destination.
};
std::vector<std::string> names_of(MulticastMethod);

/// The traffic of multicasts from one source of a fault-free cube.
/// Source: Lan 1988, section 5.4.2
class MulticastTraffic {
 public:
  /// Throws: ConfigError on "source" when the cube has no such node.
  explicit MulticastTraffic(const Cube& cube, CubeAddress source = 0,
                            TieRule ties = TieRule::lowest(),
                            NearestTie nearest = NearestTie::first_in_list);

  /// Channels crossed; each destination is named once, the source is not named.
  /// Throws: ConfigError on "destinations[i]" when the cube has no such node, or it is the source
  ///   or named twice; on "destinations" when the optimal tree takes too long, as in
  ///   `fewest_links_by_levels`.
  int of(MulticastMethod method, const CubeNodes& destinations) const;

 private:
  void require(const CubeNodes& destinations) const;
  int optimal(const CubeNodes& destinations) const;

  Cube cube_;
  CubeAddress source_;
  TieRule ties_;
  NearestTie nearest_;
  SourceLevels levels_;
};

/// The relative excess of some values over others, set by set.
struct Excess {
  double mean = 0;       ///< mu
  double deviation = 0;  ///< sigma, of the whole population.
  int worst = 0;
};
/// Needs: equally many values, at least one.
/// Source: Lan 1988, section 5.4.2, Fig. 5.5
Excess excess_of(const std::vector<int>& values, const std::vector<int>& over);

}  // namespace flitwave
