// testbenches/reference/rules/dimension_order_rule.hpp: whole routes that correct one coordinate
// after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "testbenches/reference/rules/hop.hpp"
#include "testbenches/reference/rules/lattice.hpp"

namespace flitwave::reference {

/// The class of virtual channels of a packet in a ring. Dally & Seitz 1987 break the dependency
/// cycle of a ring at one channel, here at the one between the greatest and the least coordinate
/// (the wrap channel): packets change their class there, or keep one for the whole ring.
enum class ClassRule {
  remaining_wrap,  ///< 1 up to and on the wrap channel; 0 behind it, and without a crossing.
  after_crossing,  ///< 1 on the wrap channel and behind it; else 0.
  at_ring_entry,   ///< 1 in the whole ring for packets that cross the wrap channel; else 0.
  none,            ///< 0 throughout.
};

/// e-cube routing (Dally & Seitz 1987, section 4), with rings.
struct DimensionOrderRule {
  std::vector<int> order;  ///< Dimensions in the order of correction.
  int always = 0;          ///< +1 or -1: direction in all rings; 0: the shorter one.
  ClassRule classes = ClassRule::remaining_wrap;
};

/// All hops from source to destination.
/// `tie_steps`: +1 or -1 for each dimension, used if both directions of a ring have the same
/// length.
Hops dimension_order_route(const Lattice& lattice, const DimensionOrderRule& rule, int source,
                           int destination, const std::vector<int>& tie_steps);

/// The first hop of such a route, by dimensions 0, 1, 2, ..., the shorter directions and classes
/// `remaining_wrap`. It depends on the node and the destination only.
/// Needs: here != destination
Hop dimension_order_hop(const Lattice& lattice, int here, int destination,
                        const std::vector<int>& tie_steps);

}  // namespace flitwave::reference
