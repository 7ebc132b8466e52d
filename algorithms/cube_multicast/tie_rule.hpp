// algorithms/cube_multicast/tie_rule.hpp: which of several equally good dimensions is taken.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "algorithms/cube_multicast/cube.hpp"

namespace flitwave {

/// Chooses among the dimensions that serve equally many destinations. Pure: equal arguments give
/// the same result, so that all models of a router agree.
/// Source: Lan 1988, section 5.1, which leaves the choice open and builds `lowest`
class TieRule {
 public:
  /// Dimensions in order of preference, for some nodes.
  using Script = std::map<CubeAddress, std::vector<int>>;

  static TieRule lowest() { return TieRule(Kind::lowest); }
  static TieRule highest() { return TieRule(Kind::highest); }
  /// Each of the tied dimensions is equally likely; the choice varies with seed, node and
  /// destinations.
  static TieRule random(std::uint64_t seed);
  /// The first of the node's preferences that is tied, else the lowest dimension.
  /// Throws: ConfigError on "tie.script" when a preference is no dimension of any cube.
  static TieRule scripted(Script script);

  /// One of the dimensions `tied` at a node, where `left` are the destinations to be served.
  /// Throws: ModelError when none is tied.
  int choose(CubeAddress here, CubeBits tied, const CubeNodes& left) const;

 private:
  enum class Kind { lowest, highest, random, scripted };

  explicit TieRule(Kind kind) : kind_(kind) {}
  int drawn(CubeAddress here, CubeBits tied, const CubeNodes& left) const;
  int preferred(CubeAddress here, CubeBits tied) const;

  Kind kind_;
  std::uint64_t seed_ = 0;
  Script script_;
};

}  // namespace flitwave
