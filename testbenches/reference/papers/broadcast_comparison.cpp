// testbenches/reference/papers/broadcast_comparison.cpp: see broadcast_comparison.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/papers/broadcast_comparison.hpp"

#include <fmt/format.h>

#include "algorithms/cost_models/fibonacci_growth.hpp"
#include "algorithms/cost_models/grid_powers.hpp"
#include "configs/error.hpp"

namespace flitwave {

namespace {

void require_defined(bool holds, const char* what, int n, int k) {
  if (!holds)
    throw ConfigError("", fmt::format("{} is not defined for n = {}, k = {}", what, n, k));
}

/// Nodes in a row.
double width(int n) { return static_cast<double>(1 << n); }
/// The share of one node among all nodes.
double one_of_all(int n) { return 1 / (width(n) * width(n)); }
/// t(P, k) with P = 4^n.
double steps(int n, int k) { return fibonacci_steps(1LL << (2 * n), k); }

/// Above 0, SC's tau grows faster with the number of sends than FT's.
double balance(int n, int k) { return k * (1 - one_of_all(n)) - width(n) + 1 - n; }

}  // namespace

double epsilon(int n, int k) {
  require_defined(k > 3 && n > 0 && n <= greatest_exponent, "epsilon", n, k);
  return (2 * (width(n) - 1 + n) - steps(n, k)) / (2 * (width(n) - 1) * (k - 3));
}

double omega(int n, int k) {
  require_defined(k > 0 && n > 0 && n <= greatest_exponent, "omega", n, k);
  return 3 * steps(n, k) - 2.0 * k * k * (1 - one_of_all(n));
}

double mu(int n, int k) {
  require_defined(omega(n, k) != 0, "mu", n, k);
  return steps(n, k) * balance(n, k) / ((width(n) - 1) * omega(n, k));
}

bool scatter_collect_has_smaller_tau(int n, int k, double tau_0) {
  const double sign = omega(n, k);
  if (sign == 0) return balance(n, k) < 0;
  return sign > 0 ? tau_0 > mu(n, k) : tau_0 < mu(n, k);
}

double edn_scatter_collect_crossover(int n, double tau_0) {
  require_defined(n > 1 && n <= greatest_exponent, "the crossover of EDN and scatter-collect", n,
                  0);
  if (!(tau_0 > 0))
    throw ConfigError("", fmt::format("tau_0 is {}, not above 0", tau_0),
                      "give a machine with beta > 0");
  return ((4 * width(n) - 5) / (2 * tau_0) + 5 * (width(n) - 1)) / (n - 1 + 2 * one_of_all(n));
}

double edn_fibonacci_r(int n, int k) {
  require_defined(k > 0 && n > 0 && n <= greatest_exponent, "R", n, k);
  return 2.0 * k * k * (n + 1) - steps(n, k);
}

double edn_fibonacci_bound(int n, int k) {
  require_defined(k > 0 && n > 0 && n <= greatest_exponent, "the bound", n, k);
  return (3.0 * n - steps(n, k)) / ((2.0 * k - 1) * (width(n) - 1));
}

}  // namespace flitwave
