// algorithms/routing/duato.cpp: minimal adaptive, with dimension order as the escape.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/grid_walk.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {
namespace {

struct DuatoParams {};

/// Any hop that brings a packet nearer to its destination on the adaptive class, lowest dimension
/// first, then the hop of dimension order on an escape class. The first classes are the escapes,
/// one virtual channel each: one where no dimension wraps, else two, distinguished by whether the
/// wrap channel is still ahead of the packet at its current node. All other virtual channels are
/// adaptive.
/// Source: Duato 1993, "A new theory of deadlock-free adaptive routing in wormhole networks".
class Duato final : public RoutingFunction {
 public:
  explicit Duato(const Topology& topology)
      : walk_("duato", topology), escapes_(walk_.wraps() ? 2 : 1) {}

  void route(NodeId here, const Arrival& /*arrival*/, const Header& header,
             Route& route) const override {
    if (here == header.destination) return route.deliver();
    int lowest = -1;  // of the dimensions with hops left
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
       "or more on a torus. Escapes are the lowest classes, by remaining_wrap in rings; where both "
       "directions of a ring are equally long, they are positive from even coordinates, else "
       "negative",
       "Duato 1993"},
      Schema<DuatoParams>{},
      [](const DuatoParams&, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<Duato>(topology);
      });
}

}  // namespace flitwave
