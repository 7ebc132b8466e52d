// topologies/files/graph_files.hpp: graphs in files of their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configs/input_file.hpp"
#include "topologies/files/edge_list.hpp"

namespace flitwave {

/// Reads a GraphML file: nodes in file order, and edges in file order, those of an undirected graph
/// as pairs. It reads the data `name` of nodes and `from_port` and `to_port` of edges; all other
/// data are ignored.
/// Throws: ConfigError on `file` when it is missing or no GraphML, or has no nodes, too many or
///   wrongly named ones, or ports that are no numbers.
EdgeList read_graphml(const InputFile& file);

}  // namespace flitwave
