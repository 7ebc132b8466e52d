// testbenches/observers/time_parts.cpp: see time_parts.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/time_parts.hpp"

#include <algorithm>

namespace flitwave {

std::vector<std::string> names_of(Part) {
  return {"source_queue", "injection", "route_wait",    "vc_allocation_wait", "switch_wait",
          "credit_wait",  "link",      "serialisation", "ejection",           "router"};
}

void TimeParts::take_back(Part part, Cycle cycles) {
  if (cycles == 0) return;
  at(part).waited -= cycles;
  const Cycle rest = held_up_->cycles - cycles;
  held_up_ =
      rest == 0 ? held_up_->before
                : std::make_shared<const HeldUp>(HeldUp{held_up_->channel, rest, held_up_->before});
}

void TimeParts::skip_queue(Cycle cycles) {
  if (cycles == 0) return;
  at(Part::source_queue).zero_load -= 1;
  at(Part::source_queue).waited -= cycles - 1;
}

Cycle TimeParts::total() const {
  Cycle sum = 0;
  for (const Cycles& cycles : parts_) sum += cycles.zero_load + cycles.waited;
  return sum;
}

Cycle TimeParts::waited() const {
  Cycle sum = 0;
  for (const Cycles& cycles : parts_) sum += cycles.waited;
  return sum;
}

std::vector<std::pair<int, Cycle>> TimeParts::held_up() const {
  std::vector<std::pair<int, Cycle>> found;
  for (const HeldUp* place = held_up_.get(); place; place = place->before.get())
    found.emplace_back(place->channel, place->cycles);
  std::reverse(found.begin(), found.end());
  return found;
}

TimeParts& TimeParts::operator+=(const TimeParts& other) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].zero_load += other.parts_[i].zero_load;
    parts_[i].waited += other.parts_[i].waited;
  }
  return *this;
}

}  // namespace flitwave
