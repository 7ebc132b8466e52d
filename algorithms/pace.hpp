// algorithms/pace.hpp: when the steps of a schedule begin.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/schedule.hpp"

namespace flitwave {

/// The schedule with a barrier of messages between its steps: the same transfers in the same order,
/// and after each step but the last a dissemination barrier among all nodes that send or receive
/// any message. In its round k, from 0, the i-th of n such nodes sends a signal without data to the
/// (i + 2^k) mod n-th. A node enters the barrier when it has received all its messages of the step,
/// and begins the next step when it has the last round's signal: steps do not overlap, but nodes
/// begin them at different times. Rounds are steps of their own. The result has dataflow pace.
///
/// Steps: those that send, and ceil(log2 n) between any two of them.
/// Throws: ConfigError on the key `barrier` when the network copies messages, or deliveries have
///   release times of their own.
/// Source: Hensgen, Finkel, Manber 1988 (dissemination); Eberhart 1996, section 2.1.4
Schedule with_message_barriers(const Schedule& schedule);

}  // namespace flitwave
