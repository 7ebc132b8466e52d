// testbenches/tests/extending/parity_order.cpp: an example of a user-defined routing function.
// SPDX-License-Identifier: Apache-2.0
// [routing]
#include "algorithms/routing.hpp"

namespace flitwave {
namespace {

struct ParityOrderParams {};

/// On a 2D mesh packets of even nodes are routed x first, packets of odd nodes y first. Each group
/// has its own class of virtual channels, so that neither can wait for the other.
class ParityOrder final : public RoutingFunction {
 public:
  explicit ParityOrder(const Topology& topology) : grid_(*topology.grid()) {}

  int vc_classes() const override { return 2; }
  std::uint32_t choose(NodeId source, NodeId, Random&) const override {
    return static_cast<std::uint32_t>(source.value() % 2);
  }
  std::vector<std::uint32_t> all_choices() const override { return {0, 1}; }

  void route(NodeId here, const Arrival&, const Header& header, Route& route) const override {
    const int first = static_cast<int>(header.choice);
    for (int dimension : {first, 1 - first}) {
      const int to_go =
          grid_.coordinate(header.destination, dimension) - grid_.coordinate(here, dimension);
      if (to_go == 0) continue;
      route.forward(Grid::port(dimension, to_go > 0 ? +1 : -1), first);
      return;
    }
    route.deliver();
  }

 private:
  const Grid& grid_;
};

std::unique_ptr<RoutingFunction> parity_order(const ParityOrderParams&, const Topology& topology) {
  const Grid* grid = topology.grid();
  if (!grid || grid->dimensions() != 2 || grid->wraps(0) || grid->wraps(1))
    throw ConfigError("routing", "parity_order routes on 2D meshes only", "use a mesh [x, y]");
  return std::make_unique<ParityOrder>(topology);
}

}  // namespace

void register_parity_order(Routings& routings) {
  routings.add("parity_order", {"x first from even nodes, y first from odd ones", ""},
               Schema<ParityOrderParams>{}, parity_order);
}

}  // namespace flitwave
// [routing]
