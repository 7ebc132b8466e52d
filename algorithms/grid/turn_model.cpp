// algorithms/grid/turn_model.cpp: see turn_model.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/turn_model.hpp"

#include <memory>
#include <utility>

#include "algorithms/grid/grid_walk.hpp"

namespace flitwave {
namespace {

struct TurnModelParams {};

class TurnModel final : public RoutingFunction {
 public:
  TurnModel(const char* name, TurnRule rule, const Topology& topology)
      : walk_(name, topology), rule_(rule) {
    require_2d_mesh(name, topology);
  }

  void route(NodeId here, const Arrival& /*arrival*/, const Header& header,
             Route& route) const override {
    const int east = walk_.to_go(here, header.destination, 0);
    const int north = walk_.to_go(here, header.destination, 1);
    if (east == 0 && north == 0) return route.deliver();
    rule_(east, north, route);
  }

  int arrival_case(NodeId /*here*/, const Arrival& /*arrival*/) const override { return 0; }
  FollowedPackets followed(std::uint32_t /*choice*/) const override {
    return {{}, landmarks(walk_.grid())};
  }

 private:
  GridWalk walk_;
  TurnRule rule_;
};

}  // namespace

void add_turn_model(Routings& routings, const char* name, About about, TurnRule rule) {
  routings.add(name, std::move(about), Schema<TurnModelParams>{},
               [name, rule](const TurnModelParams&,
                            const Topology& topology) -> std::unique_ptr<RoutingFunction> {
                 return std::make_unique<TurnModel>(name, rule, topology);
               });
}

}  // namespace flitwave
