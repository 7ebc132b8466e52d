// testbenches/reference/papers/draw_faults.cpp: chooses random sets until one is valid.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/papers/draw_faults.hpp"

#include <algorithm>
#include <string>

#include "configs/error.hpp"

namespace flitwave {
namespace {

CubeNodes sample(const CubeNodes& nodes, int take, Random& random) {
  CubeNodes drawn;
  for (int place : random.sample(static_cast<int>(nodes.size()), take))
    drawn.push_back(nodes[static_cast<std::size_t>(place)]);
  return drawn;
}

}  // namespace

CubeFaults draw_valid_faults(const Cube& cube, int faults, const CubeNodes& spared, Random& random,
                             int most_draws) {
  CubeNodes candidates;
  for (CubeAddress node = 0; node <= cube.all(); ++node)
    if (std::find(spared.begin(), spared.end(), node) == spared.end()) candidates.push_back(node);
  if (faults < 0 || static_cast<std::size_t>(faults) > candidates.size())
    throw ConfigError("faults", std::to_string(faults) + " faults among " +
                                    std::to_string(candidates.size()) +
                                    " nodes that may be faulty");
  for (int draw = 0; draw < most_draws; ++draw)
    if (CubeFaults drawn(cube, sample(candidates, faults, random)); drawn.valid()) return drawn;
  throw ConfigError("faults",
                    "none of " + std::to_string(most_draws) + " random sets of " +
                        std::to_string(faults) + " faulty nodes is valid",
                    "choose fewer, or list them");
}

CubeNodes draw_uniform(const CubeFaults& faults, CubeAddress source, int destinations,
                       Random& random) {
  require_fault_free(faults, source, {});
  CubeNodes others = faults.fault_free();
  others.erase(std::find(others.begin(), others.end(), source));
  if (destinations < 1 || static_cast<std::size_t>(destinations) > others.size())
    throw ConfigError("destinations", std::to_string(destinations) + " destinations among " +
                                          std::to_string(others.size()) + " fault-free nodes");
  return sample(others, destinations, random);
}

}  // namespace flitwave
