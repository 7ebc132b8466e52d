// modules/relayed_messages.cpp: see relayed_messages.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/modules/relayed_messages.hpp"

#include <algorithm>
#include <string>

#include "flitwave/configs/error.hpp"

namespace flitwave {

void RelayedMessages::add(Flit carrier, std::int64_t data) {
  Message& message = messages_[carrier.packet_bits()];
  message.data = data;
  for (const int slot : packets_.copies(carrier)) {
    const Flit copy(carrier.source(), slot, 0, true, false, 0);
    message.slots.emplace_back(packets_.packet(copy).header.destination, slot);
  }
  std::sort(message.slots.begin(), message.slots.end());
}

void RelayedMessages::announce(Flit carrier, NodeId router, CubeHeader header) {
  auto& coming = messages_.at(carrier.packet_bits()).coming;
  if (!coming.emplace(router, std::move(header)).second)
    throw ModelError("a message comes twice into the router of node " +
                     std::to_string(router.value()));
}

const RelayedMessages::Message& RelayedMessages::message(Flit carrier) const {
  const auto found = messages_.find(carrier.packet_bits());
  if (found == messages_.end())
    throw ModelError("a flit of node " + std::to_string(carrier.source().value()) +
                     " belongs to no message");
  return found->second;
}

const CubeHeader& RelayedMessages::header(Flit carrier, NodeId router) const {
  const auto& coming = message(carrier).coming;
  const auto found = coming.find(router);
  if (found == coming.end())
    throw ModelError("a message came into the router of node " + std::to_string(router.value()) +
                     " without a header");
  return found->second;
}

int RelayedMessages::slot_for(Flit carrier, NodeId destination) const {
  const auto& slots = message(carrier).slots;
  const auto found = std::lower_bound(slots.begin(), slots.end(), std::pair(destination, 0));
  if (found == slots.end() || found->first != destination)
    throw ModelError("a message that is not for node " + std::to_string(destination.value()) +
                     " is delivered to it");
  return found->second;
}

void RelayedMessages::finish(Flit carrier, NodeId router, Cycle now) {
  const auto found = messages_.find(carrier.packet_bits());
  auto& coming = found->second.coming;
  coming.erase(router);
  if (!coming.empty()) return;
  messages_.erase(found);
  packets_.release_carrier(carrier, now);
}

}  // namespace flitwave
