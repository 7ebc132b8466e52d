// algorithms/edn/shapes.cpp: the kinds of networks that EDN supports, and the selection of one.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/shapes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/grid/grid_walk.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

std::string described(const Topology& topology) {
  const Grid* grid = topology.grid();
  if (!grid) return "no grid";
  std::string text = fmt::format("a grid of {}", fmt::join(grid->extents(), " x "));
  for (int dimension = 0; dimension < grid->dimensions(); ++dimension)
    if (grid->wraps(dimension)) return text + " with wrap-around";
  return text;
}

/// The extents of a grid that has wrap-around and channels in both directions in all dimensions, or
/// no wrap-around.
std::vector<int> extents_if(const Topology& topology, bool wraps) {
  const Grid* grid = topology.grid();
  if (!grid) return {};
  for (int dimension = 0; dimension < grid->dimensions(); ++dimension)
    if (grid->wraps(dimension) != wraps || (wraps && !(has_channels(topology, dimension, +1) &&
                                                       has_channels(topology, dimension, -1))))
      return {};
  return grid->extents();
}

}  // namespace

const std::vector<EdnShape>& edn_shapes() {
  static const std::vector<EdnShape> shapes{edn_on_square_meshes(), edn_on_tiled_meshes(),
                                            edn_on_3d_meshes(),     edn_on_2d_tori(),
                                            edn_on_3d_tori(),       edn_by_search()};
  return shapes;
}

const EdnShape& edn_shape_of(const CollectiveContext& planned, const Topology& actual) {
  const Topology& topology = planned.topology;
  const auto shape = std::find_if(
      edn_shapes().begin(), edn_shapes().end(),
      [&](const EdnShape& known) { return topology.grid() && known.covers(topology); });
  if (shape == edn_shapes().end()) {
    std::vector<std::string> names;
    for (const EdnShape& known : edn_shapes()) names.push_back(known.name);
    throw ConfigError(
        "kind",
        fmt::format("EDN is known for {}; this is {}", fmt::join(names, ", "), described(actual)),
        fmt::format("change the topology, or use kind: recursive_doubling{}",
                    has_two_per_dimension(actual.grid()) ? " or kind: binomial" : ""));
  }
  const int needed = shape->ports_needed(topology);
  if (planned.ports < needed)
    throw ConfigError("kind",
                      fmt::format("edn needs nodes of {} ports on {}; the nodes have {}", needed,
                                  described(actual), planned.ports),
                      fmt::format("use node.ports: all or node.ports: {}", needed));
  return *shape;
}

EdnSteps descend(NodeId source, const EdsTower& tower, const EdsStartup& startup) {
  EdnSteps steps;
  const auto add = [&](const std::vector<EdsLink>& links) {
    steps.emplace_back();
    for (const EdsLink& link : links)
      if (link.child != source) steps.back().push_back(link);
  };
  if (startup.steps() >= 1) add(startup.first);
  if (startup.steps() == 2) add(startup.second);
  for (int level = tower.height(); level > 0; --level) add(tower.descent(level));
  return steps;
}

std::vector<int> mesh_extents(const Topology& topology) { return extents_if(topology, false); }
std::vector<int> torus_extents(const Topology& topology) { return extents_if(topology, true); }

}  // namespace flitwave
