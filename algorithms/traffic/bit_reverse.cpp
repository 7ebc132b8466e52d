// algorithms/traffic/bit_reverse.cpp: the bits of the source's number, last one first.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/fixed_pattern.hpp"

namespace flitwave {
namespace {

/// Source: Dally & Towles 2004, section 3.2, table 3.1.
std::unique_ptr<TrafficPattern> bit_reverse(const Topology& topology,
                                            const FixedPatternParams& params) {
  const int bits = address_bits(topology, "bit_reverse");
  return fixed_pattern(topology, params, [bits](int source) {
    int destination = 0;
    for (int bit = 0; bit < bits; ++bit) destination |= (source >> bit & 1) << (bits - 1 - bit);
    return destination;
  });
}

}  // namespace

void register_bit_reverse(TrafficPatterns& patterns) {
  add_fixed_pattern(patterns, "bit_reverse",
                    "to the node whose number has the bits in reverse order; a power of two nodes",
                    bit_reverse);
}

}  // namespace flitwave
