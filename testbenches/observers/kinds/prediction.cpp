// testbenches/observers/kinds/prediction.cpp: why a simulation differs from its formula.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/prediction.hpp"

#include <cmath>

#include <fmt/format.h>

#include "testbenches/job/observer.hpp"

namespace flitwave {
namespace {

struct PredictionParams {};

/// Follows the transfers of a schedule that has a formula.
class Prediction final : public Observer {
 public:
  explicit Prediction(const ObserverSite& site)
      : site_(site), anatomy_(anatomy_site(site_)), travels_(site_) {}

  std::vector<ChannelSite::Kind> channels() const override {
    return {ChannelSite::Kind::network, ChannelSite::Kind::injection, ChannelSite::Kind::ejection};
  }
  void on_passage(const Passage& passage) override { anatomy_.passed(passage); }

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits)
      travels_.crossed(transit, anatomy_.crossed(cycle, transit.channel, transit.flit,
                                                 site_.packets.packet(transit.flit)));
  }

  void report(const RunSummary&, Results& results) const override {
    if (!site_.transfers->complete()) return;
    const auto path = critical_path(*site_.schedule, *site_.transfers, travels_.all());
    const PredictionError error = explain(*site_.schedule, site_.machine, path);
    const double found = results.value("model.error_us");
    if (std::abs(error.sum() - found) > 1e-6 * results.value("collective.max_us"))
      throw ModelError(fmt::format("the causes of the model's error sum to {} us, not {} us",
                                   error.sum(), found));
    for (const auto& [cause, time] : error.named())
      results.add("model.error." + cause, time + 0.0, "us");  // not "-0"
  }

 private:
  ObserverSite site_;
  Anatomy anatomy_;
  TransferTravels travels_;
};

}  // namespace

void register_prediction(Observers& observers) {
  ObserverTraits traits;
  traits.without_clock = true;
  traits.passages = true;
  traits.from_injection = true;
  traits.only_of_formula = true;
  for (const auto& [cause, time] : PredictionError().named())
    traits.metrics.push_back(
        {"model.error." + cause, "us", "part of model.error_us that is due to " + cause});
  observers.add(
      "prediction",
      {"why a collective takes longer than its algorithm's formula predicts, cause by cause", ""},
      Schema<PredictionParams>{},
      [](const PredictionParams&, const ObserverSite& site) {
        return std::unique_ptr<Observer>(std::make_unique<Prediction>(site));
      },
      traits);
}

}  // namespace flitwave
