// algorithms/cube_multicast/tie_rule.cpp: see tie_rule.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/tie_rule.hpp"

#include <utility>

#include "configs/error.hpp"
#include "configs/random.hpp"

namespace flitwave {

TieRule TieRule::random(std::uint64_t seed) {
  TieRule rule(Kind::random);
  rule.seed_ = seed;
  return rule;
}

TieRule TieRule::scripted(Script script) {
  for (const auto& [node, preferences] : script)
    for (int dimension : preferences)
      if (dimension < 0 || dimension >= most_cube_dimensions)
        throw ConfigError("tie.script", "node " + std::to_string(node) + " prefers dimension " +
                                            std::to_string(dimension) +
                                            ", which exists in no cube");
  TieRule rule(Kind::scripted);
  rule.script_ = std::move(script);
  return rule;
}

int TieRule::choose(CubeAddress here, CubeBits tied, const CubeNodes& left) const {
  if (tied == 0) throw ModelError("there is no dimension to choose");
  switch (kind_) {
    case Kind::highest:
      return highest_bit(tied);
    case Kind::random:
      return drawn(here, tied, left);
    case Kind::scripted:
      return preferred(here, tied);
    default:
      return lowest_bit(tied);
  }
}

int TieRule::drawn(CubeAddress here, CubeBits tied, const CubeNodes& left) const {
  if (ones(tied) == 1) return lowest_bit(tied);
  // Summed, so that the order of the list does not matter.
  std::uint64_t key = mix(here);
  for (CubeAddress node : left) key += mix(node + (std::uint64_t{1} << 32));
  Random random(seed_, "tie", key);
  return one_bit(1 + static_cast<int>(random.below(static_cast<std::uint64_t>(ones(tied)))), tied);
}

int TieRule::preferred(CubeAddress here, CubeBits tied) const {
  if (const auto found = script_.find(here); found != script_.end())
    for (int dimension : found->second)
      if (has_bit(tied, dimension)) return dimension;
  return lowest_bit(tied);
}

}  // namespace flitwave
