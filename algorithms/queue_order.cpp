// algorithms/queue_order.cpp: the order of two messages.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/queue_order.hpp"

namespace flitwave {

std::vector<std::string> names_of(QueueOrder) {
  return {"fifo", "lifo", "largest_first", "lower_phase_first"};
}

bool overtakes(const MessageRank& b, const MessageRank& a, QueueOrder order) {
  switch (order) {
    case QueueOrder::lifo:
      return true;
    case QueueOrder::largest_first:
      return b.addresses > a.addresses;
    case QueueOrder::lower_phase_first:
      return b.phase < a.phase;
    case QueueOrder::fifo:
      break;
  }
  return false;
}

}  // namespace flitwave
