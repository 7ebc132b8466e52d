// algorithms/routing/duato.cpp: any minimal way, and dimension order as an escape.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/grid_walk.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {
namespace {

struct DuatoParams {};

/// Any hop that brings a packet nearer on the adaptive class, lowest dimension first, then the hop
/// of dimension order on an escape class. The first classes are the escapes, one virtual channel
/// each: one where nothing wraps, else two, told apart by whether the wrap channel is still ahead
/// of the packet where it is, whichever way it came. All other virtual channels are adaptive.
/// Source: Duato 1993, "A new theory of deadlock-free adaptive routing in wormhole networks".
class Duato final : public RoutingFunction {
 public:
  explicit Duato(const Topology& topology)
      : walk_("duato", topology), escapes_(walk_.wraps() ? 2 : 1) {}

  void route(NodeId here, const Arrival& /*arrival*/, const Header& header,
             Route& route) const override {
    if (here == header.destination) return route.deliver();
    int lowest = -1;  // of the dimensions with hops to go
    int hops_in_lowest = 0;
    for (int dimension = 0; dimension < walk_.dimensions(); ++dimension) {
      const int hops = walk_.to_go(here, header.destination, dimension);
      if (hops == 0) continue;
      route.forward(Grid::port(dimension, hops), escapes_);
      if (walk_.tie(here, header.destination, dimension))
        route.forward(Grid::port(dimension, -hops), escapes_);
      if (lowest >= 0) continue;
      lowest = dimension;
      hops_in_lowest = hops;
    }
    route.escape(Grid::port(lowest, hops_in_lowest),
                 walk_.wrap_class(here, header.destination, lowest, hops_in_lowest));
  }

  int vc_classes() const override { return escapes_ + 1; }
  VcRange class_vcs(int vc_class, int vcs) const override {
    return {vc_class, vc_class < escapes_ ? 1 : vcs - escapes_};
  }
  bool relies_on_escape() const override { return true; }
  FollowedPackets followed(std::uint32_t /*choice*/) const override {
    return {{}, landmarks(walk_.grid())};
  }
  int arrival_case(NodeId /*here*/, const Arrival& /*arrival*/) const override { return 0; }
  bool mirrors() const override { return true; }

 private:
  GridWalk walk_;
  int escapes_;
};

}  // namespace

void register_duato(Routings& routings) {
  routings.add(
      "duato",
      {"minimal adaptive with dimension order as escape; 2 VCs or more on a mesh or cube, 3 "
       "or more on a torus. Escapes are the lowest classes, by remaining_wrap in rings; where a "
       "ring is as long both ways, they go up from even coordinates, down from odd ones",
       "Duato 1993"},
      Schema<DuatoParams>{},
      [](const DuatoParams&, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<Duato>(topology);
      });
}

}  // namespace flitwave
