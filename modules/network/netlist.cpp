// modules/network/netlist.cpp: see netlist.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/network/netlist.hpp"

#include <algorithm>

#include "configs/error.hpp"
#include "modules/channel/channel_monitor.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

std::vector<std::string> names_of(BuildOrder) { return {"forward", "reversed"}; }

/// A level of the hierarchy, so that names are readable and no module has too many children.
class Netlist::Tile final : public sc_core::sc_module {
 public:
  explicit Tile(const sc_core::sc_module_name& name) : sc_module(name) {}

  /// While it lives, new SystemC objects become children of the tile.
  class Inside {
   public:
    explicit Inside(Tile& tile) { sc_core::sc_get_curr_simcontext()->hierarchy_push(&tile); }
    ~Inside() { sc_core::sc_get_curr_simcontext()->hierarchy_pop(); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
  };
};

Netlist::Netlist(const sc_core::sc_module_name& name, const Topology& topology,
                 const RoutingFunction& routing, const NetlistParams& params, ClockDomain& domain,
                 PacketPool& packets)
    : sc_module(name),
      topology_(topology),
      params_(params),
      channels_(channel_sites(topology, [this](NodeId node) { return local_ports(node); })),
      local_(topology, [this](NodeId node) { return local_ports(node); }),
      tiles_(index(topology.nodes())) {
  require_vcs(routing, params.channel.vcs);
  if (const auto& share = params.router(NodeId(0)).share)
    shared_ = share({domain, topology, packets, params.fault_log});
  const auto visit = [&](auto make) {
    for (int i = 0; i < topology.nodes(); ++i)
      make(NodeId(params.order == BuildOrder::forward ? i : topology.nodes() - 1 - i));
  };
  visit([&](NodeId node) { make_channels(node, domain); });
  visit([&](NodeId node) { make_modules(node, routing, domain, packets); });
}

Netlist::~Netlist() = default;

int Netlist::local_ports(NodeId node) const { return params_.local_ports(topology_.degree(node)); }

void Netlist::make_channels(NodeId node, ClockDomain& domain) {
  Parts& parts = tiles_[node.index()];
  parts.tile = std::make_unique<Tile>(("tile_" + topology_.label(node)).c_str());
  const Tile::Inside inside(*parts.tile);
  const auto make = [&](int number, const ChannelParams& params) {
    ChannelSite& site = channels_[index(number)];
    parts.channels.push_back(std::make_unique<Channel>(site.label.c_str(), params, domain));
    site.channel = parts.channels.back().get();
    return site.channel;
  };
  // [wiring]
  for (int port = 0; port < topology_.port_limit(); ++port) {
    const ChannelId id = topology_.channel_out(node, PortId(port));
    if (id.valid()) make(id.value(), params_.channel);
  }
  // [wiring]
  // The wires between a router and its own interface are short.
  ChannelParams local = params_.channel;
  local.latency = Cycles{1};
  ChannelParams injection = local;
  injection.credit_delay = Cycles{params_.timing.credit_delay};
  const int ports = local_ports(node);
  for (int port = 0; port < ports; ++port) {
    parts.injection.push_back(make(local_.injection(node, port), injection));
    parts.ejection.push_back(make(local_.ejection(node, port), local));
  }
}

RouterSite Netlist::router_site(NodeId node, const RoutingFunction& routing, ClockDomain& domain,
                                const PacketPool& packets) const {
  const Parts& parts = tiles_[node.index()];
  const int limit = topology_.port_limit();
  RouterSite site{domain,           node, limit,        {}, {}, routing, packets, params_.seed,
                  params_.listener, {},   shared_.get()};
  site.fault_log = params_.fault_log;
  site.topology = &topology_;
  site.init_seed = params_.init_seed;
  const Grid* grid = topology_.grid();
  const FaultSet& faults = topology_.faults();
  for (int port = 0; port < limit; ++port) {
    const ChannelId in = topology_.channel_in(node, PortId(port));
    const ChannelId out = topology_.channel_out(node, PortId(port));
    site.inputs.push_back(in.valid() ? channels_[in.index()].channel : nullptr);
    site.outputs.push_back(out.valid() ? channels_[out.index()].channel : nullptr);
    const int dimension = Grid::port_dimension(PortId(port));
    site.rings.push_back(grid && grid->wraps(dimension) ? dimension : -1);
    site.breaks.push_back(std::min(in.valid() ? faults.onset(in) : FaultSet::never,
                                   out.valid() ? faults.onset(out) : FaultSet::never));
  }
  site.rings.resize(site.rings.size() + parts.injection.size(), -1);
  site.breaks.resize(site.rings.size(), faults.onset(node));
  site.ejects_packets = params_.timing.ejection_sharing == EjectionSharing::packets;
  site.inputs.insert(site.inputs.end(), parts.injection.begin(), parts.injection.end());
  site.outputs.insert(site.outputs.end(), parts.ejection.begin(), parts.ejection.end());
  if (site.ports() > 64)
    throw ConfigError("node.ports",
                      "the router of node " + topology_.label(node) + " would have " +
                          std::to_string(site.ports()) + " ports, and 64 is the most",
                      "use fewer local ports");
  return site;
}

void Netlist::make_modules(NodeId node, const RoutingFunction& routing, ClockDomain& domain,
                           PacketPool& packets) {
  Parts& parts = tiles_[node.index()];
  const Tile::Inside inside(*parts.tile);
  const std::string label = topology_.label(node);
  parts.router = params_.router(node).build(("router_" + label).c_str(),
                                            router_site(node, routing, domain, packets));
  parts.interface = std::make_unique<NetworkInterface>(
      ("interface_" + label).c_str(),
      InterfaceSite{domain, node, parts.injection, parts.ejection, topology_, routing, packets,
                    params_.timing.ejection, params_.seed, params_.router(node).retry,
                    params_.reply_queue, params_.timing.injection_vc, params_.timing.queue,
                    shared_ ? shared_->requests() : nullptr, topology_.faults().onset(node)});
  parts.processor = std::make_unique<ProcessorNode>(("processor_" + label).c_str(), node, domain,
                                                    *parts.interface, params_.timing);
}

void Netlist::tap(ChannelSite::Kind kind, TransitFeed& feed) {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const ChannelSite& site = channels_[i];
    if (site.kind != kind) continue;
    Parts& parts = tiles_[site.from.index()];
    ClockDomain& domain = parts.router->domain();
    if (domain.scheduling() == Scheduling::batched) {
      site.channel->tap(feed, static_cast<int>(i));
      continue;
    }
    const Tile::Inside inside(*parts.tile);
    parts.monitors.push_back(std::make_unique<ChannelMonitor>(("monitor_" + site.label).c_str(),
                                                              site.channel->downstream(), domain,
                                                              feed, static_cast<int>(i)));
  }
}

FlitCounts Netlist::flits() const {
  FlitCounts all;
  for (const Parts& parts : tiles_) {
    all.injected += parts.interface->flits_injected();
    all.ejected += parts.interface->flits_ejected();
  }
  all.inside = flits_inside() + flits_on_wires();
  all.dropped = flits_dropped();
  all.copied = flits_copied();
  return all;
}

void Netlist::drop_queues() {
  for (Parts& parts : tiles_) parts.interface->drop_queue();
}

std::int64_t Netlist::flits_inside() const {
  std::int64_t total = 0;
  for (const Parts& parts : tiles_) {
    total += parts.router->flits_inside() + parts.interface->flits_inside();
    for (const auto& channel : parts.channels) total += channel->flits_inside();
  }
  return total;
}

std::int64_t Netlist::flits_on_wires() const {
  std::int64_t total = 0;
  for (const ChannelSite& site : channels_) total += site.channel->flits_on_wires();
  return total;
}

std::int64_t Netlist::flits_dropped() const {
  std::int64_t total = 0;
  for (const Parts& parts : tiles_) total += parts.router->flits_dropped();
  return total;
}

std::int64_t Netlist::flits_copied() const {
  std::int64_t total = 0;
  for (const Parts& parts : tiles_) total += parts.router->flits_copied();
  return total;
}

bool Netlist::at_rest() const {
  for (const Parts& parts : tiles_) {
    if (!parts.router->at_rest() || !parts.interface->at_rest()) return false;
    for (const auto& channel : parts.channels)
      if (channel->flits_inside() > 0 || channel->pulse_returns()) return false;
  }
  return true;
}

}  // namespace flitwave
