// algorithms/arrays/combining_cost.hpp: up to which degree combining messages pays off.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "algorithms/arrays/sections/message_cost.hpp"

namespace flitwave {

/// How many times the number of a base pattern's messages is halved before they are sent: by
/// gathering at half of the senders, and by scattering from half of the receivers. {0, 0}: each
/// node sends to each.
/// Source: Eberhart 1996, algorithm 5
struct CombiningDegree {
  int gathers = 0;
  int scatters = 0;

  friend bool operator==(CombiningDegree a, CombiningDegree b) {
    return a.gathers == b.gathers && a.scatters == b.scatters;
  }
};

/// The cost of a transfer at a degree of combining, counted in startups and in units. A unit: what
/// one source node has for one destination node.
struct CombiningCost {
  std::int64_t overhead_startups = 0;  ///< For gathers and scatters, once per transfer.
  std::int64_t overhead_units = 0;
  std::int64_t region_startups = 0;  ///< Through the bottleneck, per region.
  std::int64_t region_units = 0;

  /// `cost.per_element`: per unit.
  double overhead(MessageCost cost) const { return cost.of(overhead_units, overhead_startups); }
  double region(MessageCost cost) const { return cost.of(region_units, region_startups); }
  /// The cost of a transfer of `regions` regions one after another.
  double total(std::int64_t regions, MessageCost cost) const {
    return overhead(cost) + static_cast<double>(regions) * region(cost);
  }
};

/// The cost of a degree.
/// Needs: powers of two, 2^gathers <= sources, 2^scatters <= destinations
/// Source: Eberhart 1996, the table of section 3.2.4
CombiningCost combining_cost(int sources, int destinations, CombiningDegree degree);

/// Each node sends to each, for any number of nodes.
/// Source: Eberhart 1996, equation 3.8
CombiningCost one_to_one_cost(int sources, int destinations);

/// One sender and one receiver per base pattern. For numbers of nodes that are no powers of two,
/// logarithms are rounded up.
/// Source: Eberhart 1996, equations 3.9 and 3.10
CombiningCost gather_scatter_cost(int sources, int destinations);

/// Combines while the startups saved cost at least as much as the next gather or scatter.
/// Needs: powers of two, regions >= 1
/// Source: Eberhart 1996, algorithm 5
CombiningDegree choose_degree(int sources, int destinations, std::int64_t regions,
                              MessageCost cost);

/// Whether a number of nodes can be halved down to 1.
bool is_power_of_two(int nodes);

}  // namespace flitwave
