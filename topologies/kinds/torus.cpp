// topologies/kinds/torus.cpp: the k-ary n-cube with wrap-around channels.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "topologies/grid_network.hpp"
#include "topologies/topology.hpp"

namespace flitwave {
namespace {

struct TorusParams {
  std::vector<int> shape;
  std::vector<bool> wrap;
  Directions directions = Directions::both;
};

/// A mesh in which the last node of a row also reaches the first, in the dimensions that wrap.
/// Where such an extent is 2, both directions lead to the same neighbour: two parallel channels,
/// distinguished by port. An extent of 1 has no channels.
///
/// Nodes: product of `shape`.  Channels: 2 * dimensions * nodes; half of it when directed.
/// Throws: ConfigError naming `shape`, as Grid, or `wrap` when its length differs.
/// Source: Dally & Towles 2004, chapter 5.
Topology torus(const TorusParams& params) {
  const std::vector<bool> wraps =
      params.wrap.empty() ? std::vector<bool>(params.shape.size(), true) : params.wrap;
  if (wraps.size() != params.shape.size())
    throw ConfigError("wrap",
                      fmt::format("{} values for {} dimensions", wraps.size(), params.shape.size()),
                      "give one value per dimension, as in [true, false]");
  return grid_network(Grid(params.shape, wraps), params.directions);
}

}  // namespace

void register_torus(Topologies& topologies) {
  topologies.add(
      "torus",
      {"k-ary n-cube with wrap-around channels",
       "Dally & Towles 2004, chapter 5",
       {"{kind: torus, shape: [8, 8]}",
        "{kind: torus, shape: [5, 2, 3], wrap: [true, true, false]}",
        "{kind: torus, shape: [4, 2], directions: positive}"}},
      Schema<TorusParams>{}
          .required("shape", &TorusParams::shape,
                    "routers per dimension, e.g. [8, 8]: 8 columns (x), 8 rows (y)")
          .optional("wrap", &TorusParams::wrap,
                    "which dimensions wrap around, e.g. [true, false]; all when empty")
          .optional("directions", &TorusParams::directions,
                    "channels of the dimensions that wrap: in both directions, or only towards "
                    "greater or smaller coordinates, modulo the extent"),
      torus);
}

}  // namespace flitwave
