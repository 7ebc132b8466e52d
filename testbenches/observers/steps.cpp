// testbenches/observers/steps.cpp: a schedule's steps and contention, as papers count them.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/observer.hpp"

namespace flitwave {
namespace {

struct StepsParams {};

/// What the schedule is on the graph, beside what the run measured.
class Steps final : public Observer {
 public:
  explicit Steps(const ObserverSite& site) : site_(site) {}

  std::vector<ChannelSite::Kind> channels() const override { return {}; }

  void report(const RunSummary&, Results& results) const override {
    if (!site_.untimed) return;
    const Untimed& untimed = *site_.untimed;
    results.add("steps", untimed.steps, "");
    results.add("steps.contentions", static_cast<double>(untimed.contentions.size()), "");
    results.add("steps.mean_path", untimed.mean_path, "channel");
    Table table{{"step", "transfers", "greatest_channel_load"}, {}};
    for (std::size_t i = 0; i < untimed.transfers_per_step.size(); ++i)
      table.rows.push_back({std::to_string(i + 1), std::to_string(untimed.transfers_per_step[i]),
                            std::to_string(untimed.step_load[i])});
    results.tables["steps"] = std::move(table);
  }

 private:
  ObserverSite site_;
};

}  // namespace

void register_steps(Observers& observers) {
  observers.add("steps", {"message-passing steps of the schedule, and contention within them", ""},
                Schema<StepsParams>{}, [](const StepsParams&, const ObserverSite& site) {
                  return std::unique_ptr<Observer>(std::make_unique<Steps>(site));
                });
}

}  // namespace flitwave
