// algorithms/cost_models/closed_forms.hpp: latencies of the broadcasts of Tsai 1997, as formulas.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/cost_models/alpha_beta_gamma.hpp"
#include "algorithms/cost_models/tau_model.hpp"

namespace flitwave {

/// A latency as a sum: sends * alpha + receives * gamma + (hops + messages * L) * beta.
struct Terms {
  double sends = 0;
  double receives = 0;
  double hops = 0;
  double messages = 0;  ///< The factor of the message's length.

  TauPoint point(const AlphaBetaGamma& machine) const;
  /// Unit: us
  double at(const AlphaBetaGamma& machine, double bytes) const { return point(machine).at(bytes); }
};
Terms operator+(const Terms& a, const Terms& b);

/// The latency of a collective according to its source.
struct CostFormula {
  Terms terms;
  std::string source;  ///< e.g. "Tsai 1997, table 5.3"
};

/// Recursive doubling on a 2^k x 2^k mesh, without distances. The names of dimensions are those of
/// Tsai's formulas.
/// Source: Tsai 1997, section 3.3.4
Terms mesh_2d_doubling(int k);
/// EDN on a 2^k x 2^k mesh, k > 1, without distances.
/// Source: Tsai 1997, section 3.3.4
Terms mesh_2d_edn(int k);

/// Recursive doubling on a mesh of 4 * 2^k by 4 * 2^k by 4 * 2^m.
/// Source: Tsai 1997, section 3.4.4
Terms mesh_3d_doubling(int k, int m);
/// EDN on a mesh of 4 * 2^k by 4 * 2^k by 4 * 2^m or 4 * 3^m.
/// Source: Tsai 1997, section 3.4.4
Terms mesh_3d_edn(int k, int m);

/// EDN on a 2^d x 2^d torus.
/// Source: Tsai 1997, equation 4.1
Terms torus_edn(int d);
/// U-torus on a 2^d x 2^d torus.
/// Source: Tsai 1997, equation 4.2
Terms u_torus(int d);
/// U-torus on any torus of two dimensions.
/// Source: Tsai 1997, section 4.4.2; the text has its last term twice
Terms u_torus(int columns, int rows);

// On a mesh of 2^n x 2^n, with distances. Source: Tsai 1997, tables 5.2 and 5.3

/// Dimensional broadcast: recursive doubling along the source's row, then along all columns.
Terms dimensional_broadcast(int n);
/// Scatter along a row and the columns, then rings that collect along rows and columns.
Terms scatter_collect(int n);
/// A Fibonacci tree over which the message is sent in `packets` pieces.
Terms fibonacci_tree(int n, int packets);
/// Broadcast over extended dominating nodes.
Terms edn(int n);

/// Reduction over extended dominating nodes on a 2^n x 2^n mesh: its broadcast reversed, so that
/// receives follow one another where the broadcast has sends. The time of combining is not
/// included.
/// Source: ours, from `edn`; Tsai 1997, section 3.5, has the steps and no times
Terms edn_reduction(int n);

/// A phase of scatter-collect.
struct Phase {
  std::string name;
  Terms terms;
};
/// The phases of scatter-collect; they add up to `scatter_collect`. Table 5.2 has the lengths of
/// the two rings exchanged, one beta in a ring's step where two channels are crossed, and wrong
/// braces.
std::vector<Phase> scatter_collect_phases(int n);

/// All-to-all broadcast by a token (version B): P (P - 1) messages, strictly one after the other,
/// without distances.
/// Source: Tsai 1997, section 5.5.2
Terms all_to_all_by_token(int nodes);
/// `message`: the latency of one of them. Unit: us
TauPoint all_to_all_by_token(int nodes, const TauPoint& message);

}  // namespace flitwave
