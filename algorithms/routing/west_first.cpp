// algorithms/routing/west_first.cpp: hops to the west first.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/grid_walk.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {
namespace {

struct WestFirstParams {};

/// West is towards smaller x. Turns to the west are forbidden: a packet moves west first, then
/// east, north or south in any order; x is preferred to y. Minimal.
/// Source: Glass & Ni 1992, "The turn model for adaptive routing".
class WestFirst final : public RoutingFunction {
 public:
  explicit WestFirst(const Topology& topology) : walk_("west_first", topology) {
    require_2d_mesh("west_first", topology);
  }

  void route(NodeId here, const Arrival& /*arrival*/, const Header& header,
             Route& route) const override {
    const int east = walk_.to_go(here, header.destination, 0);
    const int north = walk_.to_go(here, header.destination, 1);
    if (east == 0 && north == 0) return route.deliver();
    if (east < 0) return route.forward(Grid::port(0, -1));
    if (east > 0) route.forward(Grid::port(0, +1));
    if (north != 0) route.forward(Grid::port(1, north));
  }

  int arrival_case(NodeId /*here*/, const Arrival& /*arrival*/) const override { return 0; }
  FollowedPackets followed(std::uint32_t /*choice*/) const override {
    return {{}, landmarks(walk_.grid())};
  }

 private:
  GridWalk walk_;
};

}  // namespace

void register_west_first(Routings& routings) {
  routings.add(
      "west_first",
      {"minimal adaptive on a 2D mesh, 1 VC: no turn to the west, so hops to the west are first",
       "Glass & Ni 1992"},
      Schema<WestFirstParams>{},
      [](const WestFirstParams&, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<WestFirst>(topology);
      });
}

}  // namespace flitwave
