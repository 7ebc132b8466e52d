// algorithms/routing/odd_even.cpp: turns are permitted by the parity of the column.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/grid_walk.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {
namespace {

struct OddEvenParams {};

/// In even columns turns from east to north or south are forbidden, in odd columns turns from north
/// or south to west. East is towards greater x; x is preferred to y. Minimal.
/// Source: Chiu 2000, "The odd-even turn model for adaptive routing". ROUTE tests whether
///   a packet is in its source's column; here the input port of the packet shows it.
class OddEven final : public RoutingFunction {
 public:
  explicit OddEven(const Topology& topology) : walk_("odd_even", topology) {
    require_2d_mesh("odd_even", topology);
  }

  void route(NodeId here, const Arrival& arrival, const Header& header,
             Route& route) const override {
    const int east = walk_.to_go(here, header.destination, 0);
    const int north = walk_.to_go(here, header.destination, 1);
    if (east == 0 && north == 0) return route.deliver();
    const bool even_column = walk_.at(here, 0) % 2 == 0;
    const bool even_destination = walk_.at(header.destination, 0) % 2 == 0;
    // A packet that has not arrived by a hop to the east is still in its source's column, or in an
    // odd one, because in an even column it cannot have turned.
    const bool may_leave_row = east == 0  ? true
                               : east > 0 ? !even_column || !came_east(arrival)
                                          : even_column;
    if (east > 0 && (north == 0 || !even_destination || east != 1))
      route.forward(Grid::port(0, +1));
    if (east < 0) route.forward(Grid::port(0, -1));
    if (north != 0 && may_leave_row) route.forward(Grid::port(1, north));
  }

  int arrival_case(NodeId /*here*/, const Arrival& arrival) const override {
    return came_east(arrival) ? 1 : 0;
  }
  FollowedPackets followed(std::uint32_t /*choice*/) const override {
    return {{}, landmarks(walk_.grid())};
  }

 private:
  static bool came_east(const Arrival& arrival) {
    return !arrival.injected() && arrival.port == Grid::port(0, -1);
  }

  GridWalk walk_;
};

}  // namespace

void register_odd_even(Routings& routings) {
  routings.add(
      "odd_even",
      {"minimal adaptive on a 2D mesh, 1 VC: turns forbidden by the parity of the column",
       "Chiu 2000, algorithm ROUTE"},
      Schema<OddEvenParams>{},
      [](const OddEvenParams&, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<OddEven>(topology);
      });
}

}  // namespace flitwave
