// algorithms/traffic/uniform.cpp: every destination is equally likely.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/traffic.hpp"

namespace flitwave {
namespace {

struct UniformParams {
  bool self = false;
};

/// Source: Dally & Towles 2004, section 3.2.
class Uniform final : public TrafficPattern {
 public:
  Uniform(const UniformParams& params, const Topology& topology)
      : self_(params.self), nodes_(topology.nodes()) {}

  NodeId destination(NodeId source, Random& random) const override {
    const int choices = self_ ? nodes_ : nodes_ - 1;
    if (choices == 0) return NodeId();
    const int drawn = static_cast<int>(random.below(static_cast<std::uint64_t>(choices)));
    return NodeId(!self_ && drawn >= source.value() ? drawn + 1 : drawn);
  }

  std::vector<double> shares(NodeId source) const override {
    std::vector<double> shares(index(nodes_), 1.0 / (self_ ? nodes_ : nodes_ - 1));
    if (!self_) shares[source.index()] = 0;
    return shares;
  }

 private:
  bool self_;
  int nodes_;
};

}  // namespace

void register_uniform(TrafficPatterns& patterns) {
  using P = UniformParams;
  patterns.add("uniform",
               {"every destination is equally likely", "Dally & Towles 2004, section 3.2"},
               Schema<P>{}.optional("self", &P::self,
                                    "whether a node may send to itself, so that its packet crosses "
                                    "no channel"),
               [](const P& params, const Topology& topology) -> std::unique_ptr<TrafficPattern> {
                 return std::make_unique<Uniform>(params, topology);
               });
}

}  // namespace flitwave
