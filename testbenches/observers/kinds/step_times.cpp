// testbenches/observers/kinds/step_times.cpp: the begin and end of the steps of a schedule.
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

struct StepTimesParams {};

/// For each step of a schedule, the cycles in which its messages were injected and complete, and
/// for how many cycles their heads were blocked before channels between routers.
class StepTimes final : public Observer {
 public:
  explicit StepTimes(const ObserverSite& site) : site_(site) {
    if (!site.schedule) return;
    steps_.resize(index(site.schedule->steps()));
    flits_.assign(site.schedule->transfers().size(), 0);
  }

  std::vector<ChannelSite::Kind> channels() const override {
    if (!site_.schedule) return {};
    return {ChannelSite::Kind::injection};
  }

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits) {
      const Packet& packet = site_.packets.packet(transit.flit);
      const int transfer = transit.flit.head() ? transfer_of(packet) : -1;
      if (transfer < 0) continue;
      // A circuit's probe that was rejected is sent again.
      if (transfers_.emplace(std::pair(packet.header.source.value(), packet.number), transfer)
              .second)
        flits_[index(transfer)] += packet.length;
      Step& step = step_of(transfer);
      step.last_begin = std::max(step.last_begin, cycle);
      step.first_begin = step.first_begin < 0 ? cycle : std::min(step.first_begin, cycle);
    }
  }

  void on_stall(const Stall& stall) override {
    if (!stall.flit.head() || stall.output.value() >= site_.topology.port_limit()) return;
    const Packet& packet = site_.packets.packet(stall.flit);
    const auto found = transfers_.find({packet.header.source.value(), packet.number});
    if (found != transfers_.end()) step_of(found->second).blocked += stall.cycles;
  }

  void report(const RunSummary&, Results& results) const override {
    if (!site_.schedule || !site_.transfers) return;
    std::vector<Step> steps = steps_;
    for (std::size_t i = 0; i < site_.schedule->transfers().size(); ++i) {
      Step& step = steps[place_of(static_cast<int>(i))];
      ++step.transfers;
      step.longest = std::max(step.longest, flits_[i]);
      step.is_barrier = site_.schedule->is_signal(site_.schedule->transfers()[i]);
      if (site_.transfers->done_at(i) >= 0)
        step.end = std::max(step.end, TransferTimes::start + site_.transfers->done_at(i));
    }
    report_metrics(steps, results);
    report_lines(steps, results);
    Table table{{"step", "transfers", "longest_message", "first_injection", "last_injection", "end",
                 "blocked_cycles"},
                {}};
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (const Step& step = steps[i]; step.transfers > 0)
        table.rows.push_back({std::to_string(i + 1), std::to_string(step.transfers),
                              std::to_string(step.longest), cell(step.first_begin),
                              cell(step.last_begin), cell(step.end), std::to_string(step.blocked)});
    results.tables["step_times"] = std::move(table);
  }

 private:
  struct Step {
    int transfers = 0;
    bool is_barrier = false;
    std::int64_t longest = 0;  // message, in flits
    Cycle first_begin = -1;
    Cycle last_begin = -1;
    Cycle end = -1;
    Cycle blocked = 0;
  };

  static std::string cell(Cycle cycle) { return cycle < 0 ? "" : std::to_string(cycle); }

  int transfer_of(const Packet& packet) const {
    if (packet.message < 0) return -1;
    const MessageInTransit& message = site_.packets.message(packet.message);
    return message.program == TransferTimes::program && packet.part == JobPart::collective
               ? static_cast<int>(message.tag)
               : -1;
  }

  std::size_t place_of(int transfer) const {
    return index(site_.schedule->transfer(transfer).step) - 1;
  }
  Step& step_of(int transfer) { return steps_[place_of(transfer)]; }

  static void report_metrics(const std::vector<Step>& steps, Results& results) {
    Cycle blocked = 0;
    Cycle barriers_blocked = 0;
    Cycle spread = 0;
    int overlaps = 0;
    Cycle before = -1;
    for (const Step& step : steps) {
      (step.is_barrier ? barriers_blocked : blocked) += step.blocked;
      if (step.first_begin < 0 || step.is_barrier) continue;
      spread = std::max(spread, step.last_begin - step.first_begin);
      if (step.first_begin < before) ++overlaps;
      before = std::max(before, step.end);
    }
    results.add("step_times.blocked", static_cast<double>(blocked), "cycle");
    results.add("step_times.blocked.barriers", static_cast<double>(barriers_blocked), "cycle");
    results.add("step_times.spread.max", static_cast<double>(spread), "cycle");
    results.add("step_times.overlaps", overlaps, "step");
  }

  /// One line for each of the first steps that send, without barriers.
  static void report_lines(const std::vector<Step>& steps, Results& results) {
    constexpr int most_lines = 24;
    int sending = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      if (step.transfers == 0 || step.is_barrier || ++sending > most_lines) continue;
      std::string line = fmt::format("step {}: {}", i + 1, counted(step.transfers, "transfer"));
      if (step.first_begin >= 0)
        line += fmt::format(", longest {}, cycles {} to {}, heads blocked for {}",
                            counted(step.longest, "flit"), step.first_begin,
                            step.end < 0 ? "an end not reached" : std::to_string(step.end),
                            counted(step.blocked, "cycle"));
      else
        line += ", none injected";
      results.lines.push_back(std::move(line));
    }
    if (sending > most_lines)
      results.lines.push_back(
          fmt::format("and {} more, in step_times.csv", counted(sending - most_lines, "step")));
  }

  ObserverSite site_;
  std::vector<Step> steps_;
  std::vector<std::int64_t> flits_;                        // injected so far, of each transfer
  std::map<std::pair<int, std::int64_t>, int> transfers_;  // source, number -> transfer
};

}  // namespace

void register_step_times(Observers& observers) {
  ObserverTraits traits;
  traits.stalls = true;
  traits.metrics = {
      {"step_times.blocked", "cycle",
       "cycles for which heads of the schedule's messages were blocked before channels between "
       "routers, summed, without those of barriers"},
      {"step_times.blocked.barriers", "cycle", "the same of the messages of barriers"},
      {"step_times.spread.max", "cycle",
       "longest time from the first to the last injection of a message of one step, barriers left "
       "out"},
      {"step_times.overlaps", "step",
       "steps that began before an earlier one had ended, barriers left out"},
  };
  observers.add(
      "step_times",
      {"the begin and end of a schedule's steps, and how long its messages were blocked", ""},
      Schema<StepTimesParams>{},
      [](const StepTimesParams&, const ObserverSite& site) {
        return std::unique_ptr<Observer>(std::make_unique<StepTimes>(site));
      },
      traits);
}

}  // namespace flitwave
