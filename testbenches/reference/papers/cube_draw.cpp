// testbenches/reference/papers/cube_draw.cpp: destinations by distance.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/papers/cube_draw.hpp"

#include <string>

#include "algorithms/sampling/distance_draw.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

void require_destinations(const Cube& cube, CubeAddress source, int destinations) {
  cube.require(source, "source");
  if (destinations < 1 || destinations >= cube.nodes())
    throw ConfigError("destinations",
                      std::to_string(destinations) + " destinations in a cube of " +
                          std::to_string(cube.nodes()) + " nodes",
                      "choose 1 to " + std::to_string(cube.nodes() - 1));
}

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
  std::vector<int> distance;
  for (CubeAddress node = 0; node <= cube.all(); ++node)
    distance.push_back(cube_distance(source, node));
  CubeNodes drawn;
  for (NodeId node : draw_by_distance(distance, destinations, decay, random))
    drawn.push_back(static_cast<CubeAddress>(node.value()));
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
