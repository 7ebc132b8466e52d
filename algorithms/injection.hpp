// algorithms/injection.hpp: when a source creates its packets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "configs/quantity.hpp"
#include "configs/random.hpp"
#include "configs/registry.hpp"

namespace flitwave {

/// A random process in time, shared by all sources. The state of each source is a number that the
/// source stores; gaps are sampled as a whole, not cycle by cycle.
class InjectionProcess {
 public:
  static constexpr std::int64_t never = GeometricGap::never;

  virtual ~InjectionProcess() = default;

  /// Cycles until a source's first packet; sets the source's state. Range: >= 1
  virtual std::int64_t first(std::int64_t& kept, Random& random) const = 0;
  /// Cycles from one packet to the next. Range: >= 1
  virtual std::int64_t next(std::int64_t& kept, Random& random) const = 0;
  /// The variance of the number of packets in a long span, divided by its mean; at least 1.
  virtual double dispersion() const { return 1; }
};

/// The load that a source offers on average.
struct OfferedLoad {
  double flits_per_cycle = 0;  ///< Range: 0 .. 1
  std::int64_t packet = 1;     ///< Length of a packet. Unit: flit

  double packets_per_cycle() const { return flits_per_cycle / static_cast<double>(packet); }
};

/// Kinds of injection: parameters, load -> InjectionProcess.
using Injections = Registry<std::unique_ptr<InjectionProcess>(const OfferedLoad&)>;

}  // namespace flitwave
