// algorithms/routing/negative_first.cpp: hops to smaller coordinates first.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/grid_walk.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {
namespace {

struct NegativeFirstParams {};

/// Turns from a positive to a negative direction are forbidden: a packet moves west and south in
/// any order, then east and north in any order; x is preferred to y. Minimal.
/// Source: Glass & Ni 1992, "The turn model for adaptive routing".
class NegativeFirst final : public RoutingFunction {
 public:
  explicit NegativeFirst(const Topology& topology) : walk_("negative_first", topology) {
    require_2d_mesh("negative_first", topology);
  }

  void route(NodeId here, const Arrival& /*arrival*/, const Header& header,
             Route& route) const override {
    const int east = walk_.to_go(here, header.destination, 0);
    const int north = walk_.to_go(here, header.destination, 1);
    if (east == 0 && north == 0) return route.deliver();
    const int sign = east < 0 || north < 0 ? -1 : +1;
    if (east * sign > 0) route.forward(Grid::port(0, sign));
    if (north * sign > 0) route.forward(Grid::port(1, sign));
  }

  int arrival_case(NodeId /*here*/, const Arrival& /*arrival*/) const override { return 0; }
  FollowedPackets followed(std::uint32_t /*choice*/) const override {
    return {{}, landmarks(walk_.grid())};
  }

 private:
  GridWalk walk_;
};

}  // namespace

void register_negative_first(Routings& routings) {
  routings.add(
      "negative_first",
      {"minimal adaptive on a 2D mesh, 1 VC: hops to smaller coordinates first", "Glass & Ni 1992"},
      Schema<NegativeFirstParams>{},
      [](const NegativeFirstParams&, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<NegativeFirst>(topology);
      });
}

}  // namespace flitwave
