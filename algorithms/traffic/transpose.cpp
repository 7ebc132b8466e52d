// algorithms/traffic/transpose.cpp: rows and columns are exchanged.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "algorithms/fixed_pattern.hpp"

namespace flitwave {
namespace {

/// On a square of any width (x, y) sends to (y, x). Elsewhere the halves of the bits of the node's
/// number are exchanged, which is the same where both are defined.
///
/// Throws: ConfigError when neither is possible.
/// Source: Dally & Towles 2004, section 3.2, table 3.1.
std::unique_ptr<TrafficPattern> transposed_place(const Topology& topology,
                                                 const FixedPatternParams& params) {
  const Grid* grid = topology.grid();
  if (grid && grid->dimensions() == 2 && grid->extent(0) == grid->extent(1))
    return fixed_pattern(topology, params, [grid](int source) {
      const NodeId node(source);
      return grid->node({grid->coordinate(node, 1), grid->coordinate(node, 0)}).value();
    });
  const int bits = address_bits(topology, "transpose");
  if (bits % 2 != 0)
    throw ConfigError("kind",
                      fmt::format("transpose exchanges the halves of a node's number, which for "
                                  "{} nodes has {} bits",
                                  topology.nodes(), bits),
                      "use a square grid, or a network of 4, 16, 64, 256, ... nodes");
  const int half = bits / 2;
  return fixed_pattern(topology, params, [half](int source) {
    return (source & ((1 << half) - 1)) << half | source >> half;
  });
}

}  // namespace

void register_transpose(TrafficPatterns& patterns) {
  add_fixed_pattern(patterns, "transpose",
                    "(x, y) to (y, x) on a square grid; elsewhere the halves of the bits of the "
                    "node's number are exchanged",
                    transposed_place);
}

}  // namespace flitwave
