// modules/transaction/transaction_network.cpp: see transaction_network.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/transaction/transaction_network.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace flitwave {

TransactionNetwork::TransactionNetwork(const sc_core::sc_module_name& name,
                                       const Topology& topology, const RoutingFunction& routing,
                                       const NetlistParams& params, ClockDomain& domain,
                                       PacketPool& packets)
    : sc_module(name),
      topology_(topology),
      routing_(routing),
      params_(params),
      domain_(domain),
      packets_(packets),
      sites_(channel_sites(topology, [this](NodeId node) { return local_ports(node); })),
      local_(topology, [this](NodeId node) { return local_ports(node); }),
      reserved_(routing, params, sites_),
      reservations_(Release::with_tail, reserved_.channels(), reserved_.pools(), *this),
      table_(topology, routing),
      ejected_(index(topology.nodes()), 0) {
  require_vcs(routing, params.channel.vcs);
  for (int i = 0; i < topology.nodes(); ++i) {
    const NodeId node(i);
    InterfaceSite site{domain,           node,       {}, {}, topology, routing, packets,
                       Ejection::drains, params.seed};
    site.queue = params.timing.queue;
    interfaces_.push_back(std::make_unique<TransactionInterface>(site, local_ports(node), *this));
    processors_.push_back(
        std::make_unique<ProcessorNode>(("processor_" + topology.label(node)).c_str(), node, domain,
                                        *interfaces_.back(), params.timing));
  }
}

TransactionNetwork::~TransactionNetwork() = default;

int TransactionNetwork::local_ports(NodeId node) const {
  return params_.local_ports(topology_.degree(node));
}

// Messages that begin.

void TransactionNetwork::serve_next(NodeId node) {
  const Cycle next = domain_.now() + 1;
  if (served(next).empty()) domain_.at(next, *this);
  served(next).push_back(node);
}

/// In the order of nodes: that in which processors have run depends on the order of building.
void TransactionNetwork::serve_nodes(Cycle now) {
  std::vector<NodeId>& nodes = served(now);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (NodeId node : nodes) interfaces_[node.index()]->serve(now);
  nodes.clear();
}

void TransactionNetwork::begin(const Packet& packet, int sender, int port, Cycle hold, Cycle now) {
  const int worm = reservations_.add(packet.length, hold);
  if (index(worm) >= passengers_.size()) passengers_.resize(index(worm) + 1);
  Passenger& passenger = passengers_[index(worm)];
  const int slot = packets_.add(packet, now);
  passenger.present = true;
  passenger.head = Flit(packet.header.source, slot, 0, true, packet.length == 1, 0);
  passenger.header = packet.header;
  passenger.sender = sender;
  passenger.port = port;
  passenger.at = packet.header.source;
  passenger.arrival = {};
  injected_ += packet.length;
  inside_ += packet.length;
  reservations_.begin(worm, now);
}

// Phases of transactions.

void TransactionNetwork::due() {
  const Cycle now = domain_.now();
  reservations_.run(now);
  serve_nodes(now);
  reservations_.run(now);
}

/// A class beyond the last counts as the last, as in MessageQueues.
int TransactionNetwork::injection_pool(const Passenger& passenger) const {
  const int last = routing_.message_classes() - 1;
  return reserved_.pool(local_.injection(passenger.at, passenger.port),
                        std::min(passenger.header.message_class, last));
}

void TransactionNetwork::add_route(int worm, std::vector<int>& pools) {
  if (has_choices_) return;
  Passenger passenger = passengers_[index(worm)];
  pools.push_back(injection_pool(passenger));
  while (true) {
    int& known = table_.entry(passenger.at, passenger.header);
    const int pool = known != RouteTable::unknown ? known : only_pool(passenger);
    if (pool < 0) {
      has_choices_ = true;
      return pools.clear();
    }
    if (table_.applies(passenger.header)) known = pool;
    pools.push_back(pool);
    if (reserved_.pools()[index(pool)].channel >= topology_.channels()) return;
    advance(passenger, pool);
  }
}

/// The head has crossed a channel between nodes.
void TransactionNetwork::advance(Passenger& passenger, int pool) const {
  const int channel = reserved_.pools()[index(pool)].channel;
  const ChannelEnds& ends = topology_.channel(ChannelId(channel));
  passenger.at = ends.to;
  passenger.arrival = {ends.to_port, reserved_.vc_class(channel, pool)};
}

void TransactionNetwork::find_route(const Passenger& passenger) {
  route_.clear();
  routing_.route(passenger.at, passenger.arrival, passenger.header, route_);
}

/// The only pool by which a packet may continue; -1: there are several.
int TransactionNetwork::only_pool(const Passenger& passenger) {
  find_route(passenger);
  if (route_.candidates().size() != 1) return -1;
  const Candidate& only = route_.candidates().front();
  if (!only.local())
    return reserved_.pool(topology_.channel_out(passenger.at, only.port).value(), only.vc_class);
  if (local_ports(passenger.at) > 1) return -1;
  return reserved_.pool(local_.ejection(passenger.at, 0), only.vc_class);
}

void TransactionNetwork::add_choices(int worm, std::vector<int>& pools) {
  Passenger& passenger = passengers_[index(worm)];
  const int crossed = reservations_.crossed(worm);
  if (crossed == 0) return pools.push_back(injection_pool(passenger));
  if (crossed > 1) advance(passenger, reservations_.pool(worm, crossed - 1));
  find_route(passenger);
  for (const Candidate& candidate : route_.candidates()) {
    if (candidate.local()) {
      add_ejection(passenger, candidate.vc_class, pools);
      continue;
    }
    const ChannelId channel = topology_.channel_out(passenger.at, candidate.port);
    pools.push_back(reserved_.pool(channel.value(), candidate.vc_class));
  }
}

/// Local ports are tried from the one on that has the number of the input, as in routers.
void TransactionNetwork::add_ejection(const Passenger& passenger, int message_class,
                                      std::vector<int>& pools) const {
  const int ports = local_ports(passenger.at);
  const int input = passenger.arrival.injected() ? topology_.port_limit() + passenger.port
                                                 : passenger.arrival.port.value();
  for (int i = 0; i < ports; ++i)
    pools.push_back(
        reserved_.pool(local_.ejection(passenger.at, (input + i) % ports), message_class));
}

void TransactionNetwork::crosses(int worm) {
  packets_.enter(passengers_[index(worm)].head, reservations_.head(worm, 0));
}

void TransactionNetwork::departs(int worm) {
  const Passenger& passenger = passengers_[index(worm)];
  interfaces_[passenger.header.source.index()]->departs(passenger.sender, domain_.now());
}

void TransactionNetwork::finishes(int worm) {
  Passenger& passenger = passengers_[index(worm)];
  const Cycle now = domain_.now();
  Packet& packet = packets_.packet(passenger.head);
  const int last = reservations_.crossed(worm) - 1;
  const int ejection = reservations_.channel(worm, last);
  const NodeId node = sites_[index(ejection)].to;
  if (node != packet.header.destination)
    throw ModelError(fmt::format("packet {} of node {} for node {} left the network at node {}",
                                 packet.number, topology_.label(packet.header.source),
                                 topology_.label(packet.header.destination),
                                 topology_.label(node)));
  packet.head_taken =
      reservations_.head(worm, last) + reserved_.channels()[index(ejection)].times.crossing;
  packet.ejected = packet.length;
  report(worm, packet, now);
  passenger.present = false;
  ejected_[node.index()] += packet.length;
  inside_ -= packet.length;
  const int record = packet.message;
  packets_.release(passenger.head, now);
  if (record >= 0) deliver(record, node, sites_[index(ejection)].port.value(), now);
}

void TransactionNetwork::listen(DeliveryListener& listener, bool with_uses) {
  listeners_.push_back(&listener);
  with_uses_ = with_uses_ || with_uses;
}

void TransactionNetwork::report(int worm, const Packet& packet, Cycle now) {
  // Odd factors keep different channels and times apart.
  constexpr std::uint64_t head_factor = 0x9e3779b97f4a7c15;
  constexpr std::uint64_t tail_factor = 0xc2b2ae3d27d4eb4f;
  std::uint64_t signature = 0;
  uses_.clear();
  reservations_.for_each_channel(worm, [&](int channel, Cycle head, Cycle tail) {
    const auto times = static_cast<std::uint64_t>(head) * head_factor +
                       static_cast<std::uint64_t>(tail) * tail_factor;
    signature = (signature ^ (times + static_cast<std::uint64_t>(channel))) * head_factor;
    if (!with_uses_) return;
    const Cycle wires = reserved_.channels()[index(channel)].times.crossing - 1;
    uses_.push_back({channel, head + wires, tail + wires});
  });
  const PacketDelivery delivery{
      packet, packet.head_taken, now, reservations_.crossed(worm), signature, uses_};
  for (DeliveryListener* listener : listeners_) listener->on_delivery(delivery);
}

/// A packet of a message has arrived.
void TransactionNetwork::deliver(int record, NodeId node, int port, Cycle now) {
  MessageInTransit& message = packets_.message(record);
  if (--message.packets_left > 0) return;
  const ArrivedMessage arrived{message.source, message.program, message.tag, port, now};
  packets_.release_message(record);
  interfaces_[node.index()]->receive(arrived);
}

// What is reported.

std::int64_t TransactionNetwork::flits_queued(NodeId node) const {
  return interfaces_[node.index()]->flits_queued(domain_.now());
}

FlitCounts TransactionNetwork::flits() const {
  FlitCounts counts;
  counts.injected = injected_;
  for (std::int64_t flits : ejected_) counts.ejected += flits;
  counts.inside = inside_;
  return counts;
}

bool TransactionNetwork::at_rest() const {
  return reservations_.worms() == 0 &&
         std::all_of(interfaces_.begin(), interfaces_.end(),
                     [](const auto& interface) { return interface->at_rest(); });
}

void TransactionNetwork::drop_queues() {
  for (const auto& interface : interfaces_) interface->drop_queue();
}

std::string TransactionNetwork::waiting_text(int most) const {
  std::string text;
  for (const Passenger& passenger : passengers_) {
    if (!passenger.present || most-- <= 0) continue;
    const Packet& packet = packets_.packet(passenger.head);
    text += fmt::format("\n  packet {} from {} to {} waits at node {}", packet.number,
                        topology_.label(packet.header.source),
                        topology_.label(packet.header.destination), topology_.label(passenger.at));
  }
  return text;
}

}  // namespace flitwave
