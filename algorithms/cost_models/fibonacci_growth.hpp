// algorithms/cost_models/fibonacci_growth.hpp: the growth of a Fibonacci tree of k packets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitwave {

/// Nodes that can have a message of k packets after t steps, one send and one receive a step:
/// N(t, k) = N(t - k, k) + N(t - 1, k), and 1 before step k. No more than 2^62.
/// Needs: steps >= 0, packets >= 1
/// Source: Tsai 1997, section 5.3
long long fibonacci_nodes(int steps, int packets);

/// The least t with N(t, k) >= nodes: the steps of a broadcast to all of them. With one packet it
/// is recursive doubling.
/// Needs: nodes <= 2^62
/// Source: Tsai 1997, section 5.3
int fibonacci_steps(long long nodes, int packets);

}  // namespace flitwave
