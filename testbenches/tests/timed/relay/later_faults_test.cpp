// testbenches/tests/timed/relay/later_faults_test.cpp: messages at faults that occur during the
// run.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/cube_multicast/relay/relay.hpp"
#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace later_faults_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// The address of a node by its label, lowest bit first: 4 for "0_0_1".
int address_of(const std::string& label) {
  int address = 0;
  for (std::size_t i = 0; i < label.size(); i += 2) address |= (label[i] - '0') << (i / 2);
  return address;
}

std::string label_of(int address, int dimensions) {
  std::string label;
  for (int bit = 0; bit < dimensions; ++bit)
    label += (bit == 0 ? "" : "_") + std::to_string(address >> bit & 1);
  return label;
}

/// The delivery or the reported loss of each packet, by source, number of the message and
/// destination. The packets of a message have consecutive numbers.
struct Fates {
  using Packet = std::tuple<int, std::int64_t, int>;  // source, number, destination

  explicit Fates(const Results& run) : results(run) {
    const Table& packets = run.table("packets");
    const std::vector<double> ejected = column(packets, "ejected");
    for (std::size_t i = 0; i < packets.rows.size(); ++i) {
      const auto& row = packets.rows[i];
      REQUIRE(delivered
                  .emplace(Packet{address_of(row[0]), std::stoll(row[2]), address_of(row[1])},
                           static_cast<Cycle>(ejected[i]))
                  .second);
    }
    for (const auto& row : run.table("faulted_messages").rows) {
      if (row[0] == "rerouted") continue;
      std::istringstream destinations(row[6]);
      for (std::string label; destinations >> label;)
        REQUIRE(
            listed.emplace(Packet{address_of(row[4]), std::stoll(row[5]), address_of(label)}, row)
                .second);
    }
  }

  bool is_listed(int source, std::int64_t number, int destination, const char* event) const {
    const auto found = listed.find({source, number, destination});
    return found != listed.end() && found->second[0] == event;
  }

  Results results;
  std::map<Packet, Cycle> delivered;
  std::map<Packet, std::vector<std::string>> listed;
};

/// Lan's example in a 5-cube: from 6 to six destinations.
struct Example {
  std::string router = "switching: relay";
  int latency = 1;
  bool serial = false;

  Results run(const std::string& later) const {
    return simulate(
        Scenario::parse(R"(
scenario: example
topology: {kind: hypercube, dimensions: 5}
operation: {kind: multicast, source: 6, destinations: [7, 20, 29, 18, 1, 0], message: 32 B}
algorithm: {kind: hardware_multicast}
observe: [{kind: latency, packets: true}, {kind: flit_log}]
allow_deadlock: true
watchdog: {interval: 500 cycle}
stop: {limit: 1 ms}
)")
            .with("channel", fmt::format("{{handshake: request, buffer: 64 flit, latency: {} "
                                         "cycle}}",
                                         latency))
            .with("router",
                  "{kind: greedy_multicast, capacity: 6, fault_tolerant: "
                  "true, " +
                      router + "}")
            .with("faults", "{condition: warn, later: [" + later + "]}"),
        standard_catalog());
  }
  Fates fates(const std::string& later) const {
    const Results results = run(later);
    INFO(results.message);
    REQUIRE(results.outcome == Outcome::complete);
    Fates fates(results);
    for (std::size_t i = 0; i < destinations.size(); ++i)
      REQUIRE(time(fates, i).has_value() != listed(fates, i));
    return fates;
  }
  std::optional<Cycle> time(const Fates& fates, std::size_t i) const {
    for (const auto& [packet, time] : fates.delivered)
      if (std::get<2>(packet) == destinations[i]) return time;
    return {};
  }
  bool listed(const Fates& fates, std::size_t i) const {
    return fates.listed.count({6, 0, destinations[i]}) > 0;
  }
  /// The preceding node on the route to each node.
  static std::map<int, int> tree() {
    const Cube cube(5);
    RelayRules rules{6, true, true, TieRule::lowest()};
    std::map<int, int> before;
    for (const CubeHop& hop :
         relay_walk(cube, rules, 6, header_for(cube, 6, {7, 20, 29, 18, 1, 0}, rules.format()))
             .hops)
      before[static_cast<int>(hop.to())] = static_cast<int>(hop.from);
    return before;
  }
  /// Whether the route to a destination includes a node, or ends there.
  static bool passes(int destination, int node) {
    static const std::map<int, int> before = tree();
    for (int at = destination;; at = before.at(at)) {
      if (at == node) return true;
      if (at == 6) return false;
    }
  }

  std::vector<int> destinations{7, 20, 29, 18, 1, 0};
};

constexpr const char* never = "{onset: 900000 cycle, links: [[30, 31]]}";

/// The cycles of the first and the last flit on a channel.
std::pair<Cycle, Cycle> crossing(const Results& results, int from, int to) {
  const std::string channel = "channel_" + label_of(from, 5) + "_to_" + label_of(to, 5);
  std::pair<Cycle, Cycle> times{0, 0};
  for (const auto& row : results.table("flit_log").rows) {
    if (row[1] != channel) continue;
    times.second = std::stoll(row[0]);
    if (times.first == 0) times.first = times.second;
  }
  REQUIRE(times.first > 0);
  return times;
}

/// Makes a link of the tree faulty, in one run for each onset.
void fail_link(const Example& example, int from, int to, Cycle step) {
  const Fates whole = example.fates(never);
  REQUIRE(whole.delivered.size() == 6);
  const auto [first, last] = crossing(whole.results, from, to);
  const std::string channel = label_of(from, 5) + "_to_" + label_of(to, 5);
  Cycle end = 0;
  for (const auto& [packet, time] : whole.delivered) end = std::max(end, time);
  for (Cycle onset = 1; onset <= end + 2; onset += step) {
    INFO("link " << from << " " << to << ", cycle " << onset);
    const Fates fates =
        example.fates(fmt::format("{{onset: {} cycle, links: [[{}, {}]]}}", onset, from, to));
    const bool rerouted = fates.results.value("faults.rerouted") > 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const bool behind = Example::passes(example.destinations[i], to);
      // A branch that waits for the preceding one starts earlier when that one is lost.
      if (!behind && !rerouted && example.serial)
        CHECK(example.time(fates, i) <= example.time(whole, i));
      else if ((!behind && !rerouted) || onset > last + 1)
        CHECK(example.time(fates, i) == example.time(whole, i));
      if (behind && onset > first && onset <= last + 1) {
        REQUIRE(fates.is_listed(6, 0, example.destinations[i], "lost"));
        const auto& row = fates.listed.at({6, 0, example.destinations[i]});
        CHECK(row[1] == std::to_string(onset));
        CHECK(row[3] == channel);
      }
      if (behind && onset <= first && !rerouted) CHECK(example.listed(fates, i));
    }
    if (onset > first && onset <= last + 1) CHECK(fates.results.value("faults.lost") == 1);
    if (onset > last + 1) CHECK(fates.results.value("faults.lost") == 0);
  }
}

void fail_node(const Example& example, int node, Cycle step) {
  const Fates whole = example.fates(never);
  Cycle end = 0;
  for (const auto& [packet, time] : whole.delivered) end = std::max(end, time);
  for (Cycle onset = 1; onset <= end + 2; onset += step) {
    INFO("node " << node << ", cycle " << onset);
    const Fates fates = example.fates(fmt::format("{{onset: {} cycle, nodes: [{}]}}", onset, node));
    const bool rerouted = fates.results.value("faults.rerouted") > 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const auto before = example.time(whole, i);
      if ((!Example::passes(example.destinations[i], node) && !rerouted) || onset > end + 1)
        CHECK(example.time(fates, i) == before);
      if (example.destinations[i] == node) {
        CHECK(example.time(fates, i).has_value() == (before <= onset));
      }
    }
    if (node == 6 && onset == 1) CHECK(fates.results.value("faults.lost_destinations") == 6);
  }
}

std::vector<std::pair<int, int>> tree_links() {
  std::vector<std::pair<int, int>> links;
  for (const auto& [to, from] : Example::tree()) links.emplace_back(from, to);
  return links;
}

}  // namespace

TEST_CASE("a link that becomes faulty loses the messages on it, at any onset",
          "[timed][lan_1988][faults]") {
  const auto links = tree_links();
  REQUIRE(links.size() == 10);
  const std::size_t number = GENERATE(range(0u, 10u));
  fail_link({}, links[number].first, links[number].second, instrumented ? 30 : 3);
}

TEST_CASE("every link loses the messages on it, at every onset and with every kind of switching",
          "[timed][lan_1988][faults][long]") {
  const char* const router =
      GENERATE("switching: relay", "switching: relay, buffers: hop_classes",
               "switching: virtual_cut_through", "switching: store_and_forward",
               "branching: serial", "selecting: sequential, field: 2");
  Example example;
  example.router = router;
  example.serial = example.router == "branching: serial";
  for (const auto& [from, to] : tree_links()) fail_link(example, from, to, 1);
}

TEST_CASE("a node that becomes faulty loses the messages in it, at any onset",
          "[timed][lan_1988][faults]") {
  const int node = GENERATE(6, 4, 20, 0, 29, 31);
  fail_node({}, node, instrumented ? 30 : 3);
}

TEST_CASE("every node loses the messages in it, at every onset",
          "[timed][lan_1988][faults][long]") {
  const int share = GENERATE(range(0, 8));
  for (int node = share; node < 32; node += 8) fail_node({}, node, 1);
}

namespace {

/// Contending multicasts of all nodes, while nodes and links become faulty.
struct Crowd {
  Crowd(int number, const std::string& buffers) {
    Random random(static_cast<std::uint64_t>(number), "crowd");
    const auto draw = [&random](int least, int greatest) {
      return least +
             static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
    };
    dimensions = 2 + number % 5;
    const Cube cube(dimensions);
    const bool static_fault = draw(0, 3) == 0;
    const int broken = static_fault ? draw(0, cube.nodes() - 1) : -1;
    for (int i = 0; i < draw(1, 3 * cube.nodes()); ++i) {
      const auto source = static_cast<CubeAddress>(draw(0, cube.nodes() - 1));
      if (static_cast<int>(source) == broken) continue;
      const CubeNodes list =
          draw_uniform(cube, source, draw(1, std::min(14, cube.nodes() - 1)), random);
      Shot shot{draw(1, 150), NodeId(static_cast<int>(source)),
                NodeId(static_cast<int>(list.front())), draw(1, 40)};
      for (std::size_t k = 1; k < list.size(); ++k)
        shot.copies.emplace_back(static_cast<int>(list[k]));
      shots.push_back(std::move(shot));
    }
    if (shots.empty())
      shots.push_back({1, NodeId(broken == 0 ? 1 : 0), NodeId(broken == 2 ? 3 : 2), 4});
    latency = draw(1, 3);
    router = fmt::format(
        "{{kind: greedy_multicast, fault_tolerant: true, capacity: {}, field: {}, selection: {} "
        "cycle, switching: {}, selecting: {}, branching: {}, ties: {}, buffers: {}}}",
        draw(1, 12), draw(1, 2), draw(1, 8), names_of_switching(draw(0, 2)),
        draw(0, 1) == 0 ? "overlapped" : "sequential", draw(0, 1) == 0 ? "parallel" : "serial",
        draw(0, 1) == 0 ? "lowest" : "random", buffers);
    std::set<int> nodes{broken};
    std::set<std::pair<int, int>> links;
    std::string later;
    for (int i = 0; i < draw(1, 6); ++i) {
      const int node = draw(0, cube.nodes() - 1);
      const int other = node ^ (1 << draw(0, dimensions - 1));
      const int onset = draw(1, 600);
      const bool whole = draw(0, 2) == 0 && static_cast<int>(nodes.size()) < cube.nodes() - 1;
      if (whole ? !nodes.insert(node).second : !links.insert(std::minmax(node, other)).second)
        continue;
      later += fmt::format(
          "{}{{onset: {} cycle, {}}}", later.empty() ? "" : ", ", onset,
          whole ? fmt::format("nodes: [{}]", node) : fmt::format("links: [[{}, {}]]", node, other));
    }
    faults = fmt::format("{{condition: warn, nodes: [{}], later: [{}]}}",
                         broken < 0 ? "" : std::to_string(broken), later);
    router.pop_back();
    const char* const rules[] = {"fcfs", "round_robin", "fixed"};
    router += fmt::format(", arbitration: {}", rules[draw(0, 2)]);
    router += fmt::format(", handshake_time: {} cycle}}", 2 * latency + draw(0, 6));
  }

  static const char* names_of_switching(int number) {
    const char* const names[] = {"relay", "virtual_cut_through", "store_and_forward"};
    return names[number];
  }

  Results run(const std::string& scheduling = "batched",
              const std::string& order = "forward") const {
    return shoot(
        Scenario::parse(fmt::format(R"(
scenario: crowd
topology: {{kind: hypercube, dimensions: {}}}
channel: {{handshake: request, buffer: 256 flit, latency: {} cycle}}
router: {}
faults: {}
clock: {{scheduling: {}}}
build_order: {}
allow_deadlock: true
watchdog: {{interval: 500 cycle}}
)",
                                    dimensions, latency, router, faults, scheduling, order)),
        shots, 10'000);
  }

  /// Every destination of every message is either served once or listed.
  void require_accounted(const Fates& fates) const {
    std::vector<Shot> sorted = shots;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Shot& a, const Shot& b) { return a.at < b.at; });
    std::map<int, std::int64_t> numbers;
    std::size_t expected = 0;
    for (const Shot& shot : sorted) {
      const int source = shot.from.value();
      const std::int64_t first = numbers[source];
      std::vector<NodeId> list{shot.to};
      list.insert(list.end(), shot.copies.begin(), shot.copies.end());
      for (const NodeId to : list) {
        const auto served = fates.delivered.count({source, numbers[source]++, to.value()});
        const auto listed = fates.listed.count({source, first, to.value()});
        INFO("message " << first << " of " << source << " to " << to.value());
        REQUIRE(served + listed == 1);
        ++expected;
      }
    }
    REQUIRE(fates.delivered.size() + fates.listed.size() == expected);
  }

  int dimensions = 3;
  int latency = 1;
  std::string router;
  std::string faults;
  std::vector<Shot> shots;
};

std::int64_t require_crowd(int number) {
  const Crowd crowd(number, "hop_classes");
  INFO("crowd " << number << ": " << crowd.router << " " << crowd.faults);
  const Results results = crowd.run();
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  const Fates fates(results);
  crowd.require_accounted(fates);
  return static_cast<std::int64_t>(fates.results.value("faults.lost_destinations"));
}

}  // namespace

TEST_CASE("each destination is served or listed, whatever faults occur in random traffic",
          "[timed][lan_1988][faults]") {
  const int share = GENERATE(range(0, 10));
  std::int64_t lost = 0;
  for (int number = share; number < (instrumented ? 30 : 200); number += 10)
    lost += require_crowd(number);
  REQUIRE(lost > 0);
}

TEST_CASE("each destination is served or listed in two thousand cases of random traffic and faults",
          "[timed][lan_1988][faults][long]") {
  for (int number = 200; number < 2200; ++number) require_crowd(number);
}

TEST_CASE("random traffic with faults ends or deadlocks where messages can block each other",
          "[timed][lan_1988][faults]") {
  const char* const buffers = GENERATE("faithful", "hop_classes, grant: requested");
  constexpr int crowds = instrumented ? 12 : 60;
  int ended = 0;
  for (int number = 0; number < crowds; ++number) {
    const Crowd crowd(number, buffers);
    INFO("crowd " << number << ": " << crowd.router << " " << crowd.faults);
    const Results results = crowd.run();
    INFO(results.message);
    if (results.outcome == Outcome::deadlock) continue;
    REQUIRE(results.outcome == Outcome::complete);
    crowd.require_accounted(Fates(results));
    ++ended;
  }
  REQUIRE(ended > crowds / 6);
}

TEST_CASE("the effects of faults are the same under both schedulings and build orders",
          "[timed][lan_1988][faults]") {
  const int number = GENERATE(range(0, instrumented ? 3 : 30));
  const Crowd crowd(number, "hop_classes");
  const Results results = crowd.run();
  REQUIRE(results.outcome == Outcome::complete);
  for (const auto& [scheduling, order] :
       {std::pair("per_module", "forward"), std::pair("batched", "reversed"),
        std::pair("batched", "forward")}) {
    const Results other = crowd.run(scheduling, order);
    INFO(other.message);
    REQUIRE(other.fingerprint == results.fingerprint);
    REQUIRE(other.cycles == results.cycles);
    REQUIRE(other.table("packets").rows == results.table("packets").rows);
    REQUIRE(other.table("faulted_messages").rows == results.table("faulted_messages").rows);
  }
}

TEST_CASE("all reports of a faulty source agree, in whatever order they are made",
          "[timed][lan_1988][faults]") {
  const int onset = GENERATE(range(1, 36));
  if (instrumented && onset % 7 != 0) return;
  const auto rows_of = [&](const char* scheduling, const char* order) {
    const Results results = simulate(Scenario::parse(fmt::format(R"(
scenario: broken_source
topology: {{kind: hypercube, dimensions: 2}}
channel: {{handshake: request, buffer: 64 flit}}
router: {{kind: greedy_multicast, fault_tolerant: true, selection: 4 cycle}}
operation: {{kind: broadcast, root: 3, message: 32 B}}
algorithm: {{kind: hardware_multicast}}
faults: {{condition: warn, later: [{{onset: {} cycle, nodes: [3]}}]}}
clock: {{scheduling: {}}}
build_order: {}
allow_deadlock: true
)",
                                                                 onset, scheduling, order)),
                                     standard_catalog());
    REQUIRE(results.outcome == Outcome::complete);
    return results.table("faulted_messages").rows;
  };
  const auto rows = rows_of("batched", "forward");
  CAPTURE(onset, rows);
  REQUIRE_FALSE(rows.empty());
  for (const auto& row : rows) CHECK((row[2] != "1_1" || row[3].empty()));
  CHECK(rows_of("per_module", "forward") == rows);
  CHECK(rows_of("batched", "reversed") == rows);
}

TEST_CASE("messages that wait at a node when it becomes faulty are lost and listed",
          "[timed][lan_1988][faults]") {
  const Results results = shoot(Scenario::parse(R"(
scenario: queued
topology: {kind: hypercube, dimensions: 3}
channel: {handshake: request, buffer: 64 flit}
router: {kind: greedy_multicast, fault_tolerant: true}
faults: {later: [{onset: 20 cycle, nodes: [0]}]}
allow_deadlock: true
)"),
                                {{1, NodeId(0), NodeId(1), 40},
                                 {1, NodeId(0), NodeId(2), 40, {NodeId(4)}},
                                 {50, NodeId(0), NodeId(5), 40},
                                 {50, NodeId(1), NodeId(5), 40}});

  REQUIRE(results.outcome == Outcome::complete);
  using Rows = std::vector<std::vector<std::string>>;
  CHECK(results.table("faulted_messages").rows ==
        Rows{{"lost", "20", "0_0_0", "", "0_0_0", "0", "1_0_0"},
             {"lost", "20", "0_0_0", "", "0_0_0", "1", "0_1_0 0_0_1"},
             {"lost", "51", "0_0_0", "", "0_0_0", "3", "1_0_1"}});
  CHECK(results.table("packets").rows.size() == 1);
}

namespace {

Results all_gather(const std::string& algorithm, Cycle onset) {
  const Results results = simulate(
      Scenario::parse(R"(
scenario: all_gather
topology: {kind: hypercube, dimensions: 3}
channel: {handshake: request, buffer: 128 flit}
router: {kind: greedy_multicast, fault_tolerant: true, buffers: hop_classes}
operation: {kind: all_gather, message: 16 B}
observe: [{kind: latency}]
stop: {limit: 1 ms}
)")
          .with("algorithm", "{kind: " + algorithm + "}")
          .with("faults", fmt::format("{{later: [{{onset: {} cycle, nodes: [5]}}]}}", onset)),
      standard_catalog());
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  return results;
}

}  // namespace

TEST_CASE("a collective ends although a node becomes faulty, and accounts for each transfer",
          "[timed][lan_1988][faults]") {
  const std::string algorithm = GENERATE("ring", "recursive_doubling");
  const Results without_fault = all_gather(algorithm, 900'000);
  const Cycle whole = without_fault.cycles;
  const double transfers = without_fault.value("latency.packets");
  REQUIRE(transfers >= 14);
  for (Cycle onset = 1; onset < whole; onset += instrumented ? 35 : 7) {
    const Results results = all_gather(algorithm, onset);
    const double listed =
        results.value("faults.lost_destinations") + results.value("faults.unreachable");
    INFO("cycle " << onset << " of " << whole);
    CHECK((listed > 0 || onset > whole / 2));
    CHECK(results.value("latency.packets") + listed + results.value("faults.never_sent") ==
          transfers);
  }
}

}  // namespace later_faults_test
