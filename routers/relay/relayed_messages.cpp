// routers/relay/relayed_messages.cpp: see relayed_messages.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/relayed_messages.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "configs/error.hpp"

namespace flitwave {

std::vector<FlitWord> RelayFormat::words(const CubeHeader& fields) const {
  std::vector<FlitWord> words;
  for (const CubeBits value : fields_of(fields))
    words.insert(words.end(), static_cast<std::size_t>(field), value);
  return words;
}

RelayedMessages::RelayedMessages(const RelayFormat& format, const SharedSite& site)
    : format_(format),
      cube_(site.topology.grid()->dimensions()),
      topology_(site.topology),
      packets_(site.packets),
      log_(site.fault_log) {}

RelayedMessages& RelayedMessages::of(const RouterSite& site) {
  auto* const messages = dynamic_cast<RelayedMessages*>(site.shared);
  if (!messages) throw ModelError("a relay router is in a network of other routers");
  return *messages;
}

RequestProtocol::Lead RelayedMessages::lead(NodeId source,
                                            const std::vector<NodeId>& destinations) const {
  CubeNodes nodes;
  for (const NodeId node : destinations) nodes.push_back(static_cast<CubeAddress>(node.value()));
  const CubeHeader header =
      header_for(cube_, static_cast<CubeAddress>(source.value()), nodes, format_.header);
  if (header.count != destinations.size())
    throw ModelError("interface of node " + label(source) + ": header.destinations: " +
                     std::to_string(destinations.size()) + " are listed, but only " +
                     std::to_string(header.count) + " are different; name each of them once");
  return {format_.words(header), format_.leads_to_processor()};
}

void RelayedMessages::add(Flit group, const std::vector<FlitWord>& words) {
  Message& message = messages_[group.packet_bits()];
  for (const int slot : packets_.copies(group)) {
    const Flit copy(group.source(), slot, 0, true, false, 0);
    message.targets.push_back({packets_.packet(copy).header.destination, slot});
  }
  std::sort(message.targets.begin(), message.targets.end(),
            [](const Target& a, const Target& b) { return a.destination < b.destination; });
  std::vector<CubeBits> fields;
  for (std::size_t flit = 0; flit < words.size(); flit += static_cast<std::size_t>(format_.field))
    fields.push_back(words[flit]);
  announce(group, group.source(), read_header(cube_, fields, format_.header));
}

void RelayedMessages::lose(Flit group, Cycle now) {
  const NodeId source = group.source();
  CubeNodes nodes;
  for (const Target& target : message(group).targets)
    nodes.push_back(static_cast<CubeAddress>(target.destination.value()));
  truncate(group, nodes, {source, 0, {}, source, PortId(), now, 0});
  finish(group, source, now);
}

std::int64_t RelayedMessages::data(Flit group) const {
  const Packet& packet = packets_.packet(group);
  return packet.length - packet.lead;
}

void RelayedMessages::announce(Flit group, NodeId router, CubeHeader header) {
  auto& coming = messages_.at(group.packet_bits()).coming;
  if (!coming.emplace(router, std::move(header)).second)
    throw ModelError("a message enters the router of node " + label(router) + " a second time");
}

const RelayedMessages::Message& RelayedMessages::message(Flit group) const {
  const auto found = messages_.find(group.packet_bits());
  if (found == messages_.end())
    throw ModelError("a flit of node " + label(group.source()) + " belongs to no message");
  return found->second;
}

const CubeHeader& RelayedMessages::header(Flit group, NodeId router) const {
  const auto& coming = message(group).coming;
  const auto found = coming.find(router);
  if (found == coming.end())
    throw ModelError("a message came into the router of node " + label(router) +
                     " without a header");
  return found->second;
}

/// Null when the node is no destination.
RelayedMessages::Target* RelayedMessages::target(Flit group, NodeId destination) {
  auto& targets = messages_.at(group.packet_bits()).targets;
  const auto found =
      std::lower_bound(targets.begin(), targets.end(), destination,
                       [](const Target& target, NodeId node) { return target.destination < node; });
  return found != targets.end() && found->destination == destination ? &*found : nullptr;
}

/// Null when the node is no destination, was served or was abandoned.
RelayedMessages::Target* RelayedMessages::open_target(Flit group, NodeId destination) {
  Target* const found = target(group, destination);
  return found && found->open ? found : nullptr;
}

int RelayedMessages::serve(Flit group, NodeId destination) {
  Target* const target = open_target(group, destination);
  if (!target)
    throw ModelError("header.destinations: a message was to be delivered to node " +
                     label(destination) +
                     ", which is not one of its destinations or has received it already");
  target->open = false;
  return target->slot;
}

void RelayedMessages::give_up(Flit group, NodeId router, const CubeNodes& destinations, Cycle now) {
  if (!log_)
    throw ModelError("the router of node " + label(router) +
                     " leaves out a destination, though nothing is faulty");
  FaultedMessage faulted{group.source(), packets_.packet(group).number, {}, router, {}, now};
  for (const CubeAddress destination : destinations) {
    const NodeId node(static_cast<int>(destination));
    Target* const target = open_target(group, node);
    if (!target) continue;
    target->given_up = true;
    if (target->lost >= now) faulted.destinations.push_back(node);
    lose(group, *target, now);
  }
  if (!faulted.destinations.empty()) log_->unreachable(faulted);
}

void RelayedMessages::finish(Flit group, NodeId router, Cycle now) {
  withdraw(group, router);
  settle(group, router, now);
}

void RelayedMessages::withdraw(Flit group, NodeId router) {
  messages_.find(group.packet_bits())->second.coming.erase(router);
}

/// If several routers are the last ones in one cycle, the one with the highest number counts.
void RelayedMessages::settle(Flit group, NodeId router, Cycle now) {
  const auto found = messages_.find(group.packet_bits());
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
      lose(group, target, now);
  }
  if (!left.empty()) give_up(group, message.left, left, now);
  messages_.erase(found);
  packets_.release_group(group, now);
}

void RelayedMessages::lose(Flit group, Target& target, Cycle now) {
  target.open = false;
  packets_.lose(Flit(group.source(), target.slot, 0, true, false, 0), now);
}

void RelayedMessages::truncate(Flit group, const CubeNodes& destinations, FaultedMessage place) {
  if (!log_)
    throw ModelError("node " + label(place.at) + " truncates a message, though nothing is faulty");
  place.source = group.source();
  place.number = packets_.packet(group).number;
  for (const CubeAddress destination : destinations) {
    const NodeId node(static_cast<int>(destination));
    Target* const found = target(group, node);
    if (!found || found->given_up || found->lost < place.cycle) continue;
    found->lost = place.cycle;
    place.destinations.push_back(node);
  }
  if (!place.destinations.empty()) log_->lost(place);
}

void RelayedMessages::lose_copy(Flit group, NodeId destination, Cycle now) {
  lose(group, *target(group, destination), now);
}

void RelayedMessages::hold(Flit group, NodeId router) {
  messages_.at(group.packet_bits()).held.push_back(router);
}

void RelayedMessages::drain(Flit group, NodeId router, Cycle now) {
  auto& held = messages_.at(group.packet_bits()).held;
  held.erase(std::find(held.begin(), held.end(), router));
  settle(group, router, now);
}

}  // namespace flitwave
