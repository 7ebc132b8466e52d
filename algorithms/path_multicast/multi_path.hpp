// algorithms/path_multicast/multi_path.hpp: a multicast as up to four worms, divided by columns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/path_multicast/path_labels.hpp"
#include "algorithms/path_multicast/stops.hpp"

namespace flitwave {

/// The worms of a multicast in a 2D grid. Each worm leaves the source by a different neighbour: the
/// two with greater labels, then the two with smaller ones; of each two the one in the source's row
/// first. A worm upwards visits labels in ascending order, a worm downwards in descending order; no
/// worm is empty.
///
/// Needs: labels whose first hop is by column
/// Throws: ModelError when a destination is named twice, or is the source.
/// Source: Lin, McKinley & Ni 1994, multi-path routing
std::vector<Stops> multi_path(const PathLabels& labels, NodeId source, const Stops& destinations);

}  // namespace flitwave
