// testbenches/observers/contention.cpp: how long heads were blocked, where, and by whom.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>

#include "flitwave/routers/router.hpp"
#include "flitwave/testbenches/observer.hpp"

namespace flitwave {
namespace {

struct ContentionParams {
  bool packets = false;
};

/// Adds up the cycles that heads wait in routers beyond the length of the pipeline.
class Blocking final : public Observer {
 public:
  Blocking(const ContentionParams& params, const ObserverSite& site)
      : params_(params), site_(site) {}

  std::vector<ChannelSite::Kind> channels() const override { return {}; }
  bool wants_stalls() const override { return true; }

  void on_stall(const Stall& stall) override {
    const Packet& packet = site_.packets.packet(stall.head);
    if (!site_.window.holds(packet.created)) return;
    ++stalls_;
    cycles_ += stall.cycles;
    per_output_[{stall.node.value(), stall.output.value()}] += stall.cycles;
    if (!params_.packets) return;
    const int blocker = stall.blocker_source.valid() ? stall.blocker_source.value() : -1;
    rows_.push_back({packet.header.source.value(), packet.number, packet.header.destination.value(),
                     stall.node.value(), stall.output.value(),
                     static_cast<std::int64_t>(stall.cause), stall.cycles, blocker,
                     stall.blocker_number});
  }

  void report(const RunSummary&, Results& results) const override {
    results.add("contention.stalls", static_cast<double>(stalls_), "");
    results.add("contention.blocked", static_cast<double>(cycles_), "cycle");
    results.add("contention.outputs", static_cast<double>(per_output_.size()), "");
    Table where{{"router", "output", "blocked_cycles"}, {}};
    for (const auto& [place, cycles] : per_output_)
      where.rows.push_back(
          {site_.topology.label(NodeId(place.first)), port(place.second), std::to_string(cycles)});
    results.tables["contention"] = std::move(where);
    if (params_.packets) results.tables["blocked_packets"] = blocked_packets();
  }

 private:
  std::string port(std::int64_t number) const {
    return port_label(static_cast<int>(number), site_.topology.port_limit());
  }
  std::string label(std::int64_t node) const {
    return site_.topology.label(NodeId(static_cast<int>(node)));
  }

  Table blocked_packets() const {
    Table table{{"source", "number", "destination", "router", "output", "cause", "blocked_cycles",
                 "blocker_source", "blocker_number"},
                {}};
    const std::vector<std::string> causes = names_of(Stall::Cause{});
    std::vector<std::vector<std::int64_t>> rows = rows_;
    std::sort(rows.begin(), rows.end());
    for (const auto& row : rows)
      table.rows.push_back({label(row[0]), std::to_string(row[1]), label(row[2]), label(row[3]),
                            port(row[4]), causes[static_cast<std::size_t>(row[5])],
                            std::to_string(row[6]), row[7] < 0 ? "" : label(row[7]),
                            row[7] < 0 ? "" : std::to_string(row[8])});
    return table;
  }

  ContentionParams params_;
  ObserverSite site_;
  std::int64_t stalls_ = 0;
  Cycle cycles_ = 0;
  std::map<std::pair<int, int>, Cycle> per_output_;  // router, output port
  std::vector<std::vector<std::int64_t>> rows_;
};

}  // namespace

void register_contention(Observers& observers) {
  observers.add("contention",
                {"cycles for which heads were blocked, where, and by which packets", ""},
                Schema<ContentionParams>{}.optional("packets", &ContentionParams::packets,
                                                    "also write a table with every blocked head"),
                [](const ContentionParams& params, const ObserverSite& site) {
                  return std::unique_ptr<Observer>(std::make_unique<Blocking>(params, site));
                });
}

}  // namespace flitwave
