// algorithms/routing/label_order.cpp: up or down the labels of a Hamiltonian path.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/path_labels.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {
namespace {

struct LabelOrderParams {
  LabelWays ways = LabelWays::closest_label;
  FirstHop first_hop = FirstHop::by_label;
};

/// Every hop moves closer to the destination's label without passing it. The largest possible label
/// step gives shortest paths on 2D meshes; on cubes and in 3D some are longer. A first hop by
/// column does not change their lengths.
/// Source: Lin & Ni 1993; Lin, McKinley & Ni 1994
class LabelOrder final : public RoutingFunction {
 public:
  LabelOrder(const LabelOrderParams& params, const Topology& topology)
      : labels_(topology, params.ways, params.first_hop) {}

  void route(NodeId here, const Arrival& arrival, const Header& header,
             Route& route) const override {
    const NodeId to = header.destination;
    if (here == to) return route.deliver();
    route.forward(arrival.injected() ? labels_.first_port(here, to) : labels_.port(here, to));
  }

  int arrival_case(NodeId /*here*/, const Arrival& arrival) const override {
    return labels_.starts_apart() && !arrival.injected() ? 1 : 0;
  }
  const PathLabels* path_labels() const override { return &labels_; }
  const StopOrder* stop_order() const override { return &labels_; }

 private:
  PathLabels labels_;
};

}  // namespace

void register_label_order(Routings& routings) {
  routings.add(
      "label_order",
      {"up or down the labels of a path through all nodes; grids, 1 VC",
       "Lin & Ni 1993; Lin, McKinley & Ni 1994"},
      Schema<LabelOrderParams>{}
          .optional("ways", &LabelOrderParams::ways,
                    "the next hop: the neighbour whose label is closest to the "
                    "destination's without passing it, or the one nearest to the destination")
          .optional("first_hop", &LabelOrderParams::first_hop,
                    "how packets leave their source: as at other nodes, or on a 2D grid by the "
                    "permitted neighbour in the row, if the destination's column is on its "
                    "side, else by the one in the column (algorithm: multi_path)"),
      [](const LabelOrderParams& params,
         const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<LabelOrder>(params, topology);
      });
}

}  // namespace flitwave
