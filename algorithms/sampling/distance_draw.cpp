// algorithms/sampling/distance_draw.cpp: a distance first, then a node.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/sampling/distance_draw.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

namespace {

/// Uniform in 0 .. 1, excluding 1.
double share(Random& random) { return static_cast<double>(random.bits() >> 11) * 0x1p-53; }

/// The nodes that are not chosen yet, by distance.
class Urn {
 public:
  Urn(const std::vector<int>& distance, double decay) {
    const int farthest = distance.empty() ? 0 : *std::max_element(distance.begin(), distance.end());
    double weight = 1;
    for (int hops = 1; hops <= farthest; ++hops, weight *= decay) weights_.push_back(weight);
    nodes_.resize(weights_.size());
    for (std::size_t node = 0; node < distance.size(); ++node)
      if (distance[node] > 0)
        nodes_[index(distance[node]) - 1].emplace_back(static_cast<int>(node));
  }

  NodeId draw(Random& random) {
    double total = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) total += weight(i);
    double left = share(random) * total;
    std::size_t distance = nodes_.size();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].empty()) continue;
      distance = i;  // the last that is not empty, in case rounding exceeds it
      if (left < weight(i)) break;
      left -= weight(i);
    }
    if (distance == nodes_.size()) throw ModelError("there is no node left to choose");
    std::vector<NodeId>& from = nodes_[distance];
    const auto place = index(random.below(from.size()));
    const NodeId node = from[place];
    from[place] = from.back();
    from.pop_back();
    return node;
  }

 private:
  double weight(std::size_t i) const { return weights_[i] * static_cast<double>(nodes_[i].size()); }

  std::vector<double> weights_;             // probability weight of one node; [distance - 1]
  std::vector<std::vector<NodeId>> nodes_;  // Shape: [distance - 1][any]
};

}  // namespace

void require_decay(double decay) {
  if (!(decay > 0 && decay <= 1))
    throw ConfigError("decay", fmt::format("must be above 0 and at most 1, found {}", decay),
                      "choose a factor such as 0.5, or leave decay out");
}

std::vector<NodeId> draw_by_distance(const std::vector<int>& distance, int count, double decay,
                                     Random& random) {
  require_decay(decay);
  Urn urn(distance, decay);
  std::vector<NodeId> drawn;
  for (int i = 0; i < count; ++i) drawn.push_back(urn.draw(random));
  return drawn;
}

}  // namespace flitwave
