// testbenches/tests/timed/jobs.cpp: see jobs.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/timed/jobs.hpp"

#include <algorithm>
#include <stdexcept>

#include "testbenches/tests/instrumented.hpp"

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

Scenario deadlocked_torus(const std::string& interval) {
  return uniform_traffic({{"topology", "{kind: torus, shape: [4, 4]}"},
                          {"routing", "{kind: dimension_order, vc_rule: none}"},
                          {"allow_deadlock", "true"},
                          {"channel", "{vcs: 1, buffer: 2 flit}"},
                          {"traffic",
                           "{rate: 0.4 flit/node/cycle, packet: 8 flit, warmup: 0 cycle, "
                           "measure: 1000000 cycle}"},
                          {"observe", "[]"},
                          {"watchdog.interval", interval + " cycle"}});
}

namespace {

/// Sends packets through interfaces at given cycles.
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
      testbench_.network().processor(shots_[next_].from).inject(std::move(packet));
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
              const std::string& other_observers, const Catalog& catalog) {
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
  return simulate(scenario, catalog, options);
}

std::vector<RunVariant> compared_variants() {
  if (instrumented) return {{"per_module", "reversed"}};
  return all_run_variants();
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

int packets_off(const Results& results, const std::vector<Shot>& shots,
                const std::function<Cycle(const Shot&)>& expected) {
  const Table& table = results.table("packets");
  const auto created = column(table, "created");
  const auto ejected = column(table, "ejected");
  int off = 0;
  for (std::size_t i = 0; i < shots.size(); ++i)
    off += static_cast<Cycle>(ejected[i] - created[i]) == expected(shots[i]) ? 0 : 1;
  return off;
}

Scenario ring_of_four() {
  return Scenario::parse(R"(
scenario: ring
topology: {kind: torus, shape: [4]}
channel: {width: 1 B}
routing: {kind: dimension_order, direction: positive, vc_rule: none}
allow_deadlock: true
operation:
  kind: unicasts
  transfers:
    - {from: 0, to: 2, message: 16 B}
    - {from: 1, to: 3, message: 16 B}
    - {from: 2, to: 0, message: 16 B}
    - {from: 3, to: 1, message: 16 B}
)");
}

}  // namespace flitwave::test
