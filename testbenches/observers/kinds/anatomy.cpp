// testbenches/observers/kinds/anatomy.cpp: the parts of packets' latencies.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/anatomy.hpp"

#include <algorithm>
#include <optional>

#include "testbenches/job/observer.hpp"
#include "testbenches/observers/critical_path.hpp"

namespace flitwave {
namespace {

struct AnatomyParams {
  bool packets = false;
};

std::vector<std::string> names_of_all(const std::vector<Part>& parts) {
  const std::vector<std::string> names = names_of(Part{});
  std::vector<std::string> all;
  for (const Part part : parts) all.push_back(names[index(part)]);
  return all;
}

/// Means over the packets of the window, and on request every packet's parts; for a schedule, also
/// the critical path.
class LatencyAnatomy final : public Observer {
 public:
  LatencyAnatomy(const AnatomyParams& params, const ObserverSite& site)
      : params_(params), site_(site), anatomy_(anatomy_site(site)) {
    for (std::size_t i = 0; i < part_count; ++i)
      if (static_cast<Part>(i) != Part::router || !all_report())
        parts_.push_back(static_cast<Part>(i));
    if (site_.transfers) travels_.emplace(site_);
  }

  std::vector<ChannelSite::Kind> channels() const override {
    return {ChannelSite::Kind::network, ChannelSite::Kind::injection, ChannelSite::Kind::ejection};
  }
  void on_passage(const Passage& passage) override { anatomy_.passed(passage); }

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits) {
      const Packet& packet = site_.packets.packet(transit.flit);
      const Anatomy::Moment now = anatomy_.crossed(cycle, transit.channel, transit.flit, packet);
      const ChannelSite& channel = site_.channels[index(transit.channel)];
      if (travels_) travels_->crossed(transit, now);
      if (channel.kind == ChannelSite::Kind::ejection && transit.flit.tail()) keep(packet, now);
    }
  }

  void report(const RunSummary& run, Results& results) const override {
    results.add("anatomy.packets", static_cast<double>(packets_), "packet");
    if (packets_ > 0 && !run.saturated) report_means(results);
    if (site_.transfers && site_.transfers->complete()) report_path(results);
    if (params_.packets) report_packets(results);
  }

 private:
  bool all_report() const {
    return std::find(site_.reports_passages.begin(), site_.reports_passages.end(), false) ==
           site_.reports_passages.end();
  }

  void report_packets(Results& results) const {
    Table table{{"source", "destination", "number", "flits", "created", "ejected"}, {}};
    for (const std::string& name : names_of_all(parts_)) table.columns.push_back(name);
    for (const std::string& name : names_of_all(parts_))
      table.columns.push_back(name + "_zero_load");
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
    Table table{{"part", "mean", "zero_load", "waited"}, {}};
    for (const Part part : parts_) {
      const std::string name = names_of(part)[index(part)];
      results.add("anatomy." + name, mean(sum_.of(part)), "cycle");
      results.add("anatomy." + name + ".zero_load", mean(sum_.zero_load(part)), "cycle");
      table.rows.push_back({name, number_text(mean(sum_.of(part))),
                            number_text(mean(sum_.zero_load(part))),
                            number_text(mean(sum_.waited(part)))});
    }
    results.tables["anatomy"] = std::move(table);
  }

  /// The chain of transfers, and the parts of its cycles.
  void report_path(Results& results) const {
    const std::vector<Transfer>& transfers = site_.schedule->transfers();
    Table table{{"message", "from", "to", "step", "until", "begin", "end", "send_overhead",
                 "receive_overhead", "node_busy"},
                {}};
    for (const std::string& name : names_of_all(parts_)) table.columns.push_back(name);
    table.columns.push_back("waited_for");
    const std::vector<std::string> ends = names_of(CriticalLink::Until{});
    Cycle send = 0;
    Cycle receive = 0;
    Cycle busy = 0;
    TimeParts network;
    const auto path = critical_path(*site_.schedule, *site_.transfers, travels_->all());
    for (const CriticalLink& link : path) {
      const Transfer& transfer = transfers[index(link.transfer)];
      table.rows.push_back({site_.schedule->name_of(transfer), site_.topology.label(transfer.from),
                            site_.topology.label(transfer.to), std::to_string(transfer.step),
                            ends[index(link.until)], std::to_string(link.begin),
                            std::to_string(link.end), std::to_string(link.send_overhead),
                            std::to_string(link.receive_overhead), std::to_string(link.node_busy)});
      for (const Part part : parts_)
        table.rows.back().push_back(std::to_string(link.network.of(part)));
      table.rows.back().push_back(waited_for(link.network));
      send += link.send_overhead;
      receive += link.receive_overhead;
      busy += link.node_busy;
      network += link.network;
    }
    results.tables["critical_path"] = std::move(table);
    const auto add = [&results](const std::string& name, Cycle cycles) {
      results.add("critical_path." + name, static_cast<double>(cycles), "cycle");
    };
    results.add("critical_path.links", static_cast<double>(path.size()), "");
    add("send_overhead", send);
    add("receive_overhead", receive);
    add("node_busy", busy);
    for (const Part part : parts_) add(names_of(part)[index(part)], network.of(part));
    add("waited", network.waited());
  }

  /// "channel_1_2_to_2_2 14; ejection_2_2 3": cycles waited for channels, in the order of the path.
  std::string waited_for(const TimeParts& parts) const {
    std::string text;
    for (const auto& [channel, cycles] : parts.held_up())
      text += (text.empty() ? "" : "; ") + site_.channels[index(channel)].label + " " +
              std::to_string(cycles);
    return text;
  }

  AnatomyParams params_;
  ObserverSite site_;
  Anatomy anatomy_;
  std::vector<Part> parts_;  // parts that occur
  std::int64_t packets_ = 0;
  TimeParts sum_;
  std::vector<std::vector<Cycle>> rows_;
  std::optional<TransferTravels> travels_;  // when there is a schedule
};

MetricInfos anatomy_metrics() {
  MetricInfos all{
      {"anatomy.packets", "packet", "packets of the window that arrived"},
      {"critical_path.links", "", "transfers on the critical path of the collective"},
      {"critical_path.send_overhead", "cycle", "software overheads of sending on it"},
      {"critical_path.receive_overhead", "cycle", "software overheads of receiving on it"},
      {"critical_path.node_busy", "cycle",
       "cycles that they waited for nodes busy with messages outside the collective"},
      {"critical_path.waited", "cycle", "cycles that its packets waited for others"},
  };
  for (const std::string& part : names_of(Part{})) {
    const std::string what = "cycles of a packet spent on " + part;
    all.push_back({"anatomy." + part, "cycle", "mean " + what});
    all.push_back(
        {"anatomy." + part + ".zero_load", "cycle", "mean " + what + ", without other traffic"});
    all.push_back(
        {"critical_path." + part, "cycle", "cycles of the critical path spent on " + part});
  }
  return all;
}

}  // namespace

void register_anatomy(Observers& observers) {
  ObserverTraits traits;
  traits.passages = true;
  traits.critical_path = true;
  traits.from_injection = true;
  traits.metrics = anatomy_metrics();
  observers.add(
      "anatomy", {"the parts of packets' latencies", ""},
      Schema<AnatomyParams>{}.optional("packets", &AnatomyParams::packets,
                                       "also write a table with every packet's parts"),
      [](const AnatomyParams& params, const ObserverSite& site) {
        return std::unique_ptr<Observer>(std::make_unique<LatencyAnatomy>(params, site));
      },
      traits);
}

}  // namespace flitwave
