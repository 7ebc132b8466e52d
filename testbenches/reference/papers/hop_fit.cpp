// testbenches/reference/papers/hop_fit.cpp: least squares in three unknowns.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/papers/hop_fit.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "configs/error.hpp"

namespace flitwave {
namespace {

using Equation = std::array<double, 4>;

/// Solves three equations, each a row of coefficients with its right side.
/// Throws: ConfigError when they do not determine the unknowns.
std::array<double, 3> solved(std::array<Equation, 3> rows) {
  for (std::size_t i = 0; i < 3; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i + 1; r < 3; ++r)
      if (std::abs(rows[r][i]) > std::abs(rows[pivot][i])) pivot = r;
    std::swap(rows[i], rows[pivot]);
    if (!(std::abs(rows[i][i]) > 1e-9))
      throw ConfigError("samples", "too few different hops and lengths to fit three parameters",
                        "measure two distances and two lengths at least");
    for (std::size_t r = 0; r < 3; ++r) {
      if (r == i) continue;
      const double factor = rows[r][i] / rows[i][i];
      for (std::size_t c = i; c < 4; ++c) rows[r][c] -= factor * rows[i][c];
    }
  }
  return {rows[0][3] / rows[0][0], rows[1][3] / rows[1][1], rows[2][3] / rows[2][2]};
}

}  // namespace

HopModel fit_hops(const std::vector<MeasuredHops>& samples) {
  std::array<Equation, 3> normal{};
  for (const MeasuredHops& sample : samples) {
    const double routers = sample.hops + 1;
    const std::array<double, 3> terms{1, routers, routers * sample.bytes};
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) normal[r][c] += terms[r] * terms[c];
      normal[r][3] += terms[r] * sample.time;
    }
  }
  const auto [ends, decision, per_byte] = solved(normal);
  return {ends, decision, per_byte};
}

}  // namespace flitwave
