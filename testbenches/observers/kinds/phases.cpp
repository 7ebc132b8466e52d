// testbenches/observers/kinds/phases.cpp: the phases of an algorithm: messages, times and waits.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "algorithms/schedule.hpp"
#include "modules/router.hpp"
#include "testbenches/job/observer.hpp"
#include "testbenches/observers/transfer_times.hpp"

namespace flitwave {
namespace {

struct PhasesParams {};

/// For each phase of a collective, adds up its messages, the hops of their packets and the cycles
/// for which these packets' heads were blocked, and finds the channel that carries most of its
/// flits.
class Phases final : public Observer {
 public:
  explicit Phases(const ObserverSite& site) : site_(site) {
    if (!site.schedule) return;
    for (const Transfer& transfer : site.schedule->transfers()) {
      if (transfer.phase == 0) continue;
      Phase& phase = phases_[transfer.phase];
      ++phase.messages;
      phase.first_step = std::min(phase.first_step, transfer.step);
      phase.last_step = std::max(phase.last_step, transfer.step);
    }
    for (auto& [number, phase] : phases_) phase.flits.resize(site.channels.size(), 0);
  }

  std::vector<ChannelSite::Kind> channels() const override {
    if (phases_.empty()) return {};
    return {ChannelSite::Kind::network, ChannelSite::Kind::injection};
  }

  void on_transits(Cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits) {
      Phase* phase = phase_of(transit.flit);
      if (!phase) continue;
      if (site_.channels[index(transit.channel)].kind == ChannelSite::Kind::injection) {
        if (transit.flit.head()) ++phase->packets;
        continue;
      }
      ++phase->flits[index(transit.channel)];
      if (transit.flit.head()) ++phase->hops;
    }
  }

  void on_stall(const Stall& stall) override {
    if (!stall.flit.head()) return;
    if (Phase* phase = phase_of(stall.flit)) phase->blocked += stall.cycles;
  }

  void report(const RunSummary&, Results& results) const override {
    if (phases_.empty()) {
      results.lines.emplace_back("phases: the algorithm has none");
      return;
    }
    Table table{{"phase", "messages", "first_step", "last_step", "hops", "begin_cycle", "end_cycle",
                 "blocked_cycles", "busiest_channel", "flits"},
                {}};
    for (const auto& [number, phase] : phases_) {
      const auto busiest = std::max_element(phase.flits.begin(), phase.flits.end());
      const bool any = busiest != phase.flits.end() && *busiest > 0;
      const std::string channel =
          any ? site_.channels[index(busiest - phase.flits.begin())].label : "";
      const Span span = span_of(number);
      table.rows.push_back({std::to_string(number), std::to_string(phase.messages),
                            std::to_string(phase.first_step), std::to_string(phase.last_step),
                            std::to_string(phase.hops), std::to_string(span.begin),
                            std::to_string(span.end), std::to_string(phase.blocked), channel,
                            any ? std::to_string(*busiest) : "0"});
      const std::string name = fmt::format("phases.{}", number);
      results.add(name + ".messages", static_cast<double>(phase.messages), "message");
      results.add(name + ".begin", static_cast<double>(span.begin), "cycle");
      results.add(name + ".end", static_cast<double>(span.end), "cycle");
      results.add(name + ".blocked", static_cast<double>(phase.blocked), "cycle");
      results.lines.push_back(
          fmt::format("phase {}: {} in {}, {:.3g} channels a packet; cycles {} to {}; "
                      "heads blocked for "
                      "{:.3g} cycles a packet; busiest channel: {}",
                      number, counted(phase.messages, "message"), steps_text(phase),
                      each(phase.hops, phase), span.begin, span.end, each(phase.blocked, phase),
                      any ? fmt::format("{}, {}", channel, counted(*busiest, "flit")) : "none"));
    }
    results.tables["phases"] = std::move(table);
  }

 private:
  struct Phase {
    std::int64_t messages = 0;
    std::int64_t packets = 0;
    int first_step = INT32_MAX;
    int last_step = 0;
    std::int64_t hops = 0;
    Cycle blocked = 0;                // heads
    std::vector<std::int64_t> flits;  // Shape: [channels]
  };
  /// Cycles after the start of the programs.
  struct Span {
    Cycle begin = INT64_MAX;
    Cycle end = 0;
  };

  static std::string steps_text(const Phase& phase) {
    return phase.first_step == phase.last_step
               ? fmt::format("step {}", phase.first_step)
               : fmt::format("steps {} to {}", phase.first_step, phase.last_step);
  }

  static double each(std::int64_t sum, const Phase& phase) {
    return static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(1, phase.packets));
  }

  /// From the cycle in which the first message could be sent to the arrival of the last one.
  Span span_of(int number) const {
    Span span;
    const std::vector<Transfer>& transfers = site_.schedule->transfers();
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      if (transfers[i].phase != number) continue;
      if (const Cycle ready = site_.transfers->ready_at(i); ready >= 0)
        span.begin = std::min(span.begin, ready);
      span.end = std::max(span.end, site_.transfers->done_at(i));
    }
    if (span.begin == INT64_MAX) span.begin = 0;
    return span;
  }

  /// For the message of a flit; null where it is not part of the collective.
  Phase* phase_of(Flit flit) {
    const Packet& packet = site_.packets.packet(flit);
    if (packet.message < 0 || packet.part != JobPart::collective) return nullptr;
    const MessageInTransit& message = site_.packets.message(packet.message);
    const auto found = phases_.find(site_.schedule->transfer(static_cast<int>(message.tag)).phase);
    return found == phases_.end() ? nullptr : &found->second;
  }

  ObserverSite site_;
  std::map<int, Phase> phases_;
};

}  // namespace

void register_phases(Observers& observers) {
  ObserverTraits traits;
  traits.stalls = true;
  for (const char* number : {"1", "2", "3"}) {
    const std::string name = std::string("phases.") + number;
    const std::string of = std::string(" of phase ") + number;
    traits.metrics.push_back({name + ".messages", "message", "messages" + of});
    traits.metrics.push_back(
        {name + ".begin", "cycle", "when the first message" + of + " could be sent"});
    traits.metrics.push_back(
        {name + ".end", "cycle", "when the last message" + of + " had arrived"});
    traits.metrics.push_back(
        {name + ".blocked", "cycle", "cycles in which heads" + of + " were blocked, summed"});
  }
  observers.add(
      "phases",
      {"what each phase of an algorithm sends, when, how long heads are blocked, and the "
       "channel that carries most of it",
       ""},
      Schema<PhasesParams>{},
      [](const PhasesParams&, const ObserverSite& site) {
        return std::unique_ptr<Observer>(std::make_unique<Phases>(site));
      },
      traits);
}

}  // namespace flitwave
