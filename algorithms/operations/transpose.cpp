// algorithms/operations/transpose.cpp: a matrix in blocks is transposed.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand.hpp"

namespace flitwave {
namespace {

struct TransposeParams {
  Bytes message;
};

const Grid& square_grid(const Topology& topology) {
  const Grid* grid = topology.grid();
  if (!grid || grid->dimensions() != 2 || grid->extent(0) != grid->extent(1))
    throw ConfigError("kind", "a matrix is transposed on a square 2D grid; the topology is not one",
                      "use a topology of shape [n, n], e.g. topology: {kind: mesh, shape: [4, 4]}");
  return *grid;
}

Demand transpose(const TransposeParams& params, const Topology& topology, Random&) {
  const Grid& grid = square_grid(topology);
  Demand demand{"transpose", {}};
  for (NodeId node : working_nodes(topology)) {
    const NodeId mirror = grid.node({grid.coordinate(node, 1), grid.coordinate(node, 0)});
    if (mirror != node && !topology.faults().broken(mirror))
      demand.deliveries.push_back({node, {mirror}, params.message});
  }
  return demand;
}

}  // namespace

void register_transpose(Operations& operations) {
  using P = TransposeParams;
  operations.add("transpose",
                 {"on a square grid of processors, the block at (x, y) moves to (y, x)",
                  "Tsai 1997, section 3.6"},
                 Schema<P>{}.required("message", &P::message, "length of a block", at_least(1)),
                 transpose);
}

}  // namespace flitwave
