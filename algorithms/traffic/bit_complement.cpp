// algorithms/traffic/bit_complement.cpp: every bit of the source's number is inverted.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/fixed_pattern.hpp"

namespace flitwave {
namespace {

/// Source: Dally & Towles 2004, section 3.2, table 3.1.
std::unique_ptr<TrafficPattern> bit_complement(const Topology& topology,
                                               const FixedPatternParams& params) {
  const int all = (1 << address_bits(topology, "bit_complement")) - 1;
  return fixed_pattern(topology, params, [all](int source) { return all - source; });
}

}  // namespace

void register_bit_complement(TrafficPatterns& patterns) {
  add_fixed_pattern(patterns, "bit_complement",
                    "to the node whose number has every bit inverted; a power of two nodes",
                    bit_complement);
}

}  // namespace flitwave
