// testbenches/observers/kinds/routers.cpp: buffer occupancy and message units of routers.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "routers/relay/unit_probe.hpp"
#include "testbenches/job/observer.hpp"

namespace flitwave {
namespace {

struct RoutersParams {
  bool selections = false;
};

constexpr std::size_t unit_states = 4;

/// High-water marks of routers; states and selections of message handling units.
class RouterWork final : public Observer {
 public:
  RouterWork(const RoutersParams& params, const ObserverSite& site)
      : params_(params), site_(site), most_held_(index(nodes()), 0) {
    for (const UnitSite& unit : site.units)
      units_[key_of(unit)].entries.push_back({unit, UnitState::wait, 0});
  }

  std::vector<ChannelSite::Kind> channels() const override { return {}; }

  void on_held(NodeId router, std::int64_t flits) override {
    most_held_[router.index()] = std::max(most_held_[router.index()], flits);
  }

  /// Drops scheduled entries that did not take place because the message was lost.
  void on_unit_entry(const UnitEntry& entry) override {
    Unit& unit = units_[key_of(entry.unit)];
    while (!unit.entries.empty() && unit.entries.back().from >= entry.from) unit.entries.pop_back();
    unit.entries.push_back(entry);
    if (entry.state == UnitState::processing) return;
    while (!unit.selections.empty() && unit.selections.back().cycle > entry.from)
      unit.selections.pop_back();
  }

  void on_selection(const UnitSelection& selection) override {
    units_[key_of(selection.unit)].selections.push_back(selection);
  }

  void report(const RunSummary& run, Results& results) const override {
    std::vector<std::int64_t> selections(index(nodes()), 0);
    for (const auto& [key, unit] : units_)
      for (const UnitSelection& selection : unit.selections)
        if (selection.cycle <= run.cycles) ++selections[selection.unit.node.index()];
    report_routers(selections, results);
    if (units_.empty()) return;
    std::int64_t sum = 0;
    for (const std::int64_t count : selections) sum += count;
    results.add("selections", static_cast<double>(sum), "");
    results.add("selections.max",
                static_cast<double>(*std::max_element(selections.begin(), selections.end())), "");
    report_states(run, results);
    if (params_.selections) report_selections(run, results);
  }

 private:
  using Key = std::tuple<int, int, int>;  // node, dimension, class
  struct Unit {
    std::vector<UnitEntry> entries;  // by cycle
    std::vector<UnitSelection> selections;
  };

  /// The state of the processor's unit, the last one.
  static Key key_of(const UnitSite& unit) {
    const int dimension = unit.dimension < 0 ? INT32_MAX : unit.dimension;
    return {unit.node.value(), dimension, unit.buffer_class};
  }
  static std::string source_of(const UnitSite& unit) {
    return unit.dimension < 0 ? "processor" : std::to_string(unit.dimension);
  }
  int nodes() const { return site_.topology.nodes(); }
  std::string label(NodeId node) const { return site_.topology.label(node); }

  void report_routers(const std::vector<std::int64_t>& selections, Results& results) const {
    Table table{{"router", "most_held"}, {}};
    if (!units_.empty()) table.columns.emplace_back("selections");
    for (int i = 0; i < nodes(); ++i) {
      const NodeId node(i);
      table.rows.push_back({label(node), std::to_string(most_held_[node.index()])});
      if (!units_.empty()) table.rows.back().push_back(std::to_string(selections[node.index()]));
    }
    results.tables["routers"] = std::move(table);
    results.add("held.max",
                static_cast<double>(*std::max_element(most_held_.begin(), most_held_.end())),
                "flit");
  }

  /// Cycles from 0 to the end of the run.
  void report_states(const RunSummary& run, Results& results) const {
    Table table{{"router", "dimension", "buffer_class", "wait", "input", "processing", "output"},
                {}};
    std::array<std::int64_t, unit_states> sums{};
    for (const auto& [key, unit] : units_) {
      const std::array<std::int64_t, unit_states> cycles = cycles_of(unit, run.cycles);
      const UnitSite& site = unit.entries.front().unit;
      table.rows.push_back({label(site.node), source_of(site), std::to_string(site.buffer_class)});
      for (std::size_t state = 0; state < unit_states; ++state) {
        table.rows.back().push_back(std::to_string(cycles[state]));
        sums[state] += cycles[state];
      }
    }
    results.tables["unit_states"] = std::move(table);
    const auto all =
        static_cast<double>(std::max<Cycle>(1, run.cycles)) * static_cast<double>(units_.size());
    for (std::size_t state = 0; state < unit_states; ++state)
      results.add("residency." + names_of(UnitState{})[state],
                  static_cast<double>(sums[state]) / all, "");
  }

  static std::array<std::int64_t, unit_states> cycles_of(const Unit& unit, Cycle end) {
    std::array<std::int64_t, unit_states> cycles{};
    for (std::size_t i = 0; i < unit.entries.size(); ++i) {
      const Cycle from = std::min(unit.entries[i].from, end);
      const Cycle until =
          i + 1 < unit.entries.size() ? std::min(unit.entries[i + 1].from, end) : end;
      cycles[index(unit.entries[i].state)] += until - from;
    }
    return cycles;
  }

  void report_selections(const RunSummary& run, Results& results) const {
    std::map<std::tuple<Cycle, Key>, const UnitSelection*> sorted;
    for (const auto& [key, unit] : units_)
      for (const UnitSelection& selection : unit.selections)
        if (selection.cycle <= run.cycles) sorted[{selection.cycle, key}] = &selection;
    Table table{{"cycle", "router", "from", "buffer_class", "dimension", "destinations"}, {}};
    for (const auto& [key, selection] : sorted) {
      std::string destinations;
      for (const NodeId node : selection->destinations)
        destinations += (destinations.empty() ? "" : " ") + label(node);
      table.rows.push_back(
          {std::to_string(selection->cycle), label(selection->unit.node),
           source_of(selection->unit), std::to_string(selection->unit.buffer_class),
           std::to_string(selection->dimension), destinations.empty() ? "all" : destinations});
    }
    results.tables["selections"] = std::move(table);
  }

  RoutersParams params_;
  ObserverSite site_;
  std::vector<std::int64_t> most_held_;  // Shape: [nodes]
  std::map<Key, Unit> units_;
};

}  // namespace

void register_routers(Observers& observers) {
  const std::string units = "mean share of the cycles that a message unit spent in state ";
  ObserverTraits traits;
  traits.routers = true;
  traits.metrics = {
      {"held.max", "flit", "most flits that the buffers of a router held at once"},
      {"selections", "", "dimensions that routers selected for messages, by all of them"},
      {"selections.max", "", "dimensions that a router selected for messages, the most of any"},
      {"residency.wait", "", units + "wait, with no message"},
      {"residency.input", "", units + "input, receiving a header"},
      {"residency.processing", "", units + "processing, selecting dimensions"},
      {"residency.output", "", units + "output, sending what is selected"},
  };
  observers.add(
      "routers",
      {"most flits in each router's buffers; of routers that relay messages (kind: "
       "greedy_multicast) also how long their units were in each state, and what they selected",
       "Lan 1988, sections 6.4 and 6.5, for states and selections"},
      Schema<RoutersParams>{}.optional("selections", &RoutersParams::selections,
                                       "also write a table with every selection: its cycle, "
                                       "dimension and destinations"),
      [](const RoutersParams& params, const ObserverSite& site) {
        return std::unique_ptr<Observer>(std::make_unique<RouterWork>(params, site));
      },
      traits);
}

}  // namespace flitwave
