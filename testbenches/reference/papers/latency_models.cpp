// testbenches/reference/papers/latency_models.cpp: see latency_models.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/papers/latency_models.hpp"

#include <utility>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

namespace {

constexpr double longest_length = 1099511627776.0;  // 2^40 bytes

}  // namespace

double hop_aware(const AlphaBetaGamma& machine, double hops, double bytes) {
  return machine.alpha + machine.beta * (hops + bytes) + machine.gamma;
}

double hop_blind(const AlphaBetaGamma& machine, double bytes) {
  return hop_aware(machine, 0, bytes);
}

double multi_send(const AlphaBetaGamma& machine, int copies, double hops, double bytes) {
  return copies * machine.alpha + machine.beta * (hops + bytes) + machine.gamma;
}

double store_and_forward(const Transmission& machine, double hops, double bytes) {
  return hops * (machine.send + bytes * machine.per_byte + machine.receive);
}

double wormhole(const Transmission& machine, double hops, double bytes) {
  return machine.send + (hops + bytes) * machine.per_byte + machine.receive;
}

double linear_length(double bytes) { return bytes; }

GeneralLatency::GeneralLatency(double startup, double per_unit, LengthFunction f)
    : startup_(startup), per_unit_(per_unit), f_(std::move(f)) {
  if (!(startup >= 0) || !(per_unit >= 0))
    throw ConfigError("", "a latency has no negative part", "give T_s and T_n of 0 or more");
  if (f_(0) != 0)
    throw ConfigError("", fmt::format("f(0) is {}, not 0", f_(0)), "move the constant to T_s");
  double before = 0;
  for (double bytes = 1; bytes <= longest_length; bytes *= 2) {
    const double now = f_(bytes);
    if (!(now >= before))
      throw ConfigError("", fmt::format("f falls from {} to {} at {} bytes", before, now, bytes),
                        "give a function that never falls");
    before = now;
  }
}

double GeneralLatency::length_of(double value) const {
  if (!(value >= 0) || f_(longest_length) < value)
    throw ConfigError("", fmt::format("f is {} for no length up to 2^40 bytes", value));
  double below = 0;
  double above = longest_length;
  // Until the two are neighbouring doubles.
  for (double middle = above / 2; below < middle && middle < above;
       middle = below + (above - below) / 2)
    (f_(middle) < value ? below : above) = middle;
  return f_(below) >= value ? below : above;
}

}  // namespace flitwave
