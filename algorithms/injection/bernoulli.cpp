// algorithms/injection/bernoulli.cpp: a packet in every cycle with the same probability.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/injection.hpp"

namespace flitwave {
namespace {

struct BernoulliParams {};

/// Source: Dally & Towles 2004, section 24.2.
class Bernoulli final : public InjectionProcess {
 public:
  explicit Bernoulli(const OfferedLoad& load) : gap_(load.packets_per_cycle()) {}

  std::int64_t first(std::int64_t&, Random& random) const override { return gap_.draw(random); }
  std::int64_t next(std::int64_t&, Random& random) const override { return gap_.draw(random); }

 private:
  GeometricGap gap_;
};

}  // namespace

void register_bernoulli(Injections& injections) {
  injections.add(
      "bernoulli",
      {"a packet in every cycle with the same probability", "Dally & Towles 2004, section 24.2"},
      Schema<BernoulliParams>{},
      [](const BernoulliParams&, const OfferedLoad& load) -> std::unique_ptr<InjectionProcess> {
        return std::make_unique<Bernoulli>(load);
      });
}

}  // namespace flitwave
