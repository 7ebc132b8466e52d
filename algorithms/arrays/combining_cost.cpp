// algorithms/arrays/combining_cost.cpp: see combining_cost.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/combining_cost.hpp"

#include <algorithm>

#include "algorithms/arrays/line_tree.hpp"

namespace flitwave {

namespace {

/// Gathers, or scatters, one after another: each moves twice as many units as the previous one.
void add_levels(CombiningCost& cost, int levels, std::int64_t units) {
  for (int level = 0; level < levels; ++level) {
    ++cost.overhead_startups;
    cost.overhead_units += units << level;
  }
}

}  // namespace

bool is_power_of_two(int nodes) { return nodes > 0 && (nodes & (nodes - 1)) == 0; }

CombiningCost combining_cost(int sources, int destinations, CombiningDegree degree) {
  CombiningCost cost;
  add_levels(cost, degree.gathers, destinations);
  add_levels(cost, degree.scatters, sources);
  cost.region_startups =
      std::int64_t{sources >> degree.gathers} * (destinations >> degree.scatters);
  cost.region_units = std::int64_t{sources} * destinations;
  return cost;
}

CombiningCost one_to_one_cost(int sources, int destinations) {
  const std::int64_t messages = std::int64_t{sources} * destinations;
  return {0, 0, messages, messages};
}

CombiningCost gather_scatter_cost(int sources, int destinations) {
  const std::int64_t messages = std::int64_t{sources} * destinations;
  return {tree_slots(sources) + tree_slots(destinations), 2 * messages - sources - destinations, 1,
          messages};
}

CombiningDegree choose_degree(int sources, int destinations, std::int64_t regions,
                              MessageCost cost) {
  CombiningDegree degree;
  std::int64_t gather_units = destinations;
  std::int64_t scatter_units = sources;
  while (sources > 1 || destinations > 1) {
    const double saved = static_cast<double>(regions) * sources * destinations * cost.startup / 2;
    if (cost.of(std::min(gather_units, scatter_units)) > saved) break;
    if (sources > destinations) {
      sources /= 2;
      gather_units *= 2;
      ++degree.gathers;
    } else {
      destinations /= 2;
      scatter_units *= 2;
      ++degree.scatters;
    }
  }
  return degree;
}

}  // namespace flitwave
