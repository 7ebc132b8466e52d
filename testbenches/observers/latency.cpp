// testbenches/observers/latency.cpp: how long packets take, as seen on injection and ejection.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "flitwave/testbenches/observer.hpp"

namespace flitwave {
namespace {

struct LatencyParams {
  bool packets = false;
};

/// Numbers of which mean, greatest and percentiles are asked.
class Sample {
 public:
  void add(Cycle value) {
    ++counts_[value];
    ++count_;
    sum_ += value;
  }
  std::int64_t count() const { return count_; }
  double mean() const { return static_cast<double>(sum_) / static_cast<double>(count_); }
  Cycle greatest() const { return counts_.rbegin()->first; }
  /// The least value that at least `share` of the sample do not exceed.
  Cycle percentile(double share) const {
    const auto enough =
        static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_)));
    std::int64_t passed = 0;
    for (const auto& [value, count] : counts_)
      if ((passed += count) >= enough) return value;
    return greatest();
  }

 private:
  std::map<Cycle, std::int64_t> counts_;
  std::int64_t count_ = 0;
  std::int64_t sum_ = 0;
};

/// Total latency: from the hand-over to the interface to the last flit's ejection. Network
/// latency: from the head on the injection channel. Head latency: until the head's ejection.
class Latency final : public Observer {
 public:
  Latency(const LatencyParams& params, const ObserverSite& site) : params_(params), site_(site) {}

  std::vector<ChannelSite::Kind> channels() const override { return {ChannelSite::Kind::ejection}; }

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override {
    const Cycle taken = cycle + 1;
    for (const Transit& transit : transits) {
      if (site_.window.holds(cycle)) ++flits_in_window_;
      if (!transit.flit.tail()) continue;
      const Packet& packet = site_.packets.packet(transit.flit);
      if (!site_.window.holds(packet.created)) continue;
      const Cycle head_taken = transit.flit.head() ? taken : packet.head_taken;
      total_.add(taken - packet.created);
      network_.add(taken - packet.injected);
      head_.add(head_taken - packet.created);
      if (params_.packets) keep(packet, head_taken, taken);
    }
  }

  void report(const RunSummary& run, Results& results) const override {
    results.add("latency.packets", static_cast<double>(total_.count()), "packet");
    if (total_.count() > 0 && run.all_arrived) {
      report(total_, "latency", results);
      report(network_, "latency.network", results);
      report(head_, "latency.head", results);
    }
    const Cycle length = std::min(run.cycles, site_.window.end) - site_.window.begin;
    if (site_.window.end != INT64_MAX && length > 0)
      results.add("throughput.accepted",
                  static_cast<double>(flits_in_window_) / static_cast<double>(length) /
                      site_.topology.nodes(),
                  "flit/node/cycle");
    if (!params_.packets) return;
    Table table{{"source", "destination", "number", "flits", "created", "injected", "head_ejected",
                 "ejected"},
                {}};
    std::vector<std::vector<Cycle>> rows = rows_;
    std::sort(rows.begin(), rows.end());
    for (const auto& row : rows) {
      std::vector<std::string> cells{site_.topology.label(NodeId(static_cast<int>(row[0]))),
                                     site_.topology.label(NodeId(static_cast<int>(row[2])))};
      cells.push_back(std::to_string(row[1]));
      for (std::size_t i = 3; i < row.size(); ++i) cells.push_back(std::to_string(row[i]));
      table.rows.push_back(std::move(cells));
    }
    results.tables["packets"] = std::move(table);
  }

 private:
  void keep(const Packet& packet, Cycle head_taken, Cycle taken) {
    rows_.push_back({packet.header.source.value(), packet.number, packet.header.destination.value(),
                     packet.length, packet.created, packet.injected, head_taken, taken});
  }

  static void report(const Sample& sample, const std::string& name, Results& results) {
    results.add(name + ".mean", sample.mean(), "cycle");
    results.add(name + ".p50", static_cast<double>(sample.percentile(0.5)), "cycle");
    results.add(name + ".p99", static_cast<double>(sample.percentile(0.99)), "cycle");
    results.add(name + ".max", static_cast<double>(sample.greatest()), "cycle");
  }

  LatencyParams params_;
  ObserverSite site_;
  Sample total_;
  Sample network_;
  Sample head_;
  std::int64_t flits_in_window_ = 0;
  std::vector<std::vector<Cycle>> rows_;
};

}  // namespace

void register_latency(Observers& observers) {
  observers.add("latency", {"total, network and head latency of packets; accepted load", ""},
                Schema<LatencyParams>{}.optional("packets", &LatencyParams::packets,
                                                 "also write a table with every packet's times"),
                [](const LatencyParams& params, const ObserverSite& site) {
                  return std::unique_ptr<Observer>(std::make_unique<Latency>(params, site));
                });
}

}  // namespace flitwave
