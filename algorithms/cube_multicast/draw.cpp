// algorithms/cube_multicast/draw.cpp: a distance first, then a node.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/cube_multicast/draw.hpp"

#include <cstddef>
#include <string>

#include "flitwave/configs/error.hpp"

namespace flitwave {
namespace {

void require_destinations(const Cube& cube, CubeAddress source, int destinations) {
  cube.require(source, "source");
  if (destinations < 1 || destinations >= cube.nodes())
    throw ConfigError("destinations",
                      std::to_string(destinations) + " destinations in a cube of " +
                          std::to_string(cube.nodes()) + " nodes",
                      "draw 1 to " + std::to_string(cube.nodes() - 1));
}

void require_decay(double decay) {
  if (!(decay > 0 && decay <= 1))
    throw ConfigError("decay", "the factor of likelihood per hop is " + std::to_string(decay),
                      "choose one above 0, at most 1");
}

/// Uniform in 0 .. 1, 1 left out.
double share(Random& random) { return static_cast<double>(random.bits() >> 11) * 0x1p-53; }

/// The nodes that are not drawn yet, by distance. Shape: [dimensions][any]
class Urn {
 public:
  Urn(const Cube& cube, CubeAddress source, double decay) {
    double weight = 1;
    for (int i = 0; i < cube.dimensions(); ++i, weight *= decay) weights_.push_back(weight);
    nodes_.resize(weights_.size());
    for (CubeAddress node : cube.all_but(source))
      nodes_[static_cast<std::size_t>(cube_distance(source, node)) - 1].push_back(node);
  }

  CubeAddress draw(Random& random) {
    double total = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) total += weight(i);
    double left = share(random) * total;
    std::size_t distance = nodes_.size();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].empty()) continue;
      distance = i;  // the last that is not empty, should rounding lead beyond it
      if (left < weight(i)) break;
      left -= weight(i);
    }
    CubeNodes& from = nodes_[distance];
    const auto place = static_cast<std::size_t>(random.below(from.size()));
    const CubeAddress node = from[place];
    from[place] = from.back();
    from.pop_back();
    return node;
  }

 private:
  double weight(std::size_t i) const { return weights_[i] * static_cast<double>(nodes_[i].size()); }

  std::vector<double> weights_;
  std::vector<CubeNodes> nodes_;
};

}  // namespace

CubeNodes draw_uniform(const Cube& cube, CubeAddress source, int destinations, Random& random) {
  require_destinations(cube, source, destinations);
  CubeNodes drawn;
  for (int number : random.sample(cube.nodes() - 1, destinations)) {
    const auto node = static_cast<CubeAddress>(number);
    drawn.push_back(node < source ? node : node + 1);
  }
  return drawn;
}

CubeNodes draw_decreasing(const Cube& cube, CubeAddress source, int destinations, double decay,
                          Random& random) {
  require_destinations(cube, source, destinations);
  require_decay(decay);
  Urn urn(cube, source, decay);
  CubeNodes drawn;
  for (int i = 0; i < destinations; ++i) drawn.push_back(urn.draw(random));
  return drawn;
}

DecreasingChance::DecreasingChance(const Cube& cube, double decay) {
  require_decay(decay);
  const int n = cube.dimensions();
  double power = 1;  // (1 + decay)^n
  for (int i = 0; i < n; ++i) power *= 1 + decay;
  neighbour = decay / (power - 1);
  double nodes = 1;
  double chance = neighbour;
  for (int i = 1; i <= n; ++i, chance *= decay) {
    nodes *= static_cast<double>(n - i + 1) / i;
    distance.push_back(nodes * chance);
  }
  mean_distance = n * decay * (power / (1 + decay)) / (power - 1);
}

}  // namespace flitwave
