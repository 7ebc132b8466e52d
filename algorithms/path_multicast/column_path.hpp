// algorithms/path_multicast/column_path.hpp: a multicast as worms along columns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/path_multicast/columns.hpp"
#include "algorithms/path_multicast/stops.hpp"

namespace flitwave {

/// The worms of a multicast: for each column with destinations, one to those above the source's
/// height and one to those below it. A destination at the source's height belongs to the worm
/// upwards, if there is one, else to the other. Columns are in the order of their feet, and a
/// worm's stops in the order of its path; no worm is empty.
///
/// Throws: ModelError when a destination is named twice, or is the source.
/// Source: Boppana, Chalasani & Raghavendra 1998, column-path routing
std::vector<Stops> column_path(const Columns& columns, NodeId source, const Stops& destinations);

}  // namespace flitwave
