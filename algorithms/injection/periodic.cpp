// algorithms/injection/periodic.cpp: packets at equal intervals.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "algorithms/injection.hpp"

namespace flitwave {
namespace {

struct PeriodicParams {};

/// A packet every 1 / rate cycles, rounded so that no rounding accumulates. Every source starts at
/// a random time, uniform over the first period.
class Periodic final : public InjectionProcess {
 public:
  explicit Periodic(const OfferedLoad& load) {
    const double cycles = 1 / load.packets_per_cycle();
    if (cycles < longest) period_ = std::llround(cycles * one);
  }

  std::int64_t first(std::int64_t& kept, Random& random) const override {
    if (period_ == 0) return never;
    kept = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(period_)));
    return whole(kept) + 1;
  }
  std::int64_t next(std::int64_t& kept, Random&) const override {
    kept += period_;
    return whole(kept);
  }

 private:
  static constexpr std::int64_t one = std::int64_t{1} << 24;  ///< A cycle.
  static constexpr double longest = 1e11;  ///< Cycles; a longer period counts as infinite.

  /// The whole cycles of `time`, in which the fraction remains.
  static std::int64_t whole(std::int64_t& time) {
    const std::int64_t cycles = time / one;
    time %= one;
    return cycles;
  }

  std::int64_t period_ = 0;  ///< In cycles / `one`; 0: no packets.
};

}  // namespace

void register_periodic(Injections& injections) {
  injections.add(
      "periodic", {"packets at equal intervals, every source from a random start time", ""},
      Schema<PeriodicParams>{},
      [](const PeriodicParams&, const OfferedLoad& load) -> std::unique_ptr<InjectionProcess> {
        return std::make_unique<Periodic>(load);
      });
}

}  // namespace flitwave
