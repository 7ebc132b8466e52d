// testbenches/reference/papers/broadcast_comparison.hpp: which broadcast on a 2^n x 2^n mesh is
// better.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitwave {

// tau_0 is beta / (alpha + gamma) of the machine. SC is scatter-collect, FT the Fibonacci tree of k
// packets. relation() of the two points determines which one is better for which lengths; these are
// the bounds that the source states.

/// SC has the smaller start-up than FT for tau_0 above it.
/// Needs: k > 3
/// Source: Tsai 1997, section 5.4.2
double epsilon(int n, int k);

/// Its sign determines on which side of mu SC has the smaller tau.
/// Source: Tsai 1997, section 5.4.2
double omega(int n, int k);

/// SC has the smaller tau than FT for tau_0 above it when omega > 0, below it when omega < 0. The
/// source writes omega(k) for omega(n, k) within it.
/// Needs: omega(n, k) != 0
/// Source: Tsai 1997, section 5.4.2
double mu(int n, int k);

/// Whether SC has the smaller tau than FT, by omega and mu; for omega = 0 by k (1 - q) < 2^n - 1 +
/// n, q being 4^-n, which the source omits. Source: Tsai 1997, section 5.4.2
bool scatter_collect_has_smaller_tau(int n, int k, double tau_0);

/// The crossover of EDN and SC when alpha = gamma: EDN is better below, SC above.
/// Needs: n > 1
/// Unit: byte
/// Source: Tsai 1997, section 5.4.3, with the term 5 (2^n - 1) beta that it omits
double edn_scatter_collect_crossover(int n, double tau_0);

/// R(n, k) = 2 k^2 (n + 1) - t(P, k), which is above 0 for k > 1: EDN's tau is the greater one.
/// Source: Tsai 1997, section 5.4.4, which prints R < 0
double edn_fibonacci_r(int n, int k);

/// For tau_0 above it EDN has the smaller start-up than FT for any split of alpha + gamma;
/// sufficient, not necessary. Source: Tsai 1997, section 5.4.4, which prints 2 (k - 1) for 2 k - 1
double edn_fibonacci_bound(int n, int k);

}  // namespace flitwave
