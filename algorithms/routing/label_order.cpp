// algorithms/routing/label_order.cpp: up or down the labels of a Hamiltonian path.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/path_multicast/path_labels.hpp"
#include "flitwave/algorithms/routing.hpp"

namespace flitwave {
namespace {

struct LabelOrderParams {
  LabelWays ways = LabelWays::closest_label;
};

/// Every hop comes closer to the destination's label without passing it. Going as far up or down
/// the labels as that allows makes shortest paths on 2D meshes; on cubes and in 3D some are longer.
/// Source: Lin & Ni 1993; Lin, McKinley & Ni 1994
class LabelOrder final : public RoutingFunction {
 public:
  LabelOrder(const LabelOrderParams& params, const Topology& topology)
      : labels_(topology, params.ways) {}

  void route(NodeId here, const Arrival& /*arrival*/, const Header& header,
             Route& route) const override {
    if (here == header.destination) return route.deliver();
    route.forward(labels_.port(here, header.destination));
  }

  int arrival_case(NodeId /*here*/, const Arrival& /*arrival*/) const override { return 0; }
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
      Schema<LabelOrderParams>{}.optional(
          "ways", &LabelOrderParams::ways,
          "of the neighbours that lead on, the one whose label comes closest to the destination's, "
          "or one that is nearest to the destination"),
      [](const LabelOrderParams& params,
         const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<LabelOrder>(params, topology);
      });
}

}  // namespace flitwave
