// algorithms/routing/label_order.cpp: up or down the labels of a Hamiltonian path.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/path_multicast/path_labels.hpp"
#include "flitwave/algorithms/routing.hpp"

namespace flitwave {
namespace {

struct LabelOrderParams {};

/// Goes to the neighbour whose label comes closest to the destination's without passing it. On 2D
/// meshes that makes shortest paths; on cubes and in 3D some are longer.
/// Source: Lin & Ni 1993; Lin, McKinley & Ni 1994
class LabelOrder final : public RoutingFunction {
 public:
  explicit LabelOrder(const Topology& topology) : labels_(topology) {}

  void route(NodeId here, const Arrival& /*arrival*/, const Header& header,
             Route& route) const override {
    if (here == header.destination) return route.deliver();
    route.forward(labels_.port(here, header.destination));
  }

  const PathLabels* path_labels() const override { return &labels_; }

 private:
  PathLabels labels_;
};

}  // namespace

void register_label_order(Routings& routings) {
  routings.add(
      "label_order",
      {"up or down the labels of a path through all nodes; grids, 1 VC",
       "Lin & Ni 1993; Lin, McKinley & Ni 1994"},
      Schema<LabelOrderParams>{},
      [](const LabelOrderParams&, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<LabelOrder>(topology);
      });
}

}  // namespace flitwave
