// algorithms/traffic/shuffle.cpp: the bits of the source's number, rotated by one position.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/fixed_pattern.hpp"

namespace flitwave {
namespace {

/// A perfect shuffle: the highest bit becomes the lowest, the others move up.
/// Source: Dally & Towles 2004, section 3.2, table 3.1.
std::unique_ptr<TrafficPattern> shuffle(const Topology& topology,
                                        const FixedPatternParams& params) {
  const int bits = address_bits(topology, "shuffle");
  const int all = (1 << bits) - 1;
  return fixed_pattern(topology, params, [bits, all](int source) {
    return bits == 0 ? source : (source << 1 & all) | source >> (bits - 1);
  });
}

}  // namespace

void register_shuffle(TrafficPatterns& patterns) {
  add_fixed_pattern(
      patterns, "shuffle",
      "to the node whose number has the bits rotated up by one position; a power of two nodes",
      shuffle);
}

}  // namespace flitwave
