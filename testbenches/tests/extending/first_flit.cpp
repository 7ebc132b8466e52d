// testbenches/tests/extending/first_flit.cpp: an example of a user-defined observer.
// SPDX-License-Identifier: Apache-2.0
// [observer]
#include <map>

#include "testbenches/job/observer.hpp"

namespace flitwave {
namespace {

struct FirstFlitParams {};

/// When each node received its first flit.
class FirstFlit final : public Observer {
 public:
  explicit FirstFlit(const ObserverSite& site) : site_(site) {}

  std::vector<ChannelSite::Kind> channels() const override { return {ChannelSite::Kind::ejection}; }
  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits)
      first_.emplace(site_.channels[static_cast<std::size_t>(transit.channel)].to, cycle);
  }
  void report(const RunSummary&, Results& results) const override {
    results.add("first_flit.nodes", static_cast<double>(first_.size()), "node");
    Table table{{"node", "cycle"}, {}};
    for (const auto& [node, cycle] : first_)
      table.rows.push_back({site_.topology.label(node), std::to_string(cycle)});
    results.tables["first_flit"] = std::move(table);
  }

 private:
  ObserverSite site_;
  std::map<NodeId, Cycle> first_;
};

}  // namespace

void register_first_flit(Observers& observers) {
  ObserverTraits traits;
  traits.metrics = {{"first_flit.nodes", "node", "nodes that received a flit"}};
  observers.add(
      "first_flit", {"when each node received its first flit", ""}, Schema<FirstFlitParams>{},
      [](const FirstFlitParams&, const ObserverSite& site) {
        return std::unique_ptr<Observer>(std::make_unique<FirstFlit>(site));
      },
      traits);
}

}  // namespace flitwave
// [observer]
