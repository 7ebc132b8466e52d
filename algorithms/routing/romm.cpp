// algorithms/routing/romm.cpp: through a node between source and destination.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "algorithms/grid/two_phase.hpp"

namespace flitwave {
namespace {

struct RommParams {};

/// The intermediate is a node of the box that source and destination span, all equally likely, so
/// that every path is minimal.
/// Source: Nesson & Johnsson 1995, "ROMM routing on mesh and torus networks", with two phases.
class Romm final : public TwoPhase {
 public:
  explicit Romm(const Topology& topology) : TwoPhase("romm", topology) {}

  bool chooses_evenly() const override { return false; }

 private:
  NodeId intermediate(NodeId source, NodeId destination, Random& random) const override {
    NodeId drawn = source;
    for (int dimension = 0; dimension < walk().dimensions(); ++dimension) {
      const int hops = walk().to_go(source, destination, dimension);
      const int taken =
          static_cast<int>(random.below(static_cast<std::uint64_t>(std::abs(hops) + 1)));
      drawn = walk().moved(drawn, dimension, hops > 0 ? taken : -taken);
    }
    return drawn;
  }
};

}  // namespace

void register_romm(Routings& routings) {
  routings.add("romm",
               {"dimension order through a random node between source and destination; 2 VCs on a "
                "mesh or cube, 4 on a torus",
                "Nesson & Johnsson 1995"},
               Schema<RommParams>{},
               [](const RommParams&, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
                 return std::make_unique<Romm>(topology);
               });
}

}  // namespace flitwave
