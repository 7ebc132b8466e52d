// testbenches/reference/papers/latency_models.hpp: the cost of one message, in closed form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "algorithms/cost_models/alpha_beta_gamma.hpp"

namespace flitwave {

/// One message over `hops` channels of a wormhole network: alpha + beta (hops + bytes) + gamma.
/// Unit: us
/// Source: Tsai 1997, sections 4.4.2 and 5.3
double hop_aware(const AlphaBetaGamma& machine, double hops, double bytes);

/// The same without the distance: alpha + beta bytes + gamma.
/// Unit: us
/// Source: Tsai 1997, section 3.3.4
double hop_blind(const AlphaBetaGamma& machine, double bytes);

/// A message to each of `copies` destinations over disjoint paths, until the last has it, which is
/// `hops` channels away: the send overheads are consecutive, the messages overlap.
/// Unit: us
/// Source: Tsai 1997, section 4.4.2
double multi_send(const AlphaBetaGamma& machine, int copies, double hops, double bytes);

/// The machine of Tsai's chapter 2. Unit: us
struct Transmission {
  double send = 0;      ///< t_s
  double per_byte = 0;  ///< t_n
  double receive = 0;   ///< t_r
};

/// Each node on the path receives the whole message before it forwards it.
/// Unit: us
/// Source: Tsai 1997, section 2.5
double store_and_forward(const Transmission& machine, double hops, double bytes);

/// t_s + (hops + bytes) t_n + t_r. The source prints hops * bytes, and states in the same paragraph
/// that distance hardly matters.
/// Unit: us
/// Source: Tsai 1997, section 2.5
double wormhole(const Transmission& machine, double hops, double bytes);

/// How a latency depends on the length: continuous, never falling, 0 for 0.
using LengthFunction = std::function<double(double bytes)>;

/// f(L) = L.
double linear_length(double bytes);

/// A latency T_s + T_n f(L). Unit: us
/// Source: Tsai 1997, section 5.1
class GeneralLatency {
 public:
  /// Throws: ConfigError when a cost is negative, or f is not 0 for 0 or falls somewhere among the
  ///   powers of two up to 2^40.
  GeneralLatency(double startup, double per_unit, LengthFunction f = linear_length);

  double startup() const { return startup_; }
  double per_unit() const { return per_unit_; }
  double at(double bytes) const { return startup_ + per_unit_ * f_(bytes); }
  /// The length with f(length) = value, by bisection; the least one where f is level.
  /// Throws: ConfigError when there is none up to 2^40 bytes.
  double length_of(double value) const;

 private:
  double startup_;
  double per_unit_;
  LengthFunction f_;
};

}  // namespace flitwave
