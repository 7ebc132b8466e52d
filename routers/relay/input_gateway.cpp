// routers/relay/input_gateway.cpp: see input_gateway.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/input_gateway.hpp"

#include <algorithm>

namespace flitwave {

InputGateway::InputGateway(InputPort& port, int number, int units, Cycle delay)
    : port_(port), delay_(delay) {
  if (units > 0) words_ = &port.channel().words();
  for (int unit = 0; unit < units; ++unit) units_.emplace_back(UnitPlace{number, unit});
}

bool InputGateway::is_empty() const {
  return std::all_of(units_.begin(), units_.end(),
                     [](const MessageUnit& unit) { return unit.free(); });
}

void InputGateway::take_request() {
  const int buffer_class = port_.request();
  const bool exists = index(buffer_class) < units_.size();
  if (!exists || std::find(requests_.begin(), requests_.end(), buffer_class) != requests_.end())
    throw ModelError(
        port_.channel().name() + std::string(": a request of class ") +
        std::to_string(buffer_class) +
        (exists ? " arrived while another one waits" : " arrived, which has no buffer"));
  requests_.push_back(buffer_class);
}

/// The next message is accepted at the earliest in the cycle after the last flit of the one before.
MessageUnit* InputGateway::reserve(Cycle now) {
  if (is_receiving()) return nullptr;
  const auto first = std::find_if(requests_.begin(), requests_.end(),
                                  [&](int buffer_class) { return unit(buffer_class).waits(now); });
  if (first == requests_.end()) return nullptr;
  receiving_ = *first;
  requests_.erase(first);
  receiver().reserve();
  acknowledges_at_ = now + delay_;
  return &receiver();
}

bool InputGateway::is_about_to_reserve() const {
  return !is_receiving() && std::any_of(requests_.begin(), requests_.end(), [&](int buffer_class) {
    return units_[index(buffer_class)].free();
  });
}

bool InputGateway::take(const ArrivalSite& site, Cycle now) {
  last_arrival_ = now;
  if (!receiver().take(port_.standing(), words_->at(now), site)) return false;
  stop_receiving();
  return true;
}

}  // namespace flitwave
