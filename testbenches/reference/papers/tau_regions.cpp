// testbenches/reference/papers/tau_regions.cpp: see tau_regions.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/papers/tau_regions.hpp"

namespace flitwave {

std::vector<std::string> names_of(Region) {
  return {"same", "a", "b", "c_below", "c_above", "d_above", "d_below"};
}

Region region(const TauPoint& point, const TauPoint& seen_from) {
  if (relation(point, seen_from) == Relation::equal) return Region::same;
  const bool left = point.tau() <= seen_from.tau();
  const bool lower = point.startup <= seen_from.startup;
  if (left && lower) return Region::a;
  if (point.tau() >= seen_from.tau() && point.startup >= seen_from.startup) return Region::b;
  if (left) return point.per_byte < seen_from.per_byte ? Region::c_below : Region::c_above;
  return point.per_byte > seen_from.per_byte ? Region::d_above : Region::d_below;
}

}  // namespace flitwave
