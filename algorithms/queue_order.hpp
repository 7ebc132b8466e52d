// algorithms/queue_order.hpp: which of the messages that wait at a node goes next.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>
#include <string>
#include <vector>

namespace flitwave {

/// Which of the messages that wait at a node goes next.
enum class QueueOrder {
  fifo,               ///< The first that came.
  lifo,               ///< The last that came.
  largest_first,      ///< One whose receiver has most nodes to serve; of several, the first.
  lower_phase_first,  ///< One of the earliest phase of its algorithm; of several, the first.
};
std::vector<std::string> names_of(QueueOrder);

/// What orders messages, beside the time for which they wait.
struct MessageRank {
  int addresses = 1;  ///< Nodes that the receiver is to serve, itself included.
  int phase = 0;      ///< Of the algorithm that sends it; 0: there are none.
};

/// Whether `b`, which came after `a`, goes before it.
bool overtakes(const MessageRank& b, const MessageRank& a, QueueOrder order);

/// Which of some messages, in the order in which they came, goes next. `rank`: of one of them.
/// Needs: first != last
template <class Iterator, class Rank>
Iterator next_in_queue(Iterator first, Iterator last, QueueOrder order, Rank rank) {
  Iterator next = first;
  for (Iterator other = std::next(first); other != last; ++other)
    if (overtakes(rank(*other), rank(*next), order)) next = other;
  return next;
}

}  // namespace flitwave
