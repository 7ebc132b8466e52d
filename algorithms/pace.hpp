// algorithms/pace.hpp: when the steps of a schedule may begin.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/schedule.hpp"

namespace flitwave {

/// The schedule with a barrier of messages between its steps: the same transfers in the same order,
/// and after each step but the last a dissemination barrier among all nodes that send or receive
/// anything. In its round k, from 0, the i-th of n such nodes sends a signal without data to the
/// (i + 2^k) mod n-th. A node takes part when it has all that it receives in the step, and begins
/// the next when it has the last round's signal: steps do not overlap, but nodes begin them apart.
/// Rounds are steps of their own. The result goes at dataflow pace.
///
/// Steps: those that send, and ceil(log2 n) between any two of them.
/// Throws: ConfigError on the key `barrier` when the network is to copy messages, or deliveries are
///   released on their own.
/// Source: Hensgen, Finkel, Manber 1988 (dissemination); Eberhart 1996, section 2.1.4
Schedule with_message_barriers(const Schedule& schedule);

}  // namespace flitwave
