// testbenches/run/testbench/fingerprint.cpp: see fingerprint.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/testbench/fingerprint.hpp"

#include <algorithm>

#include "configs/random.hpp"

namespace flitwave {

void Fingerprint::on_transits(Cycle cycle, const std::vector<Transit>& transits) {
  const std::uint64_t when = mix(static_cast<std::uint64_t>(cycle) + 1);
  std::uint64_t sum = 0;  // local: a member would be stored for each transit
  for (const Transit& transit : transits) {
    const std::uint64_t flit = transit.flit.bits() & 0x3fffffff;  // not the slot
    const std::uint64_t what = packets_.key(transit.flit) + flit;
    sum += mix(what ^ when ^ static_cast<std::uint64_t>(transit.channel) << 40);
  }
  sum_ += sum;
  last_ = std::max(last_, cycle);
  count_ += static_cast<std::int64_t>(transits.size());
}

void Fingerprint::on_delivery(const PacketDelivery& delivery) {
  sum_ += mix(delivery.packet.key ^ delivery.signature);
  last_ = std::max(last_, delivery.taken - 1);
  count_ += delivery.packet.length * delivery.channels;
}

}  // namespace flitwave
