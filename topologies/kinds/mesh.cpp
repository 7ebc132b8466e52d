// topologies/kinds/mesh.cpp: the grid with borders.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/grid_network.hpp"
#include "topologies/topology.hpp"

namespace flitwave {
namespace {

struct MeshParams {
  std::vector<int> shape;
};

/// Neighbours along a dimension have a channel in each direction; rows end at the border.
///
/// Nodes: product of `shape`.  Channels: 2 * (extent - 1) per row.
/// Throws: ConfigError naming `shape`, as Grid.
/// Source: Dally & Towles 2004, chapter 5.
// [mesh]
Topology mesh(const MeshParams& params) {
  return grid_network(Grid(params.shape, std::vector<bool>(params.shape.size(), false)),
                      Directions::both);
}
// [mesh]

}  // namespace

void register_mesh(Topologies& topologies) {
  topologies.add("mesh",
                 {"grid with borders, any number of dimensions",
                  "Dally & Towles 2004, chapter 5",
                  {"{kind: mesh, shape: [8, 8]}"}},
                 Schema<MeshParams>{}.required("shape", &MeshParams::shape,
                                               "routers per dimension, e.g. [8, 8]: 8 columns "
                                               "(x), 8 rows (y)"),
                 mesh);
}

}  // namespace flitwave
