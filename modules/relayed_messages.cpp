// modules/relayed_messages.cpp: see relayed_messages.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/modules/relayed_messages.hpp"

#include <algorithm>
#include <string>

#include "flitwave/configs/error.hpp"

namespace flitwave {

void RelayedMessages::add(Flit bundle, std::int64_t data) {
  Message& message = messages_[bundle.packet_bits()];
  message.data = data;
  for (const int slot : packets_.copies(bundle)) {
    const Flit copy(bundle.source(), slot, 0, true, false, 0);
    message.targets.push_back({packets_.packet(copy).header.destination, slot});
  }
  std::sort(message.targets.begin(), message.targets.end(),
            [](const Target& a, const Target& b) { return a.destination < b.destination; });
}

void RelayedMessages::announce(Flit bundle, NodeId router, CubeHeader header) {
  auto& coming = messages_.at(bundle.packet_bits()).coming;
  if (!coming.emplace(router, std::move(header)).second)
    throw ModelError("a message comes twice into the router of node " +
                     std::to_string(router.value()));
}

const RelayedMessages::Message& RelayedMessages::message(Flit bundle) const {
  const auto found = messages_.find(bundle.packet_bits());
  if (found == messages_.end())
    throw ModelError("a flit of node " + std::to_string(bundle.source().value()) +
                     " belongs to no message");
  return found->second;
}

const CubeHeader& RelayedMessages::header(Flit bundle, NodeId router) const {
  const auto& coming = message(bundle).coming;
  const auto found = coming.find(router);
  if (found == coming.end())
    throw ModelError("a message came into the router of node " + std::to_string(router.value()) +
                     " without a header");
  return found->second;
}

/// Null when the node is no destination, was served or was given up.
RelayedMessages::Target* RelayedMessages::open_target(Flit bundle, NodeId destination) {
  auto& targets = messages_.at(bundle.packet_bits()).targets;
  const auto found =
      std::lower_bound(targets.begin(), targets.end(), destination,
                       [](const Target& target, NodeId node) { return target.destination < node; });
  if (found == targets.end() || found->destination != destination || !found->open) return nullptr;
  return &*found;
}

int RelayedMessages::serve(Flit bundle, NodeId destination) {
  Target* const target = open_target(bundle, destination);
  if (!target)
    throw ModelError("header.destinations: a message is delivered to node " +
                     std::to_string(destination.value()) +
                     ", for which it is not, or a second time");
  target->open = false;
  return target->slot;
}

void RelayedMessages::give_up(Flit bundle, NodeId router, const CubeNodes& destinations,
                              Cycle now) {
  if (!log_)
    throw ModelError("the router of node " + std::to_string(router.value()) +
                     " leaves out a destination, though nothing is broken");
  FaultedMessage faulted{bundle.source(), packets_.packet(bundle).number, {}, router, {}, now};
  for (const CubeAddress destination : destinations) {
    const NodeId node(static_cast<int>(destination));
    Target* const target = open_target(bundle, node);
    if (!target) continue;
    target->open = false;
    faulted.destinations.push_back(node);
    packets_.lose(Flit(bundle.source(), target->slot, 0, true, false, 0), now);
  }
  if (!faulted.destinations.empty()) log_->unreachable(faulted);
}

void RelayedMessages::finish(Flit bundle, NodeId router, Cycle now) {
  const auto found = messages_.find(bundle.packet_bits());
  auto& coming = found->second.coming;
  coming.erase(router);
  if (!coming.empty()) return;
  CubeNodes left;
  for (const Target& target : found->second.targets)
    if (target.open) left.push_back(static_cast<CubeAddress>(target.destination.value()));
  if (!left.empty()) give_up(bundle, router, left, now);
  messages_.erase(found);
  packets_.release_bundle(bundle, now);
}

}  // namespace flitwave
