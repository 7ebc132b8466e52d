// testbenches/observers/kinds/channel_load.cpp: the number of flits that each channel carried.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbenches/job/observer.hpp"

namespace flitwave {
namespace {

struct ChannelLoadParams {};

/// Counts flits per channel over the whole run.
class ChannelLoad final : public Observer {
 public:
  explicit ChannelLoad(const ObserverSite& site) : site_(site), flits_(site.channels.size(), 0) {}

  std::vector<ChannelSite::Kind> channels() const override {
    return {ChannelSite::Kind::network, ChannelSite::Kind::injection, ChannelSite::Kind::ejection};
  }

  void on_transits(Cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits) ++flits_[index(transit.channel)];
  }

  void on_delivery(const PacketDelivery& delivery) override {
    for (const ChannelUse& use : delivery.uses)
      flits_[index(use.channel)] += delivery.packet.length;
  }

  void report(const RunSummary& run, Results& results) const override {
    Table table{{"channel", "kind", "from", "to", "port", "flits", "utilisation"}, {}};
    const std::vector<std::string> kinds{"network", "injection", "ejection"};
    std::int64_t greatest = 0;
    std::int64_t sum = 0;
    std::int64_t network = 0;
    const auto share = [cycles = run.cycles](std::int64_t flits) {
      return static_cast<double>(flits) / static_cast<double>(std::max<Cycle>(1, cycles));
    };
    for (std::size_t i = 0; i < flits_.size(); ++i) {
      const ChannelSite& site = site_.channels[i];
      table.rows.push_back({site.label, kinds[index(site.kind)], site_.topology.label(site.from),
                            site_.topology.label(site.to), std::to_string(site.port.value()),
                            std::to_string(flits_[i]), number_text(share(flits_[i]))});
      if (site.kind != ChannelSite::Kind::network) continue;
      greatest = std::max(greatest, flits_[i]);
      sum += flits_[i];
      ++network;
    }
    results.tables["channel_load"] = std::move(table);
    results.add("channel_load.max", static_cast<double>(greatest), "flit");
    results.add("channel_load.mean",
                static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(1, network)),
                "flit");
    results.add("utilisation.max", share(greatest), "");
  }

 private:
  ObserverSite site_;
  std::vector<std::int64_t> flits_;  // Shape: [channels]
};

}  // namespace

void register_channel_load(Observers& observers) {
  ObserverTraits traits;
  traits.by_packet = true;
  traits.metrics = {
      {"channel_load.max", "flit", "flits that crossed the busiest channel between routers"},
      {"channel_load.mean", "flit", "mean number of flits that crossed a channel between routers"},
      {"utilisation.max", "", "share of the cycles in which the busiest channel carried a flit"},
  };
  observers.add(
      "channel_load", {"flits and utilisation of every channel", ""}, Schema<ChannelLoadParams>{},
      [](const ChannelLoadParams&, const ObserverSite& site) {
        return std::unique_ptr<Observer>(std::make_unique<ChannelLoad>(site));
      },
      traits);
}

}  // namespace flitwave
