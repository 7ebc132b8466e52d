// algorithms/untimed/overlapping_steps.hpp: transfers of different steps that may contend for a
// channel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "algorithms/untimed/untimed.hpp"

namespace flitwave {

/// Transfers of one message, in different steps, that may overlap in time and need one class of
/// virtual channels of a channel. Of two transfers the second never overlaps with the first if it
/// has the same sender, or if its sender received the message through the receiver of the first or
/// through a node that was served after it.
///
/// Complexity: O(crossings * log(crossings))
/// Needs: nodes of one port, which send in the order of the schedule
/// Returns: for each class of a channel on which a transfer contends with others in this way, one
///   of them, the earlier step first; empty exactly if there are none. By message, then channel.
///   None where a message is not sent along a tree, or is combined with others, or travels with
///   them.
/// Source: McKinley et al. 1994, theorem 2; Wang et al. 2001, section 4.2
std::optional<std::vector<Contention>> overlapping_steps(const Schedule& schedule,
                                                         const Topology& topology,
                                                         const RoutingFunction& routing);

}  // namespace flitwave
