// algorithms/datum.cpp: see datum.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/datum.hpp"

#include <algorithm>

#include <climits>

#include "configs/random.hpp"

namespace flitwave {

Datum contribution(int piece, NodeId source) {
  Random random(static_cast<std::uint64_t>(piece), "contribution",
                static_cast<std::uint64_t>(source.value()));
  return {1, random.bits()};
}

void PieceHistory::add(const Receipt& receipt) {
  const auto later = std::upper_bound(receipts_.begin(), receipts_.end(), receipt.step,
                                      [](int step, const Receipt& had) { return step < had.step; });
  receipts_.insert(later, receipt);
}

Datum PieceHistory::held_before(int step) const {
  Datum held;
  for (const Receipt& receipt : receipts_) {
    if (receipt.step >= step) break;
    if (replaces(receipt.use)) held = {};
    held += receipt.datum;
  }
  return held;
}

Datum PieceHistory::received_before(int step) const {
  Datum received;
  for (const Receipt& receipt : receipts_) {
    if (receipt.step >= step) break;
    if (replaces(receipt.use)) received = {};
    if (receipt.transfer >= 0) received += receipt.datum;
  }
  return received;
}

Datum PieceHistory::result() const {
  Datum result;
  for (const Receipt& receipt : receipts_) {
    if (receipt.use == Use::pass_on) continue;
    if (replaces(receipt.use)) result = {};
    result += receipt.datum;
  }
  return result;
}

}  // namespace flitwave
