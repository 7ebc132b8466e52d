// modules/interface/relayed_messages.cpp: see relayed_messages.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/interface/relayed_messages.hpp"

#include <algorithm>
#include <string>

#include "configs/error.hpp"

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
    throw ModelError("a message comes twice into the router of node " + label_(router));
}

const RelayedMessages::Message& RelayedMessages::message(Flit bundle) const {
  const auto found = messages_.find(bundle.packet_bits());
  if (found == messages_.end())
    throw ModelError("a flit of node " + label_(bundle.source()) + " belongs to no message");
  return found->second;
}

const CubeHeader& RelayedMessages::header(Flit bundle, NodeId router) const {
  const auto& coming = message(bundle).coming;
  const auto found = coming.find(router);
  if (found == coming.end())
    throw ModelError("a message came into the router of node " + label_(router) +
                     " without a header");
  return found->second;
}

/// Null when the node is no destination.
RelayedMessages::Target* RelayedMessages::target(Flit bundle, NodeId destination) {
  auto& targets = messages_.at(bundle.packet_bits()).targets;
  const auto found =
      std::lower_bound(targets.begin(), targets.end(), destination,
                       [](const Target& target, NodeId node) { return target.destination < node; });
  return found != targets.end() && found->destination == destination ? &*found : nullptr;
}

/// Null when the node is no destination, was served or was given up.
RelayedMessages::Target* RelayedMessages::open_target(Flit bundle, NodeId destination) {
  Target* const found = target(bundle, destination);
  return found && found->open ? found : nullptr;
}

int RelayedMessages::serve(Flit bundle, NodeId destination) {
  Target* const target = open_target(bundle, destination);
  if (!target)
    throw ModelError("header.destinations: a message is delivered to node " + label_(destination) +
                     ", for which it is not, or a second time");
  target->open = false;
  return target->slot;
}

void RelayedMessages::give_up(Flit bundle, NodeId router, const CubeNodes& destinations,
                              Cycle now) {
  if (!log_)
    throw ModelError("the router of node " + label_(router) +
                     " leaves out a destination, though nothing is broken");
  FaultedMessage faulted{bundle.source(), packets_.packet(bundle).number, {}, router, {}, now};
  for (const CubeAddress destination : destinations) {
    const NodeId node(static_cast<int>(destination));
    Target* const target = open_target(bundle, node);
    if (!target) continue;
    target->given_up = true;
    if (target->lost >= now) faulted.destinations.push_back(node);
    lose(bundle, *target, now);
  }
  if (!faulted.destinations.empty()) log_->unreachable(faulted);
}

void RelayedMessages::finish(Flit bundle, NodeId router, Cycle now) {
  withdraw(bundle, router);
  settle(bundle, router, now);
}

void RelayedMessages::withdraw(Flit bundle, NodeId router) {
  messages_.find(bundle.packet_bits())->second.coming.erase(router);
}

/// Of routers that are the last ones in one cycle, the one with the highest number counts.
void RelayedMessages::settle(Flit bundle, NodeId router, Cycle now) {
  const auto found = messages_.find(bundle.packet_bits());
  Message& message = found->second;
  if (message.left_at != now || message.left < router) message.left = router;
  message.left_at = now;
  if (!message.coming.empty() || !message.held.empty()) return;
  CubeNodes left;
  for (Target& target : message.targets) {
    if (!target.open) continue;
    if (target.lost == FaultSet::never)
      left.push_back(static_cast<CubeAddress>(target.destination.value()));
    else
      lose(bundle, target, now);
  }
  if (!left.empty()) give_up(bundle, message.left, left, now);
  messages_.erase(found);
  packets_.release_bundle(bundle, now);
}

void RelayedMessages::lose(Flit bundle, Target& target, Cycle now) {
  target.open = false;
  packets_.lose(Flit(bundle.source(), target.slot, 0, true, false, 0), now);
}

void RelayedMessages::cut_off(Flit bundle, const CubeNodes& destinations, FaultedMessage place) {
  if (!log_)
    throw ModelError("node " + label_(place.at) + " cuts a message off, though nothing is broken");
  place.source = bundle.source();
  place.number = packets_.packet(bundle).number;
  for (const CubeAddress destination : destinations) {
    const NodeId node(static_cast<int>(destination));
    Target* const found = target(bundle, node);
    if (!found || found->given_up || found->lost < place.cycle) continue;
    found->lost = place.cycle;
    place.destinations.push_back(node);
  }
  if (!place.destinations.empty()) log_->lost(place);
}

CubeNodes RelayedMessages::destinations(Flit bundle) const {
  CubeNodes nodes;
  for (const Target& target : message(bundle).targets)
    nodes.push_back(static_cast<CubeAddress>(target.destination.value()));
  return nodes;
}

void RelayedMessages::lose_copy(Flit bundle, NodeId destination, Cycle now) {
  lose(bundle, *target(bundle, destination), now);
}

void RelayedMessages::hold(Flit bundle, NodeId router) {
  messages_.at(bundle.packet_bits()).held.push_back(router);
}

void RelayedMessages::drain(Flit bundle, NodeId router, Cycle now) {
  auto& held = messages_.at(bundle.packet_bits()).held;
  held.erase(std::find(held.begin(), held.end(), router));
  settle(bundle, router, now);
}

}  // namespace flitwave
