// modules/clock/wheel.cpp: see wheel.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/clock/wheel.hpp"

#include <algorithm>
#include <utility>

#include "modules/signals/bits.hpp"

namespace flitwave {

Cycle Wheel::next() const {
  Cycle first = far_.empty() ? never : far_.begin()->first;
  if (!last_.empty()) first = std::min(first, last_.begin()->first);
  for (Cycle offset = 1; offset < slots;) {
    const std::size_t slot = slot_of(now_ + offset);
    const std::uint64_t rest = occupied_[slot >> 6] >> (slot & 63);
    if (rest != 0) return std::min(first, now_ + offset + lowest_of(rest));
    offset += 64 - static_cast<Cycle>(slot & 63);
  }
  return first;
}

void Wheel::advance(Cycle cycle) {
  now_ = cycle;
  const std::size_t slot = slot_of(cycle);
  due_.clear();
  due_.swap(near_[slot]);
  occupied_[slot >> 6] &= ~(std::uint64_t{1} << (slot & 63));
  while (!far_.empty() && far_.begin()->first <= cycle) {
    due_.insert(due_.end(), far_.begin()->second.begin(), far_.begin()->second.end());
    far_.erase(far_.begin());
  }
  for (Sleeper* sleeper : due_) sleeper->due();
  while (!last_.empty() && last_.begin()->first <= cycle) {
    const std::vector<Sleeper*> last = std::move(last_.begin()->second);
    last_.erase(last_.begin());
    for (Sleeper* sleeper : last) sleeper->due();
  }
}

}  // namespace flitwave
