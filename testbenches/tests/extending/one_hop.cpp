// testbenches/tests/extending/one_hop.cpp: an example of a user-defined traffic pattern.
// SPDX-License-Identifier: Apache-2.0
// [traffic]
#include "algorithms/traffic.hpp"

namespace flitwave {
namespace {

struct OneHopParams {};

/// The destination of each packet is one of the source's neighbours; every channel is equally
/// likely.
class OneHop final : public TrafficPattern {
 public:
  explicit OneHop(const Topology& topology)
      : nodes_(static_cast<std::size_t>(topology.nodes())), neighbours_(nodes_) {
    for (int c = 0; c < topology.channels(); ++c) {
      const ChannelEnds& channel = topology.channel(ChannelId(c));
      neighbours_[channel.from.index()].push_back(channel.to);
    }
  }

  NodeId destination(NodeId source, Random& random) const override {
    const std::vector<NodeId>& choices = neighbours_[source.index()];
    return choices[static_cast<std::size_t>(random.below(choices.size()))];
  }

  std::vector<double> shares(NodeId source) const override {
    const std::vector<NodeId>& choices = neighbours_[source.index()];
    std::vector<double> shares(nodes_, 0);
    for (const NodeId node : choices)
      shares[node.index()] += 1.0 / static_cast<double>(choices.size());
    return shares;
  }

 private:
  std::size_t nodes_;
  std::vector<std::vector<NodeId>> neighbours_;  // Shape: [nodes][channels that leave]
};

}  // namespace

void register_one_hop(TrafficPatterns& patterns) {
  patterns.add(
      "one_hop", {"each packet is sent to a neighbour", "", {"{kind: one_hop}"}},
      Schema<OneHopParams>{},
      [](const OneHopParams&, const Topology& topology) -> std::unique_ptr<TrafficPattern> {
        return std::make_unique<OneHop>(topology);
      });
}

}  // namespace flitwave
// [traffic]
