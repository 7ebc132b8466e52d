// algorithms/cost_models/grid_powers.cpp: see grid_powers.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/grid_powers.hpp"

#include <algorithm>

namespace flitwave {

namespace {

bool all_wrap(const Grid& grid, bool wraps) {
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension)
    if (grid.wraps(dimension) != wraps) return false;
  return true;
}

std::optional<int> square_exponent(const Grid* grid, bool wraps) {
  if (!grid || grid->dimensions() != 2 || !all_wrap(*grid, wraps)) return std::nullopt;
  if (grid->extent(0) != grid->extent(1)) return std::nullopt;
  return power_of(2, grid->extent(0));
}

}  // namespace

std::optional<int> power_of(int base, int extent, int first) {
  if (extent < first || extent % first != 0) return std::nullopt;
  int rest = extent / first;
  int exponent = 0;
  for (; rest % base == 0; rest /= base) ++exponent;
  return rest == 1 ? std::optional(exponent) : std::nullopt;
}

std::optional<int> mesh_2d_exponent(const Grid* grid) { return square_exponent(grid, false); }
std::optional<int> torus_2d_exponent(const Grid* grid) { return square_exponent(grid, true); }

bool has_two_per_dimension(const Grid* grid) {
  return grid && std::all_of(grid->extents().begin(), grid->extents().end(),
                             [](int extent) { return extent == 2; });
}

std::optional<Mesh3dExponents> mesh_3d_exponents(const Grid* grid, int base) {
  if (!grid || grid->dimensions() != 3 || !all_wrap(*grid, false)) return std::nullopt;
  const std::optional<int> k = power_of(2, grid->extent(0), 4);
  const std::optional<int> m = power_of(base, grid->extent(2), 4);
  if (!k || !m || grid->extent(0) != grid->extent(1)) return std::nullopt;
  return Mesh3dExponents{*k, *m};
}

}  // namespace flitwave
