// algorithms/routing/valiant.cpp: by way of any node of the network.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/two_phase.hpp"

namespace flitwave {
namespace {

struct ValiantParams {};

/// The intermediate is any node with equal chances, source and destination among them. A packet
/// that passes its destination on the first way goes on.
/// Source: Valiant & Brebner 1981, "Universal schemes for parallel communication".
class Valiant final : public TwoPhase {
 public:
  explicit Valiant(const Topology& topology) : TwoPhase("valiant", topology) {}

 private:
  NodeId intermediate(NodeId /*source*/, NodeId /*destination*/, Random& random) const override {
    return NodeId(static_cast<int>(random.below(static_cast<std::uint64_t>(walk().nodes()))));
  }
};

}  // namespace

void register_valiant(Routings& routings) {
  routings.add(
      "valiant",
      {"dimension order by way of a random node; 2 VCs on a mesh or cube, 4 on a torus",
       "Valiant & Brebner 1981"},
      Schema<ValiantParams>{},
      [](const ValiantParams&, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<Valiant>(topology);
      });
}

}  // namespace flitwave
