// algorithms/working_traffic.cpp: see working_traffic.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/working_traffic.hpp"

#include <utility>

#include "algorithms/demand.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

class WorkingTraffic final : public TrafficPattern {
 public:
  WorkingTraffic(std::unique_ptr<TrafficPattern> pattern, const Topology& topology)
      : pattern_(std::move(pattern)), works_(index(topology.nodes()), false) {
    for (const NodeId node : working_nodes(topology)) works_[node.index()] = true;
    for (int i = 0; i < topology.nodes(); ++i) sends_.push_back(has_receiver(NodeId(i)));
  }

  NodeId destination(NodeId source, Random& random) const override {
    if (!sends_[source.index()]) return NodeId();
    NodeId drawn = pattern_->destination(source, random);
    while (!works_[drawn.index()]) drawn = pattern_->destination(source, random);
    return drawn;
  }

  std::vector<double> shares(NodeId source) const override {
    std::vector<double> shares(works_.size(), 0);
    if (!sends_[source.index()]) return shares;
    const std::vector<double> all = pattern_->shares(source);
    double sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) sum += works_[i] ? all[i] : 0;
    for (std::size_t i = 0; i < all.size(); ++i) shares[i] = works_[i] ? all[i] / sum : 0;
    return shares;
  }

 private:
  bool has_receiver(NodeId source) const {
    const std::vector<double> shares = pattern_->shares(source);
    if (shares.empty())
      throw ConfigError("kind",
                        "this pattern does not specify its destinations, so that sources cannot "
                        "leave out faulty nodes",
                        "use another pattern, or leave out the faulty nodes");
    bool any = false;
    for (std::size_t i = 0; i < shares.size(); ++i) any = any || (works_[i] && shares[i] > 0);
    return any && works_[source.index()];
  }

  std::unique_ptr<TrafficPattern> pattern_;
  std::vector<bool> works_;  // Shape: [nodes]
  std::vector<bool> sends_;  // Shape: [nodes]
};

}  // namespace

std::unique_ptr<TrafficPattern> among_working(std::unique_ptr<TrafficPattern> pattern,
                                              const Topology& topology) {
  if (working_nodes(topology).size() == index(topology.nodes())) return pattern;
  return std::make_unique<WorkingTraffic>(std::move(pattern), topology);
}

}  // namespace flitwave
