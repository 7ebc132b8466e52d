// algorithms/edn/shapes.hpp: how EDN broadcasts on each kind of network; one row per kind.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/edn/eds_tower.hpp"
#include "algorithms/edn/startup.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// Networks of one kind, and how EDN broadcasts on them.
struct EdnShape {
  std::string name;                               ///< For messages: "square meshes of ...".
  bool (*covers)(const Topology& topology);       ///< Range: topologies that have a grid.
  int (*ports_needed)(const Topology& topology);  ///< The most sends of a node in one step.
  EdnSteps (*plan)(NodeId source, const CollectiveContext& network);
};

/// All kinds; the first that covers a network serves it.
const std::vector<EdnShape>& edn_shapes();

/// The kind that serves a network. `actual`: the network as the job has it, for messages, where
/// plans are made for another order of its dimensions.
/// Throws: ConfigError on "kind" when none does, or when the nodes have too few ports for it.
const EdnShape& edn_shape_of(const CollectiveContext& planned, const Topology& actual);

/// From the source to the tops, then down level by level; the source is the child of no node.
EdnSteps descend(NodeId source, const EdsTower& tower, const EdsStartup& startup);

/// The extents of a grid without wrap-around in any dimension (a mesh), or with wrap-around and
/// channels in both directions in all of them (a torus); empty for any other topology.
std::vector<int> mesh_extents(const Topology& topology);
std::vector<int> torus_extents(const Topology& topology);

// The rows, each in a separate file.
EdnShape edn_on_square_meshes();
EdnShape edn_on_tiled_meshes();
EdnShape edn_on_3d_meshes();
EdnShape edn_on_2d_tori();
EdnShape edn_on_3d_tori();
EdnShape edn_by_search();

}  // namespace flitwave
