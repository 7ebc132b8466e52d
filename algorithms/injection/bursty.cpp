// algorithms/injection/bursty.cpp: bursts separated by silence.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "algorithms/injection.hpp"

namespace flitwave {
namespace {

struct BurstyParams {
  Cycles burst{100};
  Rate peak{1};
};

double probability_of_end(const BurstyParams& params) {
  return 1 / static_cast<double>(params.burst.count);
}

/// The probability, in a silent cycle, that the next one belongs to a burst, such that the share of
/// cycles in bursts is rate / peak.
double probability_of_start(const BurstyParams& params, const OfferedLoad& load) {
  const double peak = params.peak.flits_per_node_cycle;
  const double start =
      probability_of_end(params) * load.flits_per_cycle / (peak - load.flits_per_cycle);
  if (load.flits_per_cycle < peak && start <= 1) return start;
  if (load.flits_per_cycle < peak)
    throw ConfigError("burst",
                      fmt::format("bursts of {} cycles cannot be so frequent that the mean rate is "
                                  "{} of a peak of {} flit/node/cycle",
                                  params.burst.count, load.flits_per_cycle, peak),
                      "use longer bursts, a greater peak or a lower traffic.rate");
  throw ConfigError("peak",
                    fmt::format("the rate in bursts is {} flit/node/cycle, but the mean rate is {}",
                                peak, load.flits_per_cycle),
                    "use a greater peak or a lower traffic.rate");
}

/// A source is in a burst or silent; in a burst it creates a packet in every cycle with the same
/// probability. Bursts and silences have geometric lengths. The state of a source: the remaining
/// cycles of its burst.
/// Source: Dally & Towles 2004, section 24.2: the Markov modulated process of two states.
class Bursty final : public InjectionProcess {
 public:
  Bursty(const BurstyParams& params, const OfferedLoad& load)
      : start_(probability_of_start(params, load)),
        end_(probability_of_end(params)),
        packet_(params.peak.flits_per_node_cycle / static_cast<double>(load.packet)),
        in_burst_(load.flits_per_cycle / params.peak.flits_per_node_cycle) {
    // The variance of the cycles in bursts depends on the lengths of bursts and silences alike.
    const double a = probability_of_start(params, load);
    const double b = probability_of_end(params);
    const double p = params.peak.flits_per_node_cycle / static_cast<double>(load.packet);
    if (a > 0) dispersion_ = 1 - p + p * b * (2 - a - b) / ((a + b) * (a + b));
  }

  std::int64_t first(std::int64_t& kept, Random& random) const override {
    kept = in_burst_.draw(random) ? end_.draw(random) : 0;
    return next(kept, random);
  }

  // A gap that outlasts the burst is sampled again in the next one: geometric gaps have no memory.
  std::int64_t next(std::int64_t& kept, Random& random) const override {
    for (std::int64_t passed = 0;;) {
      const std::int64_t gap = packet_.draw(random);
      if (gap <= kept) {
        kept -= gap;
        return passed + gap;
      }
      passed += kept + start_.draw(random);
      if (passed >= never) return never;
      kept = end_.draw(random);
    }
  }

  double dispersion() const override { return dispersion_ > 1 ? dispersion_ : 1; }

 private:
  GeometricGap start_;
  GeometricGap end_;
  GeometricGap packet_;
  Chance in_burst_;
  double dispersion_ = 1;
};

}  // namespace

void register_bursty(Injections& injections) {
  using P = BurstyParams;
  injections.add(
      "bursty", {"bursts separated by silence", "Dally & Towles 2004, section 24.2"},
      Schema<P>{}
          .optional("burst", &P::burst, "mean length of a burst", at_least(1))
          .optional("peak", &P::peak,
                    "offered load within a burst; bursts are so frequent that the mean is "
                    "traffic.rate",
                    between(0, 1)),
      [](const P& params, const OfferedLoad& load) -> std::unique_ptr<InjectionProcess> {
        return std::make_unique<Bursty>(params, load);
      });
}

}  // namespace flitwave
