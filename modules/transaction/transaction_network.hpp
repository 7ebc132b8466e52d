// modules/transaction/transaction_network.hpp: a network whose packets are transactions on
// channels. topology -> [transaction_network] -> transaction_interface -> processor
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "algorithms/reservation/reservations.hpp"
#include "modules/network/netlist.hpp"
#include "modules/network/simulated_network.hpp"
#include "modules/transaction/packet_delivery.hpp"
#include "modules/transaction/reserved_channels.hpp"
#include "modules/transaction/route_table.hpp"
#include "modules/transaction/transaction_interface.hpp"

namespace flitwave {

/// The network of a job at transaction fidelity: processors and their programs as in a Netlist,
/// without routers, channels and flits between them.
///
/// A packet's use of a channel is a transaction with the phases of TLM-2.0's approximately timed
/// style (IEEE 1666-2011, section 15). BEGIN_REQ: the head requests a virtual channel; the channel
/// accepts requests in order. END_REQ: it is granted, and reserved for the packet. BEGIN_RESP: the
/// head arrives at the receiver, and requests its next channel. END_RESP: the last flit has
/// departed, which releases the reservation. Phases are events of Reservations, by the same rules
/// as the message-level evaluator's; nothing happens between them.
///
/// Timing: all phases are at rising edges of the clock, after the edge's processors; results depend
///   neither on scheduling nor on the order of building.
class TransactionNetwork final : public sc_core::sc_module,
                                 public SimulatedNetwork,
                                 private WormDriver,
                                 private Sleeper {
 public:
  /// The references outlive the network.
  /// Needs: routers with RouterSupport::transactions, credits, `ejection: drains`
  TransactionNetwork(const sc_core::sc_module_name& name, const Topology& topology,
                     const RoutingFunction& routing, const NetlistParams& params,
                     ClockDomain& domain, PacketPool& packets);
  ~TransactionNetwork() override;

  const Topology& topology() const override { return topology_; }
  const std::vector<ChannelSite>& channels() const override { return sites_; }
  ProcessorNode& processor(NodeId node) const override { return *processors_[node.index()]; }
  int local_ports(NodeId node) const override;
  std::int64_t flits_queued(NodeId node) const override;
  std::int64_t flits_ejected(NodeId node) const override { return ejected_[node.index()]; }
  FlitCounts flits() const override;
  bool at_rest() const override;
  void drop_queues() override;

  /// Reports deliveries; to some listeners without the uses of channels, which costs less.
  void listen(DeliveryListener& listener, bool with_uses);
  /// Whether packets wait for each other forever: some are in the network, and none has an event.
  bool is_blocked() const { return reservations_.is_blocked(); }
  /// The packets that wait, a line each, at most `most`.
  std::string waiting_text(int most) const;

  /// For interfaces: serves the node's messages in the next cycle.
  void serve_next(NodeId node);
  /// For interfaces: sends a packet on an injection channel. `sender`: returned by
  /// TransactionInterface::departs.
  void begin(const Packet& packet, int sender, int port, Cycle hold, Cycle now);

 private:
  /// A packet, by the number of its worm.
  struct Passenger {
    bool present = false;
    Flit head;  // its handle in the pool
    Header header;
    int sender = 0;
    int port = 0;  // injection channel
    NodeId at;     // where its head requests its next channel
    Arrival arrival;
  };

  void due() override;
  void at(Cycle, const WormEvent&) override {}
  void wake(Cycle cycle) override { domain_.at(cycle, *this); }
  void add_route(int worm, std::vector<int>& pools) override;
  void add_choices(int worm, std::vector<int>& pools) override;
  void crosses(int worm) override;
  void departs(int worm) override;
  void finishes(int worm) override;

  void serve_nodes(Cycle now);
  std::vector<NodeId>& served(Cycle cycle) { return served_[index(cycle & 1)]; }
  int injection_pool(const Passenger& passenger) const;
  void advance(Passenger& passenger, int pool) const;
  void find_route(const Passenger& passenger);
  int only_pool(const Passenger& passenger);
  void add_ejection(const Passenger& passenger, int message_class, std::vector<int>& pools) const;
  void report(int worm, const Packet& packet, Cycle now);
  void deliver(int record, NodeId node, int port, Cycle now);

  const Topology& topology_;
  const RoutingFunction& routing_;
  NetlistParams params_;
  ClockDomain& domain_;
  PacketPool& packets_;
  std::vector<ChannelSite> sites_;
  LocalChannels local_;
  ReservedChannels reserved_;
  Reservations reservations_;
  std::vector<Passenger> passengers_;
  std::vector<std::unique_ptr<TransactionInterface>> interfaces_;  // Shape: [nodes]
  std::vector<std::unique_ptr<ProcessorNode>> processors_;         // Shape: [nodes]
  std::array<std::vector<NodeId>, 2> served_;  // nodes to serve, in even and in odd cycles
  std::vector<DeliveryListener*> listeners_;
  bool with_uses_ = false;
  std::vector<ChannelUse> uses_;
  Route route_;
  RouteTable table_;
  bool has_choices_ = false;           // some packet may continue by several pools
  std::vector<std::int64_t> ejected_;  // flits, by node
  std::int64_t injected_ = 0;          // flits
  std::int64_t inside_ = 0;            // flits
};

}  // namespace flitwave
