// testbenches/tests/paper/wang_2001/wang_2001_runs.cpp: see wang_2001_runs.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/paper/wang_2001/wang_2001_runs.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"

namespace flitwave::testing {
namespace {

constexpr int flits = 32;

/// A scheme of the source from its name, e.g. "4IIIB".
struct PartitionScheme {
  int h = 0;
  std::string type;
  bool balanced = false;

  explicit PartitionScheme(const std::string& name)
      : h(name[0] - '0'), type(name.substr(1, name.find('B') - 1)), balanced(name.back() == 'B') {}

  /// Section 2.2: the number of networks, and the position of each network's node in every block.
  int networks() const {
    if (type == "I") return h;
    return type == "III" ? 2 * h : h * h;
  }
  Coordinates offsets(int network) const {
    if (type == "II" || type == "IV") return {network / h, network % h};
    return network < h ? Coordinates{network, network}
                       : Coordinates{network - h, (network - h + h / 2) % h};
  }
};

bool is_partitioned(const std::string& scheme) { return scheme[0] >= '1' && scheme[0] <= '9'; }

std::string algorithm_of(const std::string& scheme) {
  static const std::map<std::string, std::string> trees{
      {"UT", "{kind: u_torus, larger_half: upper, direction: minimal}"},
      {"UT+", "{kind: u_torus, larger_half: upper, direction: positive}"},
      {"SPU", "{kind: recursive_doubling, chain: rotated, larger_half: upper}"},
      {"U-mesh", "{kind: recursive_doubling, chain: in_place, larger_half: upper}"}};
  if (!is_partitioned(scheme)) return trees.at(scheme);
  const PartitionScheme parts(scheme);
  return fmt::format("{{kind: partitioned, h: {}, type: {}, phase1: {}}}", parts.h, parts.type,
                     parts.balanced ? "balanced" : "none");
}

/// The nodes that get a multicast, and the number of its unicasts.
struct Served {
  std::set<NodeId> receivers;
  int unicasts = 0;
};

/// The networks of multicasts by the closed form of section 3.2.
std::vector<int> networks_of(const PartitionScheme& scheme, const Demand& demand,
                             const Grid& grid) {
  std::vector<std::tuple<int, int, int, int, int>> order;  // block, source, number
  std::vector<int> networks(demand.deliveries.size());
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const NodeId source = demand.deliveries[i].source();
    const int x = grid.coordinate(source, 0);
    const int y = grid.coordinate(source, 1);
    order.emplace_back(x / scheme.h, y / scheme.h, x, y, static_cast<int>(i));
    networks[i] = x % scheme.h * scheme.h + y % scheme.h;
  }
  if (!scheme.balanced) return networks;
  std::sort(order.begin(), order.end());
  for (std::size_t q = 0; q < order.size(); ++q)
    networks[static_cast<std::size_t>(std::get<4>(order[q]))] =
        static_cast<int>(q) % scheme.networks();
  return networks;
}

/// Sections 3.2 to 3.4, and the count of section 3.6.
Served served_by(const PartitionScheme& scheme, const Delivery& delivery, int network,
                 const Grid& grid) {
  const Coordinates offsets = scheme.offsets(network);
  const auto representative = [&](NodeId node) {
    return grid.node({grid.coordinate(node, 0) / scheme.h * scheme.h + offsets[0],
                      grid.coordinate(node, 1) / scheme.h * scheme.h + offsets[1]});
  };
  std::set<NodeId> representatives;
  for (NodeId node : delivery.destinations) representatives.insert(representative(node));
  int both = 0;
  for (NodeId node : delivery.destinations) both += static_cast<int>(representatives.count(node));
  const NodeId root = representative(delivery.source());
  Served served;
  served.unicasts = (root == delivery.source() ? 0 : 1) + static_cast<int>(representatives.size()) -
                    static_cast<int>(representatives.count(root)) +
                    static_cast<int>(delivery.destinations.size()) - both;
  served.receivers = representatives;
  served.receivers.insert(delivery.destinations.begin(), delivery.destinations.end());
  served.receivers.insert(root);
  served.receivers.erase(delivery.source());
  return served;
}

std::vector<Served> served_by(const std::string& scheme, const Demand& demand, const Grid& grid) {
  std::vector<Served> served;
  if (!is_partitioned(scheme)) {
    for (const Delivery& delivery : demand.deliveries)
      served.push_back({{delivery.destinations.begin(), delivery.destinations.end()},
                        static_cast<int>(delivery.destinations.size())});
    return served;
  }
  const PartitionScheme parts(scheme);
  const std::vector<int> networks = networks_of(parts, demand, grid);
  for (std::size_t i = 0; i < networks.size(); ++i)
    served.push_back(served_by(parts, demand.deliveries[i], networks[i], grid));
  return served;
}

/// Records the node and the cycle at which the tail of each multicast arrives on an ejection
/// channel.
class Receipts final : public TransitListener {
 public:
  Receipts(Testbench& testbench, const Schedule& schedule)
      : testbench_(testbench), schedule_(schedule) {
    testbench.listen(ChannelSite::Kind::ejection, *this);
  }

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits) {
      if (!transit.flit.tail()) continue;
      const Packet& packet = testbench_.packets().packet(transit.flit);
      const MessageInTransit& message = testbench_.packets().message(packet.message);
      const Transfer& transfer = schedule_.transfer(static_cast<int>(message.tag));
      const auto channel = static_cast<std::size_t>(transit.channel);
      taken_[transfer.pieces.front()][testbench_.netlist().channels()[channel].from].push_back(
          cycle);
    }
  }

  /// Adds the faults found, and the mean latency computed from the receipts.
  void report(const std::vector<Served>& served, Results& results) const {
    int repeated = 0;
    int unexpected = 0;
    int missing = 0;
    double sum = 0;
    for (std::size_t i = 0; i < served.size(); ++i) {
      const auto found = taken_.find(static_cast<int>(i));
      const Takers takers = found == taken_.end() ? Takers{} : found->second;
      for (const auto& [node, cycles] : takers) {
        repeated += static_cast<int>(cycles.size()) - 1;
        unexpected += served[i].receivers.count(node) == 0 ? 1 : 0;
      }
      Cycle last = 0;
      for (NodeId node : schedule_.demand().deliveries[i].destinations) {
        const auto taker = takers.find(node);
        missing += taker == takers.end() ? 1 : 0;
        if (taker != takers.end()) last = std::max(last, taker->second.front());
      }
      sum += static_cast<double>(last);
    }
    results.add("receipts.repeated", repeated, "");
    results.add("receipts.unexpected", unexpected, "");
    results.add("receipts.missing", missing, "");
    results.add("receipts.mean", sum / static_cast<double>(served.size()), "cycle");
  }

 private:
  using Takers = std::map<NodeId, std::vector<Cycle>>;

  Testbench& testbench_;
  const Schedule& schedule_;
  std::map<int, Takers> taken_;  // by multicast
};

std::string text_of(const WangSetting& setting, const std::string& scheme, int seed) {
  return fmt::format("{} on a {} of extent {}, {}, T_s {}, m {}, d {}, p {}, seed {}", scheme,
                     setting.topology, setting.extent, setting.overhead, setting.send,
                     setting.multicasts, setting.destinations, setting.hot_spot, seed);
}

WangTimes times_of(const Results& run) {
  return {run.value("delivery.mean"), run.value("delivery.max"),
          run.value("delivery.destination.mean")};
}

WangTimes checked_run(const WangSetting& setting, const std::string& scheme, int seed) {
  INFO(text_of(setting, scheme, seed));
  const Job job = Job::read(wang_job(setting, scheme, seed), standard_catalog());
  const Plan plan = Plan::make(job);
  const Schedule& schedule = *plan.schedule;
  const std::vector<Served> served = served_by(scheme, schedule.demand(), *plan.topology->grid());
  SimulateOptions options;
  options.tables = false;
  options.attach = [&](Testbench& testbench) {
    const auto receipts = std::make_shared<Receipts>(testbench, schedule);
    return [receipts, &served](Results& results) { receipts->report(served, results); };
  };
  const Results run = simulate(job, plan, options);
  INFO(run.message);
  REQUIRE(run.outcome == Outcome::complete);
  CHECK(run.value("delivery.count") == setting.multicasts);
  CHECK(run.value("receipts.repeated") == 0);
  CHECK(run.value("receipts.unexpected") == 0);
  CHECK(run.value("receipts.missing") == 0);
  // Software that serializes its overheads has a message only at the end of the start-up in which
  // it arrived. Section 1.8 counts the tail's arrival.
  const double learned_later = run.value("delivery.mean") - run.value("receipts.mean");
  CHECK(learned_later > -1e-6);
  CHECK(learned_later < (setting.overhead == "serialized" ? setting.send : 1e-6));
  CHECK(run.value("packets") ==
        std::accumulate(served.begin(), served.end(), 0,
                        [](int sum, const Served& one) { return sum + one.unicasts; }));
  const int busy = setting.overhead == "serialized" ? setting.send + flits : flits;
  CHECK(run.value("delivery.max") * setting.nodes() >=
        1.0 * setting.multicasts * setting.destinations * busy);
  return times_of(run);
}

}  // namespace

Scenario wang_job(const WangSetting& setting, const std::string& scheme, int seed) {
  return Scenario::parse(R"(
scenario: wang
clock: {period: 1 us}
channel: {buffer: 2 flit, width: 1 B}
router: {kind: wormhole, preset: single_cycle, arbitration: first_come, vc_reallocation: atomic}
observe: []
)")
      .with("topology", fmt::format("{{kind: {}, shape: [{}, {}]}}", setting.topology,
                                    setting.extent, setting.extent))
      .with("channel.vcs", setting.topology == "torus" ? "2" : "1")
      .with("node", fmt::format("{{send_overhead: {} cycle, overhead: {}, ejection_sharing: "
                                "packets}}",
                                setting.send, setting.overhead))
      .with("operation",
            fmt::format("{{kind: multicasts, count: {}, placement: distinct, destinations: {}, "
                        "hot_spot: {}, message: {} B}}",
                        setting.multicasts, setting.destinations, setting.hot_spot, flits))
      .with("algorithm", algorithm_of(scheme))
      .with("seed", std::to_string(seed));
}

WangTimes wang_run(const WangSetting& setting, const std::string& scheme, int seed) {
  static std::map<std::string, WangTimes> known;
  const auto [found, is_new] = known.try_emplace(text_of(setting, scheme, seed));
  if (is_new) found->second = checked_run(setting, scheme, seed);
  return found->second;
}

WangTimes wang_message_level(const WangSetting& setting, const std::string& scheme, int seed) {
  INFO(text_of(setting, scheme, seed));
  const Results run = simulate(wang_job(setting, scheme, seed).with("evaluation", "message_level"));
  REQUIRE(run.outcome == Outcome::complete);
  return times_of(run);
}

std::vector<double> wang_means(const WangSetting& setting, const std::string& scheme, int seeds) {
  std::vector<double> means;
  for (int seed = 1; seed <= seeds; ++seed) means.push_back(wang_run(setting, scheme, seed).mean);
  return means;
}

double wang_mean(const WangSetting& setting, const std::string& scheme, int seeds) {
  const std::vector<double> means = wang_means(setting, scheme, seeds);
  return std::accumulate(means.begin(), means.end(), 0.0) / seeds;
}

double wang_gain(const WangSetting& setting, const std::string& of, const std::string& over,
                 int seeds) {
  return wang_mean(setting, of, seeds) / wang_mean(setting, over, seeds);
}

}  // namespace flitwave::testing
