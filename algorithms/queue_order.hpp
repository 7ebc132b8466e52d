// algorithms/queue_order.hpp: the order in which messages that wait at a node are sent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>
#include <string>
#include <vector>

namespace flitwave {

/// The message that is sent next among those that wait at a node.
enum class QueueOrder {
  fifo,               ///< The first that arrived.
  lifo,               ///< The last that arrived.
  largest_first,      ///< One whose receiver has most nodes to serve; of several, the first.
  lower_phase_first,  ///< One of the earliest phase of its algorithm; of several, the first.
};
std::vector<std::string> names_of(QueueOrder);

/// The properties that order messages, besides their time of arrival.
struct MessageRank {
  int addresses = 1;  ///< Nodes that the receiver is to serve, itself included.
  int phase = 0;      ///< Phase of the algorithm that sends it; 0: it has no phases.
};

/// Whether `b`, which arrived after `a`, is sent before it.
bool overtakes(const MessageRank& b, const MessageRank& a, QueueOrder order);

/// The next of some messages, given in the order of arrival. `rank`: of one of them.
/// Needs: first != last
template <class Iterator, class Rank>
Iterator next_in_queue(Iterator first, Iterator last, QueueOrder order, Rank rank) {
  Iterator next = first;
  for (Iterator other = std::next(first); other != last; ++other)
    if (overtakes(rank(*other), rank(*next), order)) next = other;
  return next;
}

}  // namespace flitwave
