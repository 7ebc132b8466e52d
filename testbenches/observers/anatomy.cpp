// testbenches/observers/anatomy.cpp: what the cycles of packets' latencies went to.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/anatomy.hpp"

#include <algorithm>

#include "flitwave/testbenches/observer.hpp"

namespace flitwave {
namespace {

struct AnatomyParams {
  bool packets = false;
};

AnatomySite anatomy_site(const ObserverSite& site) {
  AnatomySite known;
  known.tells = site.tells_passages;
  known.handshake = site.channels.front().channel->params().handshake;
  for (const ChannelSite& channel : site.channels) {
    const bool local = channel.kind != ChannelSite::Kind::network;
    const int output = channel.port.value() + (local ? site.topology.port_limit() : 0);
    known.channels.push_back(
        {channel.kind, channel.from, PortId(output), channel.channel->params().latency.count});
  }
  return known;
}

/// Means over the packets of the window, and if asked for every packet's parts.
class LatencyAnatomy final : public Observer {
 public:
  LatencyAnatomy(const AnatomyParams& params, const ObserverSite& site)
      : params_(params), site_(site), anatomy_(anatomy_site(site)) {
    for (std::size_t i = 0; i < part_count; ++i)
      if (static_cast<Part>(i) != Part::router || !all_tell())
        parts_.push_back(static_cast<Part>(i));
  }

  std::vector<ChannelSite::Kind> channels() const override {
    return {ChannelSite::Kind::network, ChannelSite::Kind::injection, ChannelSite::Kind::ejection};
  }
  bool wants_passages() const override { return true; }
  void on_passage(const Passage& passage) override { anatomy_.passed(passage); }

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits) {
      const Packet& packet = site_.packets.packet(transit.flit);
      const Anatomy::Moment now = anatomy_.crossed(cycle, transit.channel, transit.flit, packet);
      const ChannelSite& channel = site_.channels[static_cast<std::size_t>(transit.channel)];
      if (channel.kind == ChannelSite::Kind::ejection && transit.flit.tail()) keep(packet, now);
    }
  }

  void report(const RunSummary& run, Results& results) const override {
    results.add("anatomy.packets", static_cast<double>(packets_), "packet");
    if (packets_ > 0 && !run.saturated) report_means(results);
    if (!params_.packets) return;
    Table table{{"source", "destination", "number", "flits", "created", "ejected"}, {}};
    const std::vector<std::string> names = names_of(Part{});
    for (const Part part : parts_) table.columns.push_back(names[static_cast<std::size_t>(part)]);
    for (const Part part : parts_)
      table.columns.push_back(names[static_cast<std::size_t>(part)] + "_zero_load");
    std::vector<std::vector<Cycle>> rows = rows_;
    std::sort(rows.begin(), rows.end());
    for (const auto& row : rows) {
      table.rows.push_back({site_.topology.label(NodeId(static_cast<int>(row[0]))),
                            site_.topology.label(NodeId(static_cast<int>(row[2]))),
                            std::to_string(row[1])});
      for (std::size_t i = 3; i < row.size(); ++i)
        table.rows.back().push_back(std::to_string(row[i]));
    }
    results.tables["anatomy_packets"] = std::move(table);
  }

 private:
  bool all_tell() const {
    return std::find(site_.tells_passages.begin(), site_.tells_passages.end(), false) ==
           site_.tells_passages.end();
  }

  void keep(const Packet& packet, const Anatomy::Moment& ejected) {
    if (!site_.window.holds(packet.created)) return;
    ++packets_;
    sum_ += ejected.parts;
    if (!params_.packets) return;
    rows_.push_back({packet.header.source.value(), packet.number, packet.header.destination.value(),
                     packet.length, packet.created, ejected.at});
    for (const Part part : parts_) rows_.back().push_back(ejected.parts.of(part));
    for (const Part part : parts_) rows_.back().push_back(ejected.parts.zero_load(part));
  }

  void report_means(Results& results) const {
    const auto mean = [this](Cycle cycles) {
      return static_cast<double>(cycles) / static_cast<double>(packets_);
    };
    const std::vector<std::string> names = names_of(Part{});
    Table table{{"part", "mean", "zero_load", "waited"}, {}};
    for (const Part part : parts_) {
      const std::string& name = names[static_cast<std::size_t>(part)];
      results.add("anatomy." + name, mean(sum_.of(part)), "cycle");
      results.add("anatomy." + name + ".zero_load", mean(sum_.zero_load(part)), "cycle");
      table.rows.push_back({name, number_text(mean(sum_.of(part))),
                            number_text(mean(sum_.zero_load(part))),
                            number_text(mean(sum_.waited(part)))});
    }
    results.tables["anatomy"] = std::move(table);
  }

  AnatomyParams params_;
  ObserverSite site_;
  Anatomy anatomy_;
  std::vector<Part> parts_;  // that there are
  std::int64_t packets_ = 0;
  TimeParts sum_;
  std::vector<std::vector<Cycle>> rows_;
};

}  // namespace

void register_anatomy(Observers& observers) {
  observers.add("anatomy", {"what the cycles of packets' latencies went to", ""},
                Schema<AnatomyParams>{}.optional("packets", &AnatomyParams::packets,
                                                 "also write a table with every packet's parts"),
                [](const AnatomyParams& params, const ObserverSite& site) {
                  return std::unique_ptr<Observer>(std::make_unique<LatencyAnatomy>(params, site));
                });
}

}  // namespace flitwave
