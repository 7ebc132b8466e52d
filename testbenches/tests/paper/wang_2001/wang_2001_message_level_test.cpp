// testbenches/tests/paper/wang_2001/wang_2001_message_level_test.cpp: Wang et al. 2001's times
// without distances.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include "algorithms/partition/phase_one.hpp"
#include "algorithms/untimed/message_level_schedule.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/paper/wang_2001/wang_2001.hpp"

namespace wang_2001_message_level_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

constexpr Cycle send = 300;
constexpr Cycle length = 32;

/// The time at which each transfer was done and each destination served.
struct Timed {
  std::vector<LevelTimes> transfers;
  Cycle last = 0;
  double mean = 0;  ///< Over all destinations.
};

Timed timed(const WangNetwork& network, const Schedule& schedule, StartUp startup, Cycle hop = 0) {
  const int vcs = network.by().vc_classes();
  MessageLevelParams params;
  params.startup = startup;
  params.send = send;
  params.hop = hop;
  const MessageLevel model(level_messages(schedule, network.topology(), network.by(),
                                          [](const Transfer&) { return length; }),
                           network.topology().nodes(),
                           level_capacities(network.topology(), network.by(), vcs), params);
  Timed result;
  result.transfers = model.run();
  std::map<NodeId, Cycle> done;
  for (std::size_t i = 0; i < result.transfers.size(); ++i) {
    REQUIRE(result.transfers[i].done > 0);
    done[schedule.transfers()[i].to] = result.transfers[i].done;
    result.last = std::max(result.last, result.transfers[i].done);
  }
  const auto& destinations = schedule.demand().deliveries.front().destinations;
  for (NodeId node : destinations) result.mean += static_cast<double>(done.at(node));
  result.mean /= static_cast<double>(destinations.size());
  return result;
}

const std::vector<StartUp> all_startups{StartUp::overlapped, StartUp::serialized,
                                        StartUp::path_held};
const std::string u_torus = "larger_half: upper";
const std::string spu = "chain: rotated, larger_half: upper";
const std::string u_mesh = "larger_half: upper";

/// Arrivals of the example of section 8.1.
std::map<std::string, Cycle> arrivals(const Schedule& schedule, const Timed& run,
                                      const Topology& topology) {
  std::map<std::string, Cycle> done;
  for (std::size_t i = 0; i < run.transfers.size(); ++i)
    done[topology.label(schedule.transfers()[i].to)] = run.transfers[i].done;
  return done;
}

}  // namespace

TEST_CASE("one multicast with U-torus, SPU or U-mesh takes the paper's time, without distance",
          "[paper][wang][O-20]") {
  const WangNetwork ring(torus({16, 16}));
  const WangNetwork flat(mesh({16, 16}));
  Random random(20, "alone");
  const std::map<int, Cycle> table{{1, 332}, {7, 996}, {15, 1328}, {80, 2324}, {240, 2656}};
  for (const auto& [count, time] : table)
    for (int i = 0; i < 25; ++i) {
      const Demand demand = random_multicast(ring.topology(), random, count);
      for (const StartUp startup : all_startups) {
        CHECK(timed(ring, ring.schedule_of("u_torus", u_torus, demand), startup).last == time);
        CHECK(timed(flat, flat.schedule_of("recursive_doubling", spu, demand), startup).last ==
              time);
        const Cycle in_place =
            timed(flat, flat.schedule_of("recursive_doubling", u_mesh, demand), startup).last;
        if (startup != StartUp::overlapped || count == 1 || count == 7 || count == 15)
          CHECK(in_place == time);
        else if (count == 80)
          CHECK((in_place == 1992 || in_place == 2024 || in_place == 2324));
        else
          CHECK((in_place == 2356 || in_place == 2656));
      }
    }
}

TEST_CASE("one multicast with a scheme takes the time of nine steps, or of eight without phase 1",
          "[paper][wang][O-21]") {
  const WangNetwork network(torus({16, 16}));
  Random random(21, "alone");
  for (const auto& [parameters, rule] :
       std::vector<std::pair<std::string, PartitionRule>>{{"type: III, h: 4", {DdnType::three, 4}},
                                                          {"type: IV, h: 4", {DdnType::four, 4}},
                                                          {"type: II, h: 4", {DdnType::two, 4}},
                                                          {"type: III, h: 2", {DdnType::three, 2}}})
    for (int i = 0; i < 25; ++i) {
      const Demand demand = random_multicast(network.topology(), random, 240);
      const NodeId source = demand.deliveries.front().source();
      const Partition partition(network.topology(), rule);
      const bool moved =
          assign_multicasts({source}, partition, {}).front().representative != source;
      const Schedule schedule = network.schedule_of("partitioned", parameters, demand);
      CHECK(timed(network, schedule, StartUp::serialized).last == (moved ? 2988 : 2656));
    }
  const Demand demand = random_multicast(network.topology(), random, 240);
  CHECK(timed(network, network.schedule_of("partitioned", "type: IV, h: 4, phase1: none", demand),
              StartUp::serialized)
            .last == 2656);
}

TEST_CASE("the mean over destinations distinguishes overlapped from serialized start-ups",
          "[paper][wang][O-22]") {
  const WangNetwork ring(torus({16, 16}));
  const WangNetwork flat(mesh({16, 16}));
  Random random(22, "alone");
  const std::map<int, std::pair<double, double>> table{{7, {806.29, 592.00}},
                                                       {15, {1084.53, 744.53}},
                                                       {80, {1826.00, 1218.50}},
                                                       {240, {2314.32, 1449.32}}};
  const auto same = [](double mean, double expected) {
    return std::abs(mean - expected) < 0.00501;  // two decimals
  };
  for (const auto& [count, means] : table)
    for (int i = 0; i < 25; ++i) {
      const Demand demand = random_multicast(ring.topology(), random, count);
      const Schedule torus_tree = ring.schedule_of("u_torus", u_torus, demand);
      const Schedule rotated = flat.schedule_of("recursive_doubling", spu, demand);
      const Schedule in_place = flat.schedule_of("recursive_doubling", u_mesh, demand);
      CHECK(same(timed(ring, torus_tree, StartUp::serialized).mean, means.first));
      CHECK(same(timed(flat, rotated, StartUp::serialized).mean, means.first));
      CHECK(same(timed(flat, in_place, StartUp::serialized).mean, means.first));
      CHECK(same(timed(ring, torus_tree, StartUp::overlapped).mean, means.second));
      CHECK(same(timed(flat, rotated, StartUp::overlapped).mean, means.second));
    }
}

TEST_CASE("the example of section 8.1 has the times worked out there", "[paper][wang][O-30]") {
  const WangNetwork network(torus({16, 16}));
  const Demand demand = example_of_8_1(network.topology(), 5);
  const Schedule schedule = network.schedule_of(
      "partitioned", "type: III, h: 4, delta: 2, phase1: random, phase3: umesh", demand);

  const Timed serialized = timed(network, schedule, StartUp::serialized);
  CHECK(arrivals(schedule, serialized, network.topology()) ==
        std::map<std::string, Cycle>{
            {"5_7", 332},    {"1_3", 664},   {"1_15", 996},   {"13_3", 996},   {"1_7", 1328},
            {"5_3", 1328},   {"9_15", 1328}, {"13_15", 1328}, {"9_11", 1660},  {"0_3", 1660},
            {"2_6", 1660},   {"3_12", 1660}, {"6_0", 1660},   {"6_4", 1660},   {"12_2", 1660},
            {"13_13", 1660}, {"1_1", 1992},  {"9_9", 1992},   {"10_14", 1992}, {"15_15", 1992}});
  CHECK(serialized.mean == 1660);

  const Timed overlapped = timed(network, schedule, StartUp::overlapped);
  CHECK(arrivals(schedule, overlapped, network.topology()) ==
        std::map<std::string, Cycle>{
            {"5_7", 332},    {"1_3", 664},    {"1_15", 696},  {"5_3", 728},    {"6_4", 760},
            {"13_3", 996},   {"13_15", 1028}, {"1_7", 1028},  {"0_3", 1060},   {"3_12", 1060},
            {"6_0", 1060},   {"1_1", 1092},   {"9_15", 1328}, {"2_6", 1360},   {"12_2", 1360},
            {"13_13", 1360}, {"15_15", 1392}, {"9_11", 1660}, {"10_14", 1692}, {"9_9", 1992}});
  CHECK(overlapped.mean == 1210);

  const Schedule u_torus_tree = network.schedule_of("u_torus", u_torus, demand);
  const Timed alone = timed(network, u_torus_tree, StartUp::serialized);
  CHECK(alone.last == 1328);
  CHECK(std::abs(alone.mean - 1023.67) < 0.00501);
  CHECK(std::abs(timed(network, u_torus_tree, StartUp::overlapped).mean - 773.67) < 0.00501);
}

TEST_CASE("with one cycle per hop a message takes its start-up, its path and its flits",
          "[paper][wang]") {
  const WangNetwork network(torus({16, 16}));
  Random random(3, "hops");
  for (int i = 0; i < 50; ++i) {
    const Demand demand = random_multicast(network.topology(), random, 1);
    const Schedule schedule = network.schedule_of("u_torus", u_torus, demand);
    const auto hops = untimed_route(schedule, 0, network.topology(), network.by()).size();
    for (const StartUp startup : all_startups)
      CHECK(timed(network, schedule, startup, 1).last == send + length + static_cast<Cycle>(hops));
  }
}

}  // namespace wang_2001_message_level_test
