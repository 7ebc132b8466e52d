// testbenches/timed/jobs.cpp: see jobs.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/timed/jobs.hpp"

#include <algorithm>
#include <stdexcept>

namespace flitwave::test {

Scenario uniform_traffic(const std::vector<std::pair<std::string, std::string>>& settings) {
  Scenario scenario = Scenario::parse(R"(
scenario: test
topology: {kind: mesh, shape: [4, 4]}
router: {kind: wormhole, preset: single_cycle}
traffic: {rate: 0.1 flit/node/cycle, packet: 4 flit, warmup: 100 cycle, measure: 1000 cycle}
)");
  for (const auto& [key, value] : settings) scenario = scenario.with(key, value);
  return scenario;
}

namespace {

/// Hands packets to interfaces at their cycles.
class Gun final : public Sleeper {
 public:
  Gun(Testbench& testbench, std::vector<Shot> shots)
      : testbench_(testbench), shots_(std::move(shots)) {
    std::stable_sort(shots_.begin(), shots_.end(),
                     [](const Shot& a, const Shot& b) { return a.at < b.at; });
    if (!shots_.empty()) testbench_.domain().at(shots_.front().at, *this);
  }

  void due() override {
    const Cycle now = testbench_.domain().now();
    for (; next_ < shots_.size() && shots_[next_].at == now; ++next_) {
      OutgoingMessage packet;
      packet.destination = shots_[next_].to;
      packet.packets = shots_[next_].flits;
      for (const NodeId copy : shots_[next_].copies) packet.copies.push_back({copy});
      testbench_.netlist().interface(shots_[next_].from).send(std::move(packet));
    }
    if (next_ < shots_.size()) testbench_.domain().at(shots_[next_].at, *this);
  }

 private:
  Testbench& testbench_;
  std::vector<Shot> shots_;
  std::size_t next_ = 0;
};

}  // namespace

Results shoot(const Scenario& base, const std::vector<Shot>& shots, Cycle after,
              const std::string& other_observers) {
  Cycle last = 1;
  for (const Shot& shot : shots) last = std::max(last, shot.at);
  const std::string window =
      "{rate: 0 flit/node/cycle, warmup: 0 cycle, measure: " + std::to_string(last + after) +
      " cycle}";
  Scenario scenario =
      base.with("traffic", window)
          .with("observe", "[{kind: latency, packets: true}" +
                               (other_observers.empty() ? "" : ", " + other_observers) + "]");
  if (const ConfigNode* length = base.tree().find_path("traffic.packet"))
    scenario = scenario.with("traffic.packet", length->text());
  SimulateOptions options;
  options.attach = [&shots](Testbench& testbench) {
    auto gun = std::make_shared<Gun>(testbench, shots);
    return [gun](Results&) {};
  };
  return simulate(scenario, standard_catalog(), options);
}

namespace {

std::string pair_text(const std::string& what, const std::string& found,
                      const std::string& expected) {
  return found == expected ? "" : what + ": " + found + " for " + expected;
}

std::string row_text(const Table& table, std::size_t row) {
  std::string text;
  if (row >= table.rows.size()) return "no row";
  for (const std::string& cell : table.rows[row]) text += cell + " ";
  return text;
}

std::string table_difference(const std::string& name, const Table& found, const Table& expected) {
  for (std::size_t row = 0; row < std::max(found.rows.size(), expected.rows.size()); ++row) {
    std::string text =
        pair_text(name + " " + std::to_string(row), row_text(found, row), row_text(expected, row));
    if (!text.empty()) return text;
  }
  return "";
}

}  // namespace

std::string difference(const Results& found, const Results& expected) {
  std::string text =
      pair_text("outcome", names_of(Outcome{})[static_cast<std::size_t>(found.outcome)],
                names_of(Outcome{})[static_cast<std::size_t>(expected.outcome)]);
  if (text.empty()) text = pair_text("message", found.message, expected.message);
  if (text.empty())
    text = pair_text("cycles", std::to_string(found.cycles), std::to_string(expected.cycles));
  for (std::size_t i = 0; text.empty() && i < expected.metrics.size(); ++i) {
    const Metric& metric = expected.metrics[i];
    if (!found.has(metric.name)) return "no " + metric.name;
    text = pair_text(metric.name, number_text(found.value(metric.name)), number_text(metric.value));
  }
  if (text.empty() && found.metrics.size() != expected.metrics.size()) return "other metrics";
  if (text.empty() && found.tables.size() != expected.tables.size()) return "other tables";
  for (const auto& [name, table] : expected.tables)
    if (text.empty()) text = table_difference(name, found.table(name), table);
  if (text.empty())
    text = pair_text("fingerprint", found.fingerprint_text(), expected.fingerprint_text());
  return text;
}

std::vector<RunVariant> all_run_variants() {
  std::vector<RunVariant> all;
  for (const std::string& scheduling : names_of(Scheduling{}))
    for (const std::string& order : names_of(BuildOrder{})) all.push_back({scheduling, order});
  return all;
}

std::string difference_between(const Scenario& job, const std::vector<RunVariant>& variants,
                               const Catalog& catalog) {
  const Results expected = simulate(job, catalog);
  for (const RunVariant& variant : variants) {
    const Scenario varied =
        job.with("clock.scheduling", variant.scheduling).with("build_order", variant.order);
    const std::string text = difference(simulate(varied, catalog), expected);
    if (!text.empty()) return variant.scheduling + ", " + variant.order + ": " + text;
  }
  return "";
}

std::string difference_between_orders(const Scenario& job) {
  const ConfigNode* scheduling = job.tree().find_path("clock.scheduling");
  return difference_between(
      job, {{"per_module", "forward"},
            {scheduling ? scheduling->text() : RunVariant{}.scheduling, "reversed"}});
}

Scenario broadcast_beside_traffic() {
  return Scenario::parse(R"(
scenario: beside
topology: {kind: mesh, shape: [4, 4]}
router: {kind: wormhole, preset: single_cycle}
channel: {width: 4 B, buffer: 4 flit}
operation: {kind: broadcast, root: 0, message: 256 B}
algorithm: {kind: separate}
traffic: {packet: 2 flit, warmup: 500 cycle, measure: 5000 cycle}
observe: [{kind: latency}]
)");
}

std::vector<double> column(const Table& table, const std::string& name) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), name);
  if (found == table.columns.end()) throw std::out_of_range("no column " + name);
  std::vector<double> values;
  for (const auto& row : table.rows)
    values.push_back(std::stod(row[static_cast<std::size_t>(found - table.columns.begin())]));
  return values;
}

}  // namespace flitwave::test
