// testbenches/observers/kinds/contention.cpp: how long packets blocked others, where, and which.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>

#include "algorithms/schedule.hpp"
#include "modules/router.hpp"
#include "testbenches/job/observer.hpp"

namespace flitwave {
namespace {

struct ContentionParams {
  bool packets = false;
};

/// Adds up the cycles that heads wait in routers beyond the length of the pipeline, and those in
/// which body flits lose arbitration to other packets, with which they share a channel.
class Blocking final : public Observer {
 public:
  Blocking(const ContentionParams& params, const ObserverSite& site)
      : params_(params), site_(site) {}

  std::vector<ChannelSite::Kind> channels() const override {
    if (!site_.schedule) return {};
    return {ChannelSite::Kind::injection};
  }

  /// Stores the step of each packet.
  void on_transits(Cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits) {
      const Packet& packet = site_.packets.packet(transit.flit);
      if (!transit.flit.head() || packet.message < 0) continue;
      const MessageInTransit& message = site_.packets.message(packet.message);
      if (message.program == 0)
        step_of_[{packet.header.source.value(), packet.number}] =
            site_.schedule->step_of(site_.schedule->transfer(static_cast<int>(message.tag)));
    }
  }

  void on_stall(const Stall& stall) override {
    const Packet& packet = site_.packets.packet(stall.flit);
    if (!site_.window.holds(packet.created)) return;
    const bool ejects = stall.output.value() >= site_.topology.port_limit();
    Place& place = per_output_[{stall.node.value(), stall.output.value()}];
    (stall.flit.head() ? place.blocked : place.slowed) += stall.cycles;
    (stall.flit.head() ? total_.blocked : total_.slowed) += stall.cycles;
    if (ejects) at_ejection_ += stall.cycles;
    if (site_.schedule && !ejects) report_steps(stall, packet);
    if (stall.flit.head()) report_head(stall, packet);
  }

  void report(const RunSummary&, Results& results) const override {
    results.add("contention.stalls", static_cast<double>(stalls_), "");
    results.add("contention.blocked", static_cast<double>(total_.blocked), "cycle");
    results.add("contention.slowed", static_cast<double>(total_.slowed), "cycle");
    results.add("contention.ejection", static_cast<double>(at_ejection_), "cycle");
    results.add("contention.outputs", static_cast<double>(per_output_.size()), "");
    if (site_.schedule) {
      results.add("contention.within_step", static_cast<double>(within_step_), "cycle");
      results.add("contention.between_steps", static_cast<double>(between_steps_), "cycle");
    }
    Table where{{"router", "output", "blocked_cycles", "slowed_cycles"}, {}};
    for (const auto& [place, cycles] : per_output_)
      where.rows.push_back({site_.topology.label(NodeId(place.first)), port(place.second),
                            std::to_string(cycles.blocked), std::to_string(cycles.slowed)});
    results.tables["contention"] = std::move(where);
    if (params_.packets) results.tables["blocked_packets"] = blocked_packets();
  }

 private:
  struct Place {
    Cycle blocked = 0;  // heads
    Cycle slowed = 0;   // body flits
  };

  void report_head(const Stall& stall, const Packet& packet) {
    ++stalls_;
    if (!params_.packets) return;
    const int blocker = stall.blocker_source.valid() ? stall.blocker_source.value() : -1;
    rows_.push_back({packet.header.source.value(), packet.number, packet.header.destination.value(),
                     stall.node.value(), stall.output.value(),
                     static_cast<std::int64_t>(stall.cause), stall.cycles, blocker,
                     stall.blocker_number});
  }

  /// Contention among messages of one step is caused by the algorithm; contention among those of
  /// different steps occurs because some nodes are ahead of others (depth contention; Tsai 1997,
  /// section 4.2).
  void report_steps(const Stall& stall, const Packet& packet) {
    const auto waiting = step_of_.find({packet.header.source.value(), packet.number});
    const auto blocker = step_of_.find({stall.blocker_source.value(), stall.blocker_number});
    if (waiting == step_of_.end() || blocker == step_of_.end()) return;
    (waiting->second == blocker->second ? within_step_ : between_steps_) += stall.cycles;
  }

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
                            port(row[4]), causes[index(row[5])], std::to_string(row[6]),
                            row[7] < 0 ? "" : label(row[7]),
                            row[7] < 0 ? "" : std::to_string(row[8])});
    return table;
  }

  ContentionParams params_;
  ObserverSite site_;
  std::int64_t stalls_ = 0;
  Place total_;
  Cycle at_ejection_ = 0;
  std::map<std::pair<int, int>, Place> per_output_;  // router, output port
  std::vector<std::vector<std::int64_t>> rows_;
  /// Source, number -> step of its transfer.
  std::map<std::pair<int, std::int64_t>, std::pair<int, int>> step_of_;
  Cycle within_step_ = 0;
  Cycle between_steps_ = 0;
};

}  // namespace

void register_contention(Observers& observers) {
  ObserverTraits traits;
  traits.stalls = true;
  traits.metrics = {
      {"contention.stalls", "", "heads that were blocked and body flits that were slowed"},
      {"contention.blocked", "cycle", "cycles in which heads were blocked, summed"},
      {"contention.slowed", "cycle", "cycles by which body flits were slowed, summed"},
      {"contention.ejection", "cycle", "cycles blocked or slowed at ejection channels, summed"},
      {"contention.outputs", "", "outputs at which packets were blocked or slowed"},
      {"contention.within_step", "cycle", "cycles blocked by packets of the same step, summed"},
      {"contention.between_steps", "cycle", "cycles blocked by packets of other steps, summed"},
  };
  observers.add(
      "contention",
      {"cycles for which heads were blocked and body flits slowed by other packets, where, and by "
       "which; within steps and between them",
       ""},
      Schema<ContentionParams>{}.optional("packets", &ContentionParams::packets,
                                          "also write a table with every blocked head"),
      [](const ContentionParams& params, const ObserverSite& site) {
        return std::unique_ptr<Observer>(std::make_unique<Blocking>(params, site));
      },
      traits);
}

}  // namespace flitwave
