// testbenches/tests/paper/wang_2001/wang_2001_scheme_test.cpp: Wang et al. 2001's three phases on
// the graph.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <set>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "algorithms/partition/phase_one.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/paper/wang_2001/wang_2001.hpp"

namespace wang_2001_scheme_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// "1: 5_6 > 5_7", phase first.
std::set<std::string> sends_of(const Schedule& schedule, const Topology& topology) {
  std::set<std::string> sends;
  for (const Transfer& transfer : schedule.transfers())
    sends.insert(std::to_string(transfer.phase) + ": " + topology.label(transfer.from) + " > " +
                 topology.label(transfer.to));
  return sends;
}

/// A schedule of the example on a network that round-robin would not choose.
Schedule on_network(const WangNetwork& network, int ddn, const std::string& parameters) {
  return network.schedule_of("partitioned",
                             "type: III, h: 4, delta: 2, phase1: random, " + parameters,
                             example_of_8_1(network.topology(), ddn));
}

/// The number of unicasts of the scheme, by the formula of section 3.6.
int unicasts(const Delivery& delivery, const Assignment& assigned, const Partition& partition) {
  std::set<int> blocks;
  for (NodeId node : delivery.destinations) blocks.insert(partition.dcn_of(node));
  std::set<NodeId> representatives;
  for (int block : blocks) representatives.insert(partition.representative(assigned.ddn, block));
  int others = static_cast<int>(representatives.size());
  others -= static_cast<int>(representatives.count(assigned.representative));
  int both = 0;
  for (NodeId node : delivery.destinations) both += static_cast<int>(representatives.count(node));
  return (delivery.source() == assigned.representative ? 0 : 1) + others +
         static_cast<int>(delivery.destinations.size()) - both;
}

struct Scheme {
  std::string parameters;
  PartitionRule rule;
  PhaseOne phase1;
};

const std::vector<Scheme> torus_schemes{
    {"type: I, h: 4", {DdnType::one, 4}, PhaseOne::balanced},
    {"type: II, h: 4", {DdnType::two, 4}, PhaseOne::balanced},
    {"type: III, h: 4", {DdnType::three, 4}, PhaseOne::balanced},
    {"type: IV, h: 4", {DdnType::four, 4}, PhaseOne::balanced},
    {"type: III, h: 2", {DdnType::three, 2}, PhaseOne::balanced},
    {"type: IV, h: 2", {DdnType::four, 2}, PhaseOne::balanced},
    {"type: II, h: 4, phase1: none", {DdnType::two, 4}, PhaseOne::none},
    {"type: IV, h: 4, phase1: none", {DdnType::four, 4}, PhaseOne::none},
    {"type: III, h: 4, phase1: random", {DdnType::three, 4}, PhaseOne::random},
    {"type: III, h: 4, phase3: umesh", {DdnType::three, 4}, PhaseOne::balanced},
};

const std::vector<Scheme> mesh_schemes{
    {"type: I, h: 4", {DdnType::one, 4}, PhaseOne::balanced},
    {"type: II, h: 4", {DdnType::two, 4}, PhaseOne::balanced},
    {"type: II, h: 2, phase1: none", {DdnType::two, 2}, PhaseOne::none},
    {"type: I, h: 4, phase2_mesh: umesh, phase3: umesh", {DdnType::one, 4}, PhaseOne::balanced},
};

/// The given number of simultaneous multicasts from distinct sources.
Demand many(const Topology& topology, int sources, int destinations, Random& random) {
  Demand demand{"multicasts", {}};
  for (int source : random.sample(topology.nodes(), sources)) {
    std::vector<NodeId> others;
    for (int node : random.sample(topology.nodes(), destinations + 1))
      if (node != source && static_cast<int>(others.size()) < destinations)
        others.emplace_back(node);
    Delivery delivery(NodeId(source), others, Bytes{32});
    delivery.release = 0;
    demand.deliveries.push_back(std::move(delivery));
  }
  demand.seed = random.bits();
  return demand;
}

std::vector<NodeId> sources_of(const Demand& demand) {
  std::vector<NodeId> sources;
  for (const Delivery& delivery : demand.deliveries) sources.push_back(delivery.source());
  return sources;
}

}  // namespace

TEST_CASE("the example of section 8.1 proceeds as worked out, on a negative and a positive network",
          "[paper][wang][O-30]") {
  const WangNetwork network(torus({16, 16}));
  const Schedule literal = on_network(network, 5, "phase3: umesh");
  const std::set<std::string> shared{
      "1: 5_6 > 5_7",    "2: 5_7 > 1_3",  "2: 5_7 > 1_15",  "2: 1_3 > 13_3",  "2: 5_7 > 5_3",
      "2: 1_3 > 13_15",  "2: 1_15 > 1_7", "2: 13_3 > 9_15", "2: 9_15 > 9_11", "3: 5_7 > 6_4",
      "3: 1_3 > 0_3",    "3: 1_7 > 2_6",  "3: 1_15 > 3_12", "3: 5_3 > 6_0",   "3: 13_3 > 12_2",
      "3: 9_15 > 10_14", "3: 9_11 > 9_9"};
  std::set<std::string> umesh = shared;
  for (const char* send : {"3: 1_3 > 1_1", "3: 13_15 > 13_13", "3: 13_15 > 15_15"})
    umesh.insert(send);
  CHECK(sends_of(literal, network.topology()) == umesh);
  CHECK(literal.transfers().size() == 20);
  CHECK(literal.steps() == 6);

  std::set<std::string> spu = shared;
  for (const char* send : {"3: 0_3 > 1_1", "3: 13_15 > 15_15", "3: 15_15 > 13_13"})
    spu.insert(send);
  CHECK(sends_of(on_network(network, 5, "phase3: spu"), network.topology()) == spu);

  const Schedule positive = on_network(network, 1, "phase3: umesh");
  std::set<std::string> second;
  for (const std::string& send : sends_of(positive, network.topology()))
    if (send[0] == '2') second.insert(send.substr(3));
  CHECK(second == std::set<std::string>{"5_5 > 13_13", "5_5 > 9_13", "13_13 > 1_5", "5_5 > 9_9",
                                        "13_13 > 1_1", "9_13 > 13_1", "1_5 > 1_13", "1_13 > 5_1"});
}

TEST_CASE("the paths of section 8.1 have the lengths worked out there", "[paper][wang][O-30]") {
  const WangNetwork network(torus({16, 16}));
  const std::map<std::string, std::size_t> hops{
      {"5_6 > 5_7", 1},  {"5_7 > 1_3", 8},   {"5_7 > 1_15", 12},
      {"1_3 > 13_3", 4}, {"5_7 > 5_3", 4},   {"1_3 > 13_15", 8},
      {"1_15 > 1_7", 8}, {"13_3 > 9_15", 8}, {"9_15 > 9_11", 4}};
  const Schedule schedule = on_network(network, 5, "");
  std::size_t compared = 0;
  for (std::size_t i = 0; i < schedule.transfers().size(); ++i) {
    const Transfer& transfer = schedule.transfers()[i];
    const auto known = hops.find(network.topology().label(transfer.from) + " > " +
                                 network.topology().label(transfer.to));
    if (transfer.phase == 3 || known == hops.end()) continue;
    CHECK(untimed_route(schedule, static_cast<int>(i), network.topology(), network.by()).size() ==
          known->second);
    ++compared;
  }
  CHECK(compared == hops.size());
}

TEST_CASE("phase 1 distributes multicasts as in section 8.2", "[paper][wang][O-25]") {
  const Topology network = torus({16, 16});
  const Grid& grid = *network.grid();
  const Partition partition(network, {DdnType::three, 4, 2});
  // Source and its representative; not sorted, since the order is that of positions.
  const std::vector<std::pair<Coordinates, Coordinates>> table{
      {{15, 15}, {14, 14}}, {{0, 0}, {0, 0}}, {{1, 2}, {1, 1}}, {{2, 2}, {2, 2}},
      {{3, 1}, {3, 3}},     {{0, 5}, {0, 6}}, {{1, 6}, {1, 7}}, {{6, 4}, {5, 5}},
      {{2, 15}, {2, 12}},   {{5, 6}, {7, 5}}, {{5, 7}, {4, 4}}};
  std::vector<NodeId> sources;
  for (const auto& row : table) sources.push_back(grid.node(row.first));
  const auto assigned = assign_multicasts(sources, partition, {});
  for (std::size_t i = 0; i < table.size(); ++i)
    CHECK(grid.coordinates(assigned[i].representative) == table[i].second);
}

TEST_CASE("phase 1 assigns equally many multicasts to the networks, near their sources",
          "[paper][wang][O-25]") {
  const Topology network = torus({16, 16});
  Random random(25, "sources");
  for (const DdnType type : {DdnType::one, DdnType::two, DdnType::three, DdnType::four})
    for (const PhaseOneSelf self : {PhaseOneSelf::literal, PhaseOneSelf::prefer})
      for (const int count : {1, 7, 16, 80, 240, 256}) {
        const Partition partition(network, {type, 4});
        const std::vector<NodeId> sources = sources_of(many(network, count, 1, random));
        const auto assigned = assign_multicasts(sources, partition, {PhaseOne::balanced, self, 0});
        std::vector<int> shares(partition.ddns().size(), 0);
        std::map<int, std::map<int, int>> of_block;
        int own = 0;
        for (std::size_t i = 0; i < sources.size(); ++i) {
          ++shares[static_cast<std::size_t>(assigned[i].ddn)];
          ++of_block[partition.dcn_of(sources[i])][assigned[i].ddn];
          CHECK(partition.dcn_of(assigned[i].representative) == partition.dcn_of(sources[i]));
          own += assigned[i].representative == sources[i] ? 1 : 0;
        }
        const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
        CHECK(*most - *least <= 1);
        for (const auto& [block, counts] : of_block) {
          int all = 0;
          for (const auto& [ddn, n] : counts) all += n;
          const int networks = static_cast<int>(partition.ddns().size());
          for (const auto& [ddn, n] : counts) CHECK(n <= (all + networks - 1) / networks);
        }
        if (self == PhaseOneSelf::prefer && count == 256 && type == DdnType::two) CHECK(own == 256);
      }
}

TEST_CASE("every scheme serves each destination once, with the counted number of unicasts",
          "[paper][wang][O-16]") {
  Random random(16, "schemes");
  for (const bool wraps : {true, false}) {
    const WangNetwork network(wraps ? torus({16, 16}) : mesh({16, 16}));
    for (const Scheme& scheme : wraps ? torus_schemes : mesh_schemes) {
      INFO(scheme.parameters);
      const Partition partition(network.topology(), scheme.rule);
      for (const int destinations : {1, 16, 80, 240}) {
        const Demand demand = many(network.topology(), 24, destinations, random);
        const Schedule schedule = network.schedule_of("partitioned", scheme.parameters, demand);
        CHECK(network.judge(schedule).faults.empty());
        const auto assigned = assign_multicasts(
            sources_of(demand), partition, {scheme.phase1, PhaseOneSelf::literal, demand.seed});
        std::size_t counted = 0;
        for (std::size_t i = 0; i < assigned.size(); ++i)
          counted +=
              static_cast<std::size_t>(unicasts(demand.deliveries[i], assigned[i], partition));
        CHECK(schedule.transfers().size() == counted);
        std::set<std::pair<int, NodeId>> received;
        for (const Transfer& transfer : schedule.transfers())
          CHECK(received.emplace(transfer.pieces.front(), transfer.to).second);
      }
    }
  }
}

TEST_CASE(
    "one multicast with a scheme is contention-free in each class of a channel within a step of "
    "phase 2",
    "[paper][wang][O-18]") {
  Random random(18, "schemes");
  const WangNetwork network(torus({16, 16}));
  for (const Scheme& scheme : torus_schemes)
    for (int i = 0; i < 60; ++i) {
      INFO(scheme.parameters);
      const Demand demand = many(network.topology(), 1, 1 + i * 4, random);
      const Schedule schedule = network.schedule_of("partitioned", scheme.parameters, demand);
      std::map<int, std::set<std::tuple<int, int, int>>> used;  // by phase: step, channel, class
      int conflicts = 0;
      for (std::size_t t = 0; t < schedule.transfers().size(); ++t) {
        const Transfer& transfer = schedule.transfers()[t];
        if (transfer.phase != 2) continue;
        for (const Crossing& on :
             untimed_crossings(schedule, static_cast<int>(t), network.topology(), network.by()))
          conflicts +=
              used[2].emplace(transfer.step, on.channel.value(), on.vc_class).second ? 0 : 1;
      }
      CHECK(conflicts == 0);
    }
}

TEST_CASE("a scheme for one multicast takes the steps of section 3.6", "[paper][wang][O-21]") {
  Random random(21, "steps");
  const WangNetwork network(torus({16, 16}));
  const auto steps = [&](const std::string& parameters, const Demand& demand) {
    return network.schedule_of("partitioned", parameters, demand).steps();
  };
  for (int i = 0; i < 20; ++i) {
    const Demand demand = many(network.topology(), 1, 240, random);
    const NodeId source = demand.deliveries.front().source();
    for (const Scheme& scheme : torus_schemes) {
      if (scheme.phase1 != PhaseOne::balanced || scheme.rule.type == DdnType::one) continue;
      const Partition partition(network.topology(), scheme.rule);
      const bool moved =
          assign_multicasts({source}, partition, {}).front().representative != source;
      CHECK(steps(scheme.parameters, demand) == (moved ? 9 : 8));
    }
    CHECK(steps("type: IV, h: 4, phase1: none", demand) == 8);
  }
}

TEST_CASE("with h = 1 the scheme is U-torus", "[paper][wang][O-23]") {
  Random random(23, "degenerate");
  const WangNetwork network(torus({8, 8}));
  for (int i = 0; i < 20; ++i) {
    const Demand demand = many(network.topology(), 4, 20, random);
    const auto links = [&](const Schedule& schedule) {
      std::set<std::tuple<int, int, int, int>> all;
      for (const Transfer& t : schedule.transfers())
        all.emplace(t.pieces.front(), t.from.value(), t.to.value(), t.step);
      return all;
    };
    const auto u_torus = links(network.schedule_of("u_torus", "larger_half: upper", demand));
    for (const std::string type : {"I", "II", "IV"}) {
      const Schedule schedule = network.schedule_of("partitioned", "h: 1, type: " + type, demand);
      CHECK(links(schedule) == u_torus);
      for (const Transfer& transfer : schedule.transfers())
        CHECK(transfer.direction == (type == "IV" ? Direction::positive : Direction::minimal));
    }
  }
}

TEST_CASE("with h equal to the network's width the scheme is the tree of its blocks",
          "[paper][wang][O-24]") {
  Random random(24, "degenerate");
  const WangNetwork network(mesh({8, 8}));
  for (int i = 0; i < 20; ++i) {
    const Demand demand = many(network.topology(), 4, 20, random);
    const Schedule schedule =
        network.schedule_of("partitioned", "h: 8, type: II, phase1: none, phase3: umesh", demand);
    const Schedule umesh = network.schedule_of("recursive_doubling", "larger_half: upper", demand);
    REQUIRE(schedule.transfers().size() == umesh.transfers().size());
    std::set<std::tuple<int, int, int>> ours;
    std::set<std::tuple<int, int, int>> theirs;
    for (const Transfer& t : schedule.transfers()) {
      CHECK(t.phase == 3);
      ours.emplace(t.pieces.front(), t.from.value(), t.to.value());
    }
    for (const Transfer& t : umesh.transfers())
      theirs.emplace(t.pieces.front(), t.from.value(), t.to.value());
    CHECK(ours == theirs);
  }
}

TEST_CASE("the number of blocks with destinations is that expected by the formula of section 3.3",
          "[paper][wang][O-29]") {
  const std::map<int, std::vector<std::pair<int, double>>> table{
      {4, {{16, 10.486}, {48, 15.485}, {80, 15.968}, {112, 15.999}, {176, 16.0}, {240, 16.0}}},
      {2, {{16, 14.639}, {48, 36.260}, {80, 49.855}, {112, 57.710}, {176, 63.421}, {240, 63.999}}}};
  const Topology network = torus({16, 16});
  for (const auto& [h, rows] : table) {
    const Partition partition(network, {DdnType::one, h});
    for (const auto& [count, expected] : rows) {
      Random random(29, "blocks", static_cast<std::uint64_t>(count));
      const int sets = 2000;
      double sum = 0;
      for (int i = 0; i < sets; ++i) {
        std::set<int> blocks;
        const Demand demand = random_multicast(network, random, count);
        for (NodeId node : demand.deliveries.front().destinations)
          blocks.insert(partition.dcn_of(node));
        sum += static_cast<double>(blocks.size());
      }
      CHECK(std::abs(sum / sets - expected) < 0.01 * expected);
    }
  }
}

TEST_CASE("invalid schemes are rejected", "[paper][wang][O-13]") {
  const WangNetwork ring(torus({16, 16}));
  Random random(13, "rejected");
  const Demand demand = many(ring.topology(), 2, 4, random);
  const auto rejected = [&](const std::string& parameters) {
    return rejection([&] { ring.schedule_of("partitioned", parameters, demand); });
  };
  CHECK(has(rejected("type: I, h: 4, phase1: none"), {"phase1", "type I", "II or IV"}));
  CHECK(has(rejected("type: III, h: 4, phase1: none"), {"phase1", "type III"}));
  CHECK(has(rejected("type: I, h: 5"), {"h", "5", "16"}));
}

}  // namespace wang_2001_scheme_test
