// algorithms/routing/valiant.cpp: through any node of the network.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/two_phase.hpp"

namespace flitwave {
namespace {

struct ValiantParams {};

/// The intermediate is any node with equal probability, source and destination included. A packet
/// that passes its destination in the first phase continues.
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
      {"dimension order through a random node; 2 VCs on a mesh or cube, 4 on a torus",
       "Valiant & Brebner 1981"},
      Schema<ValiantParams>{},
      [](const ValiantParams&, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<Valiant>(topology);
      });
}

}  // namespace flitwave
