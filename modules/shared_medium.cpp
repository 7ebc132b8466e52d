// modules/shared_medium.cpp: see shared_medium.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/shared_medium.hpp"

namespace flitwave {

SharedMedium::SharedMedium(const sc_core::sc_module_name& name, ClockDomain& domain, int stations)
    : Clocked(name, domain), transmit("transmit", static_cast<std::size_t>(stations)) {}

void SharedMedium::tick() {
  int transmitting = 0;
  for (const auto& wire : transmit) transmitting += wire.read() ? 1 : 0;
  const bool busy = transmitting > 0;
  const bool collided = transmitting > 1;
  if (busy == carrier.read() && collided == collision.read()) return;
  count(transmitting);
  carrier.write(busy);
  collision.write(collided);
  for (Clocked* station : stations_) domain().wake(*station);
}

void SharedMedium::count(int transmitting) {
  if (transmitting > 0 && !carrier.read()) {
    busy_since_ = now();
    collided_ = false;
  }
  if (transmitting > 1 && !collided_) {
    collided_ = true;
    ++collisions_;
  }
  if (transmitting > 0) return;
  busy_ += now() - busy_since_;
  if (!collided_) ++frames_;
}

std::vector<SharedPart::Count> SharedMedium::counts() const {
  const std::int64_t open = carrier.read() ? now() - busy_since_ : 0;
  return {{"medium.frames", frames_, "frame"},
          {"medium.collisions", collisions_, ""},
          {"medium.busy", busy_ + open, "cycle"}};
}

}  // namespace flitwave
