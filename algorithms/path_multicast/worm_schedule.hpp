// algorithms/path_multicast/worm_schedule.hpp: the schedule of multicasts that are sent as worms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "algorithms/path_multicast/stops.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// The worms of one multicast; those without stops are left out.
using WormShares = std::function<std::vector<Stops>(NodeId source, const Stops& destinations)>;

/// Sends each delivery of a demand along its worms. In a step a multicast sends as many worms as
/// nodes have ports; a delivery with a release time counts its own steps, others follow one
/// another. `direction`: the one that all worms name, if any.
/// Range: ports >= 1
Schedule schedule_worms(const Demand& demand, int ports, const WormShares& worms_of,
                        std::optional<Direction> direction = std::nullopt);

}  // namespace flitwave
