// testbenches/observers/latency.cpp: how long packets take, as seen on injection and ejection.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "flitwave/configs/error.hpp"
#include "flitwave/modules/traffic_control.hpp"
#include "flitwave/testbenches/observer.hpp"
#include "flitwave/testbenches/statistics.hpp"

namespace flitwave {
namespace {

struct LatencyParams {
  bool packets = false;
};

/// Total latency: from the hand-over to the interface to the last flit's ejection. Network
/// latency: from the head on the injection channel. Head latency: until the head's ejection.
class Latency final : public Observer {
 public:
  Latency(const LatencyParams& params, const ObserverSite& site)
      : params_(params),
        site_(site),
        batches_(site.window.begin, site.window.end),
        accepted_(static_cast<std::size_t>(site.topology.nodes()), 0),
        heads_(accepted_.size()) {}

  std::vector<ChannelSite::Kind> channels() const override { return {ChannelSite::Kind::ejection}; }

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override {
    const Cycle taken = cycle + 1;
    const bool in_window = site_.window.holds(cycle);
    for (const Transit& transit : transits) {
      if (in_window) ++accepted_[transit.flit.source().index()];
      if (transit.flit.head()) head_taken_of(transit.flit) = taken;
      if (!transit.flit.tail()) continue;
      const Packet& packet = site_.packets.packet(transit.flit);
      if (in_window) accepted_[transit.flit.source().index()] -= packet.lead;
      if (!site_.window.holds(packet.created)) continue;
      const Cycle head_taken = head_taken_of(transit.flit);
      check_order(packet, head_taken, taken);
      total_.add(taken - packet.created);
      batches_.add(packet.created, taken - packet.created);
      network_.add(taken - packet.injected);
      head_.add(head_taken - packet.created);
      if (params_.packets) keep(packet, head_taken, taken);
    }
  }

  void report(const RunSummary& run, Results& results) const override {
    results.add("latency.packets", static_cast<double>(total_.count()), "packet");
    if (total_.count() > 0 && !run.saturated) {
      flitwave::report(total_, "latency", results);
      flitwave::report(batches_, "latency", results);
      flitwave::report(network_, "latency.network", results);
      flitwave::report(head_, "latency.head", results);
    }
    if (site_.traffic) report_throughput(run, results);
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
  /// When the head of the packet in a flit's slot was taken.
  Cycle& head_taken_of(Flit flit) {
    std::vector<Cycle>& slots = heads_[flit.source().index()];
    const auto slot = static_cast<std::size_t>(flit.slot());
    if (slot >= slots.size()) slots.resize(slot + 1, 0);
    return slots[slot];
  }

  /// Throws: ModelError when some latency would be negative, or shorter than one that it contains.
  static void check_order(const Packet& packet, Cycle head_taken, Cycle taken) {
    if (packet.created < packet.injected && packet.injected < head_taken && head_taken <= taken)
      return;
    throw ModelError(fmt::format(
        "latency: packet {} of node {} was created in cycle {}, injected in {}, its head ejected "
        "in {} and its tail in {}",
        packet.number, packet.header.source.value(), packet.created, packet.injected, head_taken,
        taken));
  }

  void keep(const Packet& packet, Cycle head_taken, Cycle taken) {
    rows_.push_back({packet.header.source.value(), packet.number, packet.header.destination.value(),
                     packet.length, packet.created, packet.injected, head_taken, taken});
  }

  /// Means over all nodes, and the source with the least accepted of what it offered.
  void report_throughput(const RunSummary& run, Results& results) const {
    const Cycle cycles = std::min(run.cycles, site_.window.end) - site_.window.begin;
    if (cycles <= 0) return;
    const auto rate = [cycles](double flits) { return flits / static_cast<double>(cycles); };
    double offered = 0;
    double accepted = 0;
    std::size_t worst = 0;
    double worst_share = std::numeric_limits<double>::infinity();
    for (std::size_t node = 0; node < accepted_.size(); ++node) {
      const auto own = static_cast<double>(site_.traffic->offered[node]);
      const auto taken = static_cast<double>(accepted_[node]);
      offered += own;
      accepted += taken;
      if (own <= 0 || taken / own >= worst_share) continue;
      worst = node;
      worst_share = taken / own;
    }
    const double nodes = site_.topology.nodes();
    results.add("throughput.offered", rate(offered) / nodes, "flit/node/cycle");
    results.add("throughput.accepted", rate(accepted) / nodes, "flit/node/cycle");
    if (offered <= 0) return;
    results.add("throughput.worst", rate(static_cast<double>(accepted_[worst])), "flit/cycle");
    results.add("throughput.worst_share", worst_share, "");
  }

  LatencyParams params_;
  ObserverSite site_;
  BatchMeans batches_;
  Sample total_;
  Sample network_;
  Sample head_;
  std::vector<std::int64_t> accepted_;     // in the window, by source. Shape: [nodes]
  std::vector<std::vector<Cycle>> heads_;  // Shape: [nodes][slots used]
  std::vector<std::vector<Cycle>> rows_;
};

}  // namespace

void register_latency(Observers& observers) {
  observers.add("latency",
                {"total, network and head latency of packets; offered and accepted load", ""},
                Schema<LatencyParams>{}.optional("packets", &LatencyParams::packets,
                                                 "also write a table with every packet's times"),
                [](const LatencyParams& params, const ObserverSite& site) {
                  return std::unique_ptr<Observer>(std::make_unique<Latency>(params, site));
                });
}

}  // namespace flitwave
