// testbenches/tests/extending/pairs.cpp: an example of a user-defined injection process.
// SPDX-License-Identifier: Apache-2.0
// [injection]
#include "algorithms/injection.hpp"

namespace flitwave {
namespace {

struct PairsParams {
  Cycles apart{1};
};

/// The probability that a pair begins, in a cycle that is not between the packets of a pair, such
/// that the mean rate is that of the load.
double probability_of_pair(const PairsParams& params, const OfferedLoad& load) {
  if (load.packets_per_cycle() == 0) return 0;
  const double silence = 2 / load.packets_per_cycle() - static_cast<double>(params.apart.count);
  if (silence >= 1) return 1 / silence;
  throw ConfigError("apart", "at this traffic.rate the next pair is due before a pair is complete",
                    "use a lower traffic.rate, longer packets, or packets less far apart");
}

/// Packets in pairs, at random times. The state of a source: whether the first packet of a pair was
/// created last.
class Pairs final : public InjectionProcess {
 public:
  Pairs(const PairsParams& params, const OfferedLoad& load)
      : apart_(params.apart.count), begins_(probability_of_pair(params, load)) {}

  std::int64_t first(std::int64_t& kept, Random& random) const override {
    kept = 1;
    return begins_.draw(random);
  }
  std::int64_t next(std::int64_t& kept, Random& random) const override {
    kept = 1 - kept;
    return kept == 0 ? apart_ : begins_.draw(random);
  }
  /// Of rare pairs.
  double dispersion() const override { return 2; }

 private:
  std::int64_t apart_;
  GeometricGap begins_;
};

}  // namespace

void register_pairs(Injections& injections) {
  using P = PairsParams;
  injections.add(
      "pairs", {"packets in pairs, at random times", "", {"{kind: pairs, apart: 2 cycle}"}},
      Schema<P>{}.optional("apart", &P::apart, "time from the first packet of a pair to the second",
                           between(1, 1000)),
      [](const P& params, const OfferedLoad& load) -> std::unique_ptr<InjectionProcess> {
        return std::make_unique<Pairs>(params, load);
      });
}

}  // namespace flitwave
// [injection]
