// algorithms/routing/north_last.cpp: hops to the north last.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/grid_walk.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {
namespace {

struct NorthLastParams {};

/// North is towards greater y. Turns from the north are forbidden: a packet moves west, east or
/// south in any order, x preferred to y, and north last. Minimal.
/// Source: Glass & Ni 1992, "The turn model for adaptive routing".
class NorthLast final : public RoutingFunction {
 public:
  explicit NorthLast(const Topology& topology) : walk_("north_last", topology) {
    require_2d_mesh("north_last", topology);
  }

  void route(NodeId here, const Arrival& /*arrival*/, const Header& header,
             Route& route) const override {
    const int east = walk_.to_go(here, header.destination, 0);
    const int north = walk_.to_go(here, header.destination, 1);
    if (east == 0 && north == 0) return route.deliver();
    if (east != 0) route.forward(Grid::port(0, east));
    if (north < 0) route.forward(Grid::port(1, -1));
    if (north > 0 && east == 0) route.forward(Grid::port(1, +1));
  }

  int arrival_case(NodeId /*here*/, const Arrival& /*arrival*/) const override { return 0; }
  FollowedPackets followed(std::uint32_t /*choice*/) const override {
    return {{}, landmarks(walk_.grid())};
  }

 private:
  GridWalk walk_;
};

}  // namespace

void register_north_last(Routings& routings) {
  routings.add(
      "north_last",
      {"minimal adaptive on a 2D mesh, 1 VC: no turn from the north, so hops to the north are "
       "last",
       "Glass & Ni 1992"},
      Schema<NorthLastParams>{},
      [](const NorthLastParams&, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<NorthLast>(topology);
      });
}

}  // namespace flitwave
