// algorithms/cost_models/grid_powers.hpp: grids with the extents that formulas are stated for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "topologies/grid.hpp"

namespace flitwave {

/// Greatest n of the formulas of networks of 2^n nodes in a row: powers of two are exact, and
/// counts of nodes fit in an int.
constexpr int greatest_exponent = 15;

/// The m with first * base^m = extent, if there is one.
/// Needs: first >= 1, base >= 2
std::optional<int> power_of(int base, int extent, int first = 1);

/// The n of a mesh of 2^n x 2^n; none for any other network.
std::optional<int> mesh_2d_exponent(const Grid* grid);
/// The d of a torus of 2^d x 2^d; none for any other network.
std::optional<int> torus_2d_exponent(const Grid* grid);

/// Whether every dimension has two nodes, whatever channels connect them; false without a grid.
bool has_two_per_dimension(const Grid* grid);

/// A mesh of 4 * 2^k by 4 * 2^k by 4 * base^m.
struct Mesh3dExponents {
  int k = 0;
  int m = 0;
};
/// None for any other network.
std::optional<Mesh3dExponents> mesh_3d_exponents(const Grid* grid, int base);

}  // namespace flitwave
