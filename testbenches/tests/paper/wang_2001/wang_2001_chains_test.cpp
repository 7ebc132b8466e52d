// testbenches/tests/paper/wang_2001/wang_2001_chains_test.cpp: Wang et al. 2001's U-mesh, U-torus
// and SPU alone.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <tuple>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "algorithms/deadlock/deadlock.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/paper/wang_2001/wang_2001.hpp"
#include "testbenches/tests/paper/wang_2001/wang_2001_rows.hpp"

namespace wang_2001_chains_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

const std::string u_mesh = wang_rows::u_mesh;
const std::string spu = wang_rows::spu;
const std::string u_torus = wang_rows::u_torus;

/// "4_2 > 0_3": sender and receiver, by step.
using Tree = std::map<int, std::set<std::string>>;

Tree tree_of_steps(const Schedule& schedule, const Topology& topology) {
  Tree tree;
  for (const Transfer& transfer : schedule.transfers())
    tree[transfer.step].insert(topology.label(transfer.from) + " > " + topology.label(transfer.to));
  return tree;
}

/// The multicast of figure 4 and section 4.2, on 8 x 8.
Demand example_of_figure_4(const Grid& grid) {
  std::vector<NodeId> destinations;
  for (const Coordinates& at :
       std::vector<Coordinates>{{0, 3}, {1, 1}, {2, 6}, {3, 4}, {5, 7}, {6, 0}, {6, 4}})
    destinations.push_back(grid.node(at));
  return multicast_from(grid.node({4, 2}), destinations);
}

const Tree figure_4a{{1, {"4_2 > 0_3"}},
                     {2, {"4_2 > 6_0", "0_3 > 2_6"}},
                     {3, {"4_2 > 5_7", "6_0 > 6_4", "0_3 > 1_1", "2_6 > 3_4"}}};
const Tree figure_4b{{1, {"4_2 > 3_4"}},
                     {2, {"4_2 > 6_0", "3_4 > 1_1"}},
                     {3, {"4_2 > 5_7", "6_0 > 6_4", "1_1 > 0_3", "3_4 > 2_6"}}};

/// The number of random multicasts with transfers of a step that share a class of a channel, and of
/// those with transfers of different steps that may share one.
struct Conflicts {
  int in_steps = 0;
  int between_steps = 0;
  int channels = 0;  ///< Multicasts in which two worms of a step share a channel, in any class.
  int worms = 1;     ///< Maximum in a step on one class of a channel.
};

/// Maximum number of transfers of a step on one class of a channel.
int most_worms(const Untimed& judged) {
  std::map<std::tuple<int, ChannelId, int>, int> others;  // of the first transfer there
  int most = 1;
  for (const Contention& contention : judged.class_contentions)
    most = std::max(most, 1 + ++others[{contention.step, contention.channel, contention.first}]);
  return most;
}

Conflicts conflicts_of(const WangNetwork& network, const std::string& kind,
                       const std::string& parameters, int multicasts) {
  Random random(2001, "chains");
  Conflicts found;
  for (int i = 0; i < multicasts; ++i) {
    const Demand demand = random_multicast(network.topology(), random);
    const Judged judged = network.judge(network.schedule_of(kind, parameters, demand));
    REQUIRE(judged.faults.empty());
    REQUIRE(judged.overlapping.has_value());
    found.in_steps += judged.class_contentions.empty() ? 0 : 1;
    found.between_steps += judged.overlapping->empty() ? 0 : 1;
    found.worms = std::max(found.worms, most_worms(judged));
    found.channels += judged.contentions.empty() ? 0 : 1;
  }
  return found;
}

Topology grid_of(const std::vector<int>& shape, bool wraps) {
  return wraps ? torus(shape) : mesh(shape);
}

}  // namespace

TEST_CASE("the trees of figure 4 are those of U-torus, SPU and U-mesh", "[paper][wang][O-14]") {
  const WangNetwork ring(torus({8, 8}));
  const WangNetwork flat(mesh({8, 8}));
  const Demand demand = example_of_figure_4(ring.grid());
  const auto traffic = [](const WangNetwork& network, const Schedule& schedule) {
    const Judged judged = network.judge(schedule);
    CHECK(judged.contentions.empty());  // even with one class of virtual channels
    return judged.traffic;
  };

  for (const auto& [direction, hops] :
       {std::pair<std::string, int>{"minimal", 28}, {"positive", 42}}) {
    const Schedule tree =
        ring.schedule_of("u_torus", u_torus + ", direction: " + direction, demand);
    CHECK(tree_of_steps(tree, ring.topology()) == figure_4a);
    CHECK(traffic(ring, tree) == hops);
  }
  const Schedule rotated = flat.schedule_of("recursive_doubling", spu, demand);
  CHECK(tree_of_steps(rotated, flat.topology()) == figure_4a);
  CHECK(traffic(flat, rotated) == 30);
  const Schedule in_place = flat.schedule_of("recursive_doubling", u_mesh, demand);
  CHECK(tree_of_steps(in_place, flat.topology()) == figure_4b);
  CHECK(traffic(flat, in_place) == 28);
}

TEST_CASE("the odd sizes of section 4.6 are split as worked out there", "[paper][wang][O-14]") {
  const WangNetwork ring(torus({8, 8}));
  const WangNetwork flat(mesh({8, 8}));
  const Grid& grid = ring.grid();
  std::vector<NodeId> destinations;
  for (const Coordinates& at : std::vector<Coordinates>{{0, 1}, {0, 3}, {1, 1}, {3, 0}, {3, 3}})
    destinations.push_back(grid.node(at));
  const NodeId source = grid.node({2, 2});
  const Tree six{
      {1, {"2_2 > 0_1"}}, {2, {"2_2 > 3_0", "0_1 > 0_3"}}, {3, {"3_0 > 3_3", "0_3 > 1_1"}}};

  CHECK(tree_of_steps(ring.schedule_of("u_torus", u_torus, multicast_from(source, destinations)),
                      ring.topology()) == six);
  destinations.push_back(grid.node({1, 2}));
  const Tree seven{{1, {"2_2 > 1_1"}},
                   {2, {"2_2 > 3_0", "1_1 > 0_1"}},
                   {3, {"2_2 > 1_2", "3_0 > 3_3", "1_1 > 0_3"}}};
  CHECK(tree_of_steps(
            flat.schedule_of("recursive_doubling", u_mesh, multicast_from(source, destinations)),
            flat.topology()) == seven);
}

TEST_CASE("SPU's tree is that of U-torus", "[paper][wang][O-15]") {
  const WangNetwork ring(torus({16, 16}));
  const WangNetwork flat(mesh({16, 16}));
  Random random(15, "trees");
  for (int i = 0; i < 100; ++i) {
    const Demand demand = random_multicast(ring.topology(), random);
    REQUIRE(tree_of_steps(ring.schedule_of("u_torus", u_torus, demand), ring.topology()) ==
            tree_of_steps(flat.schedule_of("recursive_doubling", spu, demand), flat.topology()));
  }
}

TEST_CASE("the chains take the logarithm of the number of nodes in steps, from any source",
          "[paper][wang][O-17]") {
  const WangNetwork ring(torus({8, 8}));
  const WangNetwork flat(mesh({8, 8}));
  Random random(17, "steps");
  for (int count = 1; count < 64; ++count)
    for (int i = 0; i < 4; ++i) {
      const Demand demand = random_multicast(ring.topology(), random, count);
      const int steps = ceil_log(2, count + 1);
      REQUIRE(ring.schedule_of("u_torus", u_torus, demand).steps() == steps);
      REQUIRE(flat.schedule_of("recursive_doubling", spu, demand).steps() == steps);
      REQUIRE(flat.schedule_of("recursive_doubling", u_mesh, demand).steps() == steps);
    }
}

TEST_CASE("chains sorted in the order of their routing share no class of a channel",
          "[paper][wang][O-18]") {
  for (const WangRow& row : wang_rows::without_conflict())
    for (const auto& [shape, multicasts] : {std::pair<std::vector<int>, int>{{8, 8}, 200},
                                            {{8, 12}, 100},
                                            {{5, 7}, 200},
                                            {{16, 16}, 40}}) {
      INFO(row.kind << " {" << row.parameters << "} under {" << row.routing << "} on " << shape[0]
                    << " x " << shape[1]);
      const WangNetwork network(grid_of(shape, row.wraps), row.routing);
      const Conflicts found = conflicts_of(network, row.kind, row.parameters, multicasts);
      CHECK(found.in_steps == 0);
      CHECK(found.between_steps == 0);
    }
}

TEST_CASE("no multicast on 3 x 3 and 3 x 4 contends with itself in a class of a channel",
          "[paper][wang][O-18][.long]") {
  for (const WangRow& row : wang_rows::without_conflict())
    for (const std::vector<int>& shape : std::vector<std::vector<int>>{{3, 3}, {3, 4}}) {
      INFO(row.kind << " {" << row.parameters << "} under {" << row.routing << "}");
      const WangNetwork network(grid_of(shape, row.wraps), row.routing);
      const int nodes = network.topology().nodes();
      for (int source = 0; source < nodes; ++source)
        for (unsigned set = 1; set < 1U << nodes; ++set) {
          if ((set >> source & 1U) != 0) continue;
          std::vector<NodeId> destinations;
          for (int node = 0; node < nodes; ++node)
            if ((set >> node & 1U) != 0) destinations.emplace_back(node);
          const Judged judged = network.judge(network.schedule_of(
              row.kind, row.parameters, multicast_from(NodeId(source), destinations)));
          REQUIRE(judged.class_contentions.empty());
          REQUIRE(judged.overlapping->empty());
        }
    }
}

// Section 4.5 has contention in 35 to 58 % of the multicasts. Its sizes are not stated; here they
// are uniform.
TEST_CASE("chains that do not match their routing have contention in many multicasts",
          "[paper][wang][O-18]") {
  for (const auto& [row, least_worms, most_worms] : wang_rows::with_conflicts()) {
    INFO(row.kind << " {" << row.parameters << "} under {" << row.routing << "}");
    const WangNetwork network(grid_of({16, 16}, row.wraps), row.routing);
    const int multicasts = 100;
    const Conflicts found = conflicts_of(network, row.kind, row.parameters, multicasts);
    CHECK(found.in_steps >= 0.3 * multicasts);
    CHECK(found.worms >= least_worms);
    CHECK(found.worms <= most_worms);
  }
}

TEST_CASE("worms of a step of U-torus share channels, but no class of them",
          "[paper][wang][O-18]") {
  const WangNetwork network(torus({16, 16}));
  const Conflicts found = conflicts_of(network, "u_torus", u_torus, 40);
  CHECK(found.in_steps == 0);
  CHECK(found.channels > 0);
}

TEST_CASE("packets of all directions together are deadlock-free with two classes, but not with one",
          "[paper][wang][O-19]") {
  const std::vector<Direction> all{Direction::mesh, Direction::minimal, Direction::positive,
                                   Direction::negative};
  const auto verdict = [&](const WangNetwork& network, const std::vector<Direction>& directions) {
    return check_dependencies(network.topology(), network.by(), {}, directions).verdict;
  };
  for (const std::vector<int>& shape : std::vector<std::vector<int>>{{4, 4}, {5, 6}, {8, 8}})
    for (const std::string order : {"order: [0, 1]", "order: [1, 0]"}) {
      CHECK(verdict(WangNetwork(mesh(shape), order), {}) == DependencyVerdict::acyclic);
      for (const std::string rule : {"remaining_wrap", "after_crossing"})
        CHECK(verdict(WangNetwork(torus(shape), order + ", vc_rule: " + rule), all) ==
              DependencyVerdict::acyclic);
      const WangNetwork one_class(torus(shape), order + ", direction: mesh, vc_rule: none");
      CHECK(verdict(one_class, {}) == DependencyVerdict::acyclic);
      CHECK(verdict(one_class, {Direction::mesh}) == DependencyVerdict::acyclic);
      CHECK(verdict(one_class, {Direction::minimal}) == DependencyVerdict::cyclic);
      CHECK(verdict(one_class, {Direction::positive}) == DependencyVerdict::cyclic);
    }
}

TEST_CASE("the check of packets of several directions finds what following each packet finds",
          "[paper][wang][O-19]") {
  const WangNetwork network(torus({5, 4}), "vc_rule: after_crossing");
  std::set<std::tuple<int, int, int, int>> followed;
  const std::vector<std::optional<Direction>> rules{std::nullopt, Direction::mesh,
                                                    Direction::positive, Direction::negative};
  for (const auto& rule : rules)
    for (int from = 0; from < network.topology().nodes(); ++from)
      for (int to = 0; to < network.topology().nodes(); ++to) {
        const auto hops =
            crossings(network.by(), network.topology(), {NodeId(from), NodeId(to), 0, 0, rule});
        for (std::size_t i = 1; i < hops.size(); ++i)
          followed.emplace(hops[i - 1].channel.value(), hops[i - 1].vc_class,
                           hops[i].channel.value(), hops[i].vc_class);
      }
  CHECK(check_dependencies(network.topology(), network.by(), {},
                           {Direction::mesh, Direction::positive, Direction::negative})
            .dependencies == static_cast<std::int64_t>(followed.size()));
}

}  // namespace wang_2001_chains_test
