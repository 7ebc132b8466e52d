// algorithms/traffic/hotspot.cpp: some nodes receive more packets than the others.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/traffic.hpp"

namespace flitwave {
namespace {

struct HotspotParams {
  std::vector<ConfigNode> nodes;
  double share = 0;
  bool self = false;
};

/// A share of all packets is for one of the hot nodes, each equally likely; the rest is uniform
/// traffic, including the hot nodes. A node that may not send to itself chooses among the others,
/// and the only hot node sends uniform traffic.
/// Source: Pfister & Norton 1985, "Hot spot contention and combining in multistage interconnection
///   networks", section 3.
class Hotspot final : public TrafficPattern {
 public:
  Hotspot(const HotspotParams& params, const Topology& topology)
      : self_(params.self),
        nodes_(topology.nodes()),
        share_(params.share),
        hot_(params.share),
        place_(index(topology.nodes()), -1) {
    if (params.nodes.empty())
      throw ConfigError("nodes", "no hot node", "name at least one, e.g. `nodes: [[3, 4]]`");
    for (const ConfigNode& written : params.nodes) {
      const NodeId node = topology.find(written);
      int& place = place_[node.index()];
      if (place >= 0) throw written.error("the node is named twice", "remove one");
      place = static_cast<int>(spots_.size());
      spots_.push_back(node);
    }
  }

  NodeId destination(NodeId source, Random& random) const override {
    const int own = self_ ? -1 : place_[source.index()];
    const int spots = static_cast<int>(spots_.size()) - (own >= 0 ? 1 : 0);
    if (hot_.draw(random) && spots > 0) return spots_[index(draw(spots, own, random))];
    const int others = self_ ? nodes_ : nodes_ - 1;
    return others == 0 ? NodeId() : NodeId(draw(others, self_ ? -1 : source.value(), random));
  }

  std::vector<double> shares(NodeId source) const override {
    const int own = self_ ? -1 : place_[source.index()];
    const int spots = static_cast<int>(spots_.size()) - (own >= 0 ? 1 : 0);
    const double hot = spots > 0 ? share_ : 0;
    std::vector<double> shares(index(nodes_), (1 - hot) / (self_ ? nodes_ : nodes_ - 1));
    if (!self_) shares[source.index()] = 0;
    for (const NodeId spot : spots_)
      if (self_ || spot != source) shares[spot.index()] += hot / spots;
    return shares;
  }

 private:
  /// One of `choices` numbers other than `without`.
  static int draw(int choices, int without, Random& random) {
    const int drawn = static_cast<int>(random.below(static_cast<std::uint64_t>(choices)));
    return without >= 0 && drawn >= without ? drawn + 1 : drawn;
  }

  bool self_;
  int nodes_;
  double share_;
  Chance hot_;
  std::vector<NodeId> spots_;
  std::vector<int> place_;  // index of a node among the spots, or -1. Shape: [nodes]
};

}  // namespace

void register_hotspot(TrafficPatterns& patterns) {
  using P = HotspotParams;
  patterns.add("hotspot",
               {"a share of the packets is for some hot nodes, the rest is uniform",
                "Pfister & Norton 1985, section 3"},
               Schema<P>{}
                   .required("nodes", &P::nodes, "the hot nodes, e.g. [[3, 4], 12]")
                   .required("share", &P::share,
                             "share of the packets of every node, in addition to uniform traffic",
                             between(0, 1))
                   .optional("self", &P::self, "whether a node may send to itself"),
               [](const P& params, const Topology& topology) -> std::unique_ptr<TrafficPattern> {
                 return std::make_unique<Hotspot>(params, topology);
               });
}

}  // namespace flitwave
