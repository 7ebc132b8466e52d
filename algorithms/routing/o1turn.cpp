// algorithms/routing/o1turn.cpp: x first or y first, chosen at random for every packet.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/grid_walk.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {
namespace {

struct O1TurnParams {};

/// Half of the packets correct x first, half y first, each half on classes of its own: one where no
/// dimension wraps, else two. Header::choice: 0 x first, 1 y first.
/// Source: Seo, Ali, Lim, Rafique & Thottethodi 2005, "Near-optimal worst-case throughput routing
///   for two-dimensional mesh networks". Its tori are ours: dateline classes for each order.
class O1Turn final : public RoutingFunction {
 public:
  explicit O1Turn(const Topology& topology)
      : walk_("o1turn", topology), classes_per_order_(walk_.wraps() ? 2 : 1) {
    if (walk_.dimensions() != 2)
      throw ConfigError("kind", "o1turn routes on grids of two dimensions only",
                        "use a mesh or torus [x, y], or kind: romm");
  }

  void route(NodeId here, const Arrival& /*arrival*/, const Header& header,
             Route& route) const override {
    if (here == header.destination) return route.deliver();
    const bool y_first = header.choice == 1;
    const GridWalk::Hop hop = walk_.next(here, header.destination, y_first);
    route.forward(hop.port, (y_first ? classes_per_order_ : 0) + hop.wrap_class);
  }

  int vc_classes() const override { return 2 * classes_per_order_; }

  std::uint32_t choose(NodeId /*source*/, NodeId /*destination*/, Random& random) const override {
    return static_cast<std::uint32_t>(random.below(2));
  }
  std::vector<std::uint32_t> all_choices() const override { return {0, 1}; }
  int arrival_case(NodeId /*here*/, const Arrival& /*arrival*/) const override { return 0; }
  FollowedPackets followed(std::uint32_t choice) const override {
    return {{}, landmarks(walk_.grid(), choice == 1 ? 0 : 1)};
  }

 private:
  GridWalk walk_;
  int classes_per_order_;
};

}  // namespace

void register_o1turn(Routings& routings) {
  routings.add(
      "o1turn",
      {"x first or y first, chosen at random for each packet; 2 VCs on a 2D mesh, 4 on a 2D torus",
       "Seo et al. 2005"},
      Schema<O1TurnParams>{},
      [](const O1TurnParams&, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<O1Turn>(topology);
      });
}

}  // namespace flitwave
