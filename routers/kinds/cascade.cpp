// routers/kinds/cascade.cpp: a router that consists of one stage per dimension.
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include "configs/error.hpp"
#include "modules/channel/channel.hpp"
#include "routers/input_queued/pipeline_settings.hpp"
#include "routers/parts/needs.hpp"
#include "topologies/grid.hpp"

namespace flitwave {
namespace {

/// The routing function of one stage: a packet that continues in the dimension of the stage leaves
/// by a network port; a packet that continues in a later dimension leaves by the local port, to the
/// next stage.
class StageRouting final : public RoutingFunction {
 public:
  StageRouting(const RoutingFunction& whole, int dimension)
      : whole_(whole), dimension_(dimension) {}

  void route(NodeId here, const Arrival& arrival, const Header& header,
             Route& route) const override {
    Route all;
    whole_.route(here, arrival, header, all);
    for (const Candidate& candidate : all.candidates()) {
      const int dimension = candidate.local() ? INT32_MAX : Grid::port_dimension(candidate.port);
      if (dimension < dimension_)
        throw ModelError("a packet returns to the router's stage of an earlier dimension");
      if (dimension == dimension_)
        route.forward(candidate.port, candidate.vc_class, candidate.branch);
      else
        route.deliver(candidate.branch);
    }
  }

  int vc_classes() const override { return whole_.vc_classes(); }
  int least_vcs() const override { return whole_.least_vcs(); }
  VcRange class_vcs(int vc_class, int vcs) const override {
    return whole_.class_vcs(vc_class, vcs);
  }

 private:
  const RoutingFunction& whole_;
  int dimension_;
};

/// A stage for each dimension, with a channel to the next one. Packets are injected into the first
/// and ejected from the last.
class Cascade final : public Router {
 public:
  Cascade(sc_core::sc_module_name name, const RouterModel& stage, const RouterSite& site)
      : Router(name, without_channels(site), 0, VcReallocation::non_atomic, false) {
    const int dimensions = site.network_ports / 2;
    const auto local = index(site.network_ports);
    for (int d = 0; d < dimensions; ++d) {
      routings_.push_back(std::make_unique<StageRouting>(site.routing, d));
      RouterSite own{
          site.domain, site.node, site.network_ports, {},     {}, *routings_.back(), site.packets,
          site.seed,   nullptr,   site.rings,         nullptr};
      own.inputs.assign(local + 1, nullptr);
      own.outputs.assign(local + 1, nullptr);
      for (int step : {+1, -1}) {
        const std::size_t port = Grid::port(d, step).index();
        own.inputs[port] = site.inputs[port];
        own.outputs[port] = site.outputs[port];
      }
      own.inputs[local] = d == 0 ? site.inputs[local] : links_.back().get();
      if (d + 1 < dimensions) make_link(d, site);
      own.outputs[local] = d + 1 < dimensions ? links_.back().get() : site.outputs[local];
      stages_.push_back(stage.build(("stage_" + std::to_string(d)).c_str(), own));
    }
  }

  int flits_inside() const override {
    int total = 0;
    for (const auto& stage : stages_) total += stage->flits_inside();
    for (const auto& link : links_) total += link->flits_inside() + link->flits_on_wires();
    return total;
  }
  bool at_rest() const override {
    for (const auto& stage : stages_)
      if (!stage->at_rest()) return false;
    return true;
  }

 private:
  void tick() override {}  // the stages have ticks of their own

  static RouterSite without_channels(const RouterSite& site) {
    RouterSite bare = site;
    bare.inputs.assign(site.inputs.size(), nullptr);
    bare.outputs.assign(site.outputs.size(), nullptr);
    return bare;
  }

  void make_link(int from, const RouterSite& site) {
    ChannelParams params = site.outputs[index(site.network_ports)]->params();
    params.latency = Cycles{1};
    const std::string label = "link_" + std::to_string(from) + "_to_" + std::to_string(from + 1);
    links_.push_back(std::make_unique<Channel>(label.c_str(), params, site.domain));
  }

  std::vector<std::unique_ptr<StageRouting>> routings_;
  std::vector<std::unique_ptr<Channel>> links_;
  std::vector<std::unique_ptr<Router>> stages_;
};

/// A packet passes the stages of all dimensions, also of those in which it makes no hop; each step
/// to the next stage takes as long as a channel of one cycle.
/// Needs: a grid whose dimensions are corrected in ascending order; one local port
/// Source: Tsai 1997, section 2.5 and figure 2.4
RouterNeeds cascade_needs(const RouterModel& stage) {
  const std::string wormhole = ", or use router.kind: wormhole";
  return needs::all(
      {needs::no_other_routers(
           "cascade routers do not report waits and cannot be mixed with other router kinds",
           "cascade"),
       needs::no_deadlock("cascade routers do not report waits, so that no deadlock would be found",
                          "leave allow_deadlock out" + wormhole),
       needs::no_message_classes("cascade routers do not separate message classes",
                                 "set requests.message_classes: 1 and reply_queue: 0" + wormhole),
       needs::grid("cascade routers have a stage for each dimension and need a grid",
                   "use topology.kind: mesh, torus or hypercube, or router.kind: wormhole"),
       needs::one_local_port("cascade routers have one local port",
                             "set node.ports: 1, or router.kind: wormhole"),
       needs::ascending_dimension_order(
           "cascade routers pass dimensions once, in ascending order",
           "use routing: {kind: dimension_order}, or router.kind: wormhole"),
       stage.needs});
}

RouterModel cascade_model(const PipelineSettings& settings) {
  const RouterModel stage = input_queued_model(settings, Switching::wormhole);
  RouterModel model;
  model.needs = cascade_needs(stage);
  model.build = [stage](const char* name, const RouterSite& site) {
    return std::make_unique<Cascade>(name, stage, site);
  };
  return model;
}

}  // namespace

void register_cascade(Routers& routers) {
  routers.add("cascade",
              {"a router with one stage per dimension, for nodes of one port; wormhole",
               "Tsai 1997, figure 2.4"},
              pipeline_schema(), cascade_model);
}

}  // namespace flitwave
