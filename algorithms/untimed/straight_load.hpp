// algorithms/untimed/straight_load.hpp: the load of channels if every message is sent directly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "algorithms/routing.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// The weight of a message, e.g. the time for which it holds its channels. Range: >= 0
using MessageWeight = std::function<std::int64_t(const Delivery& delivery)>;

/// The weighted deliveries over each channel, if every one is a message of its own from its source
/// along the route. As no two can be on a channel at a time, the greatest load is a lower bound of
/// the time in which such messages can be delivered; a schedule that combines messages may take
/// less. Shape: [channels]
///
/// None where a delivery has several sources or destinations, so that it need not be one message.
/// Source: Eberhart 1996, sections 3.1.2 and 5.2.3
std::optional<std::vector<std::int64_t>> straight_load(const Demand& demand,
                                                       const Topology& topology,
                                                       const RoutingFunction& routing,
                                                       const MessageWeight& weight);
/// The same for the number of messages.
std::optional<std::vector<std::int64_t>> straight_load(const Demand& demand,
                                                       const Topology& topology,
                                                       const RoutingFunction& routing);

}  // namespace flitwave
