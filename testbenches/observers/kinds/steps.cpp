// testbenches/observers/kinds/steps.cpp: a schedule's steps and contention, as papers count them.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/observer.hpp"
#include "testbenches/job/results/run_metrics.hpp"
#include "testbenches/observers/untimed_results.hpp"

namespace flitwave {
namespace {

struct StepsParams {};

/// The schedule's figures on the graph, besides the run's measurements.
class Steps final : public Observer {
 public:
  explicit Steps(const ObserverSite& site) : site_(site) {}

  std::vector<ChannelSite::Kind> channels() const override { return {}; }

  void report(const RunSummary&, Results& results) const override {
    if (!site_.untimed) return;
    report_steps(*site_.untimed, *site_.schedule, site_.topology, site_.routing, results);
    report_ways(*site_.untimed, *site_.schedule, site_.topology, results);
  }

 private:
  ObserverSite site_;
};

}  // namespace

void register_steps(Observers& observers) {
  ObserverTraits traits;
  traits.without_clock = true;
  traits.metrics = steps_metrics();
  observers.add(
      "steps", {"message-passing steps of the schedule, and contention within them", ""},
      Schema<StepsParams>{},
      [](const StepsParams&, const ObserverSite& site) {
        return std::unique_ptr<Observer>(std::make_unique<Steps>(site));
      },
      traits);
}

}  // namespace flitwave
