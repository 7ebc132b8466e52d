// modules/network/netlist.hpp: a graph turned into wired modules.
// topology -> [netlist] -> processor -> interface -> channel -> router
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "modules/channel/channel.hpp"
#include "modules/interface/network_interface.hpp"
#include "modules/network/channel_site.hpp"
#include "modules/network/simulated_network.hpp"
#include "modules/packet/packet_pool.hpp"
#include "modules/processor/processor_node.hpp"
#include "modules/router.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// The order in which tiles are built; it has no effect on the wires.
enum class BuildOrder { forward, reversed };
std::vector<std::string> names_of(BuildOrder);

/// What a network consists of, beside its graph.
struct NetlistParams {
  ChannelParams channel;
  PortCount ports;
  NodeTiming timing;
  /// The router of each node; all nodes may name one model.
  std::function<const RouterModel&(NodeId)> router;
  /// The local ports of a node with so many network ports.
  int local_ports(int degree) const { return std::max(1, ports.of(degree)); }
  std::uint64_t seed = 1;
  std::uint64_t init_seed = 1;  ///< RouterSite::init_seed
  int reply_queue = 0;          ///< InterfaceSite::reply_queue
  BuildOrder order = BuildOrder::forward;
  PassageListener* listener = nullptr;  ///< RouterSite::listener
  FaultLog* fault_log = nullptr;        ///< Null where there are no faults.
};

/// The modules of a network: per node a tile with a router, an interface, a processor and the
/// channels that leave the router.
///
/// Channels are numbered: those of the topology by their ids, then injection channels, then
/// ejection channels, both by node and local port.
class Netlist final : public sc_core::sc_module, public SimulatedNetwork {
 public:
  /// The references outlive the netlist.
  /// Throws: ConfigError when a router would have more than 64 ports, or a channel fewer virtual
  ///   channels than the routing needs.
  Netlist(const sc_core::sc_module_name& name, const Topology& topology,
          const RoutingFunction& routing, const NetlistParams& params, ClockDomain& domain,
          PacketPool& packets);
  ~Netlist() override;

  const Topology& topology() const override { return topology_; }
  const std::vector<ChannelSite>& channels() const override { return channels_; }
  Router& router(NodeId node) const { return *tiles_[node.index()].router; }
  NetworkInterface& interface(NodeId node) const { return *tiles_[node.index()].interface; }
  ProcessorNode& processor(NodeId node) const override { return *tiles_[node.index()].processor; }
  int local_ports(NodeId node) const override;
  std::int64_t flits_queued(NodeId node) const override { return interface(node).flits_queued(); }
  std::int64_t flits_ejected(NodeId node) const override { return interface(node).flits_ejected(); }
  FlitCounts flits() const override;
  void drop_queues() override;
  /// The state that all routers share; null if there is none.
  SharedPart* shared() const { return shared_.get(); }

  /// Reports what crosses the channels of one kind to a feed, by the means that the scheduling
  /// requires.
  void tap(ChannelSite::Kind kind, TransitFeed& feed);

  /// Flits in routers, interfaces' buffers and channels' registers, wires not counted.
  std::int64_t flits_inside() const;
  /// Flits that are on wires and in no buffer.
  std::int64_t flits_on_wires() const;
  /// Probes of circuits that routers tore down.
  std::int64_t flits_dropped() const;
  std::int64_t flits_copied() const;
  /// Whether nothing is in transit and every credit has returned.
  bool at_rest() const override;

 private:
  class Tile;
  struct Parts {
    std::unique_ptr<Tile> tile;
    std::vector<std::unique_ptr<Channel>> channels;
    std::unique_ptr<Router> router;
    std::unique_ptr<NetworkInterface> interface;
    std::unique_ptr<ProcessorNode> processor;
    std::vector<std::unique_ptr<sc_core::sc_module>> monitors;
    std::vector<Channel*> injection;  // Shape: [local ports]
    std::vector<Channel*> ejection;   // Shape: [local ports]
  };

  void make_channels(NodeId node, ClockDomain& domain);
  void make_modules(NodeId node, const RoutingFunction& routing, ClockDomain& domain,
                    PacketPool& packets);
  RouterSite router_site(NodeId node, const RoutingFunction& routing, ClockDomain& domain,
                         const PacketPool& packets) const;

  const Topology& topology_;
  NetlistParams params_;
  std::vector<ChannelSite> channels_;
  LocalChannels local_;
  std::unique_ptr<SharedPart> shared_;  // null where routers have their channels only
  std::vector<Parts> tiles_;            // Shape: [nodes]
};

}  // namespace flitwave
