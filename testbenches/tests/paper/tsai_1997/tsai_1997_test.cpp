// testbenches/tests/paper/tsai_1997/tsai_1997_test.cpp: results that Tsai 1997 prints of EDN and
// recursive doubling.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "algorithms/edn/eds_tower.hpp"
#include "algorithms/edn/mesh_2d.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace tsai_1997_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// A square mesh with XY routing and nodes of three ports, as in section 3.3.3.
struct SquareMesh {
  explicit SquareMesh(int width) : network(mesh({width, width})) {}

  Schedule plan(const std::string& kind, int root, const std::string& parameters = "") const {
    return schedule(kind, parameters, broadcast_from(NodeId(root), network), {network, *xy, 3});
  }
  Untimed judged(const Schedule& plan) const { return evaluate(plan, network, *xy, 3); }

  /// Mean number of channels per transfer over all roots.
  double mean_path(const std::string& kind, const std::string& parameters = "") const {
    double sum = 0;
    for (int root = 0; root < network.nodes(); ++root)
      sum += judged(plan(kind, root, parameters)).mean_path;
    return sum / network.nodes();
  }

  Topology network;
  std::unique_ptr<RoutingFunction> xy = routing("dimension_order", network);
};

using Places = std::set<std::pair<int, int>>;

Places places(const Grid& grid, const std::vector<NodeId>& nodes) {
  Places found;
  for (NodeId node : nodes) found.emplace(grid.coordinate(node, 0), grid.coordinate(node, 1));
  return found;
}

/// Nodes without channels, which suffice for a tower.
Topology nodes_only(int width) { return Topology(Grid({width, width}, {false, false})); }

int hops(const Grid& grid, const std::vector<EdsLink>& links) {
  int sum = 0;
  for (const EdsLink& link : links) sum += grid.distance(link.parent, link.child);
  return sum;
}

bool share_a_channel(const std::vector<ChannelId>& a, const std::vector<ChannelId>& b) {
  return std::any_of(a.begin(), a.end(), [&](ChannelId channel) {
    return std::find(b.begin(), b.end(), channel) != b.end();
  });
}

/// The plan with one delivery of the last step moved to `step` and sent by a sender of that step,
/// so that it has a conflict with exactly one other transfer: the plan, and the two transfers.
struct Planted {
  Schedule plan;
  int first;
  int second;
};
std::optional<Planted> plant_conflict(const SquareMesh& square, const Schedule& plan, int step) {
  const std::vector<Transfer>& all = plan.transfers();
  for (std::size_t moved = 0; moved < all.size(); ++moved)
    for (std::size_t other = 0; other < all.size(); ++other) {
      if (all[moved].step != plan.steps() || all[other].step != step || moved == other) continue;
      const auto route = path(*square.xy, square.network, {all[other].from, all[moved].to});
      std::vector<std::size_t> conflicting;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (i != moved && all[i].step == step &&
            share_a_channel(route, path(*square.xy, square.network, {all[i].from, all[i].to})))
          conflicting.push_back(i);
      if (conflicting.size() != 1) continue;
      Schedule spoiled(plan.demand());
      for (std::size_t i = 0; i < all.size(); ++i)
        if (i == moved)
          spoiled.send(0, all[other].from, all[i].to, step);
        else
          spoiled.send(0, all[i].from, all[i].to, all[i].step);
      return Planted{spoiled, static_cast<int>(std::min(moved, conflicting[0])),
                     static_cast<int>(std::max(moved, conflicting[0]))};
    }
  return std::nullopt;
}

}  // namespace

TEST_CASE(
    "EDN broadcast takes k + 3 steps on a mesh of width 4 * 2^k, from every source, without "
    "contention within a step",
    "[paper][untimed]") {
  const auto [width, steps] = GENERATE(table<int, int>({{4, 3}, {8, 4}, {16, 5}, {32, 6}}));
  const SquareMesh square(width);

  const int stride = test::instrumented ? width - 1 : 1;
  for (int root = 0; root < square.network.nodes(); root += stride) {
    const Untimed run = square.judged(square.plan("edn", root));
    REQUIRE(run.faults == std::vector<std::string>{});
    REQUIRE(run.contentions.empty());
    REQUIRE(run.steps == steps);  // table 3.1
  }
}

TEST_CASE("a conflict inserted in any step of an EDN broadcast is found", "[paper][untimed]") {
  const int width = GENERATE(4, 8, 16);
  const SquareMesh square(width);
  const Schedule plan = square.plan("edn", width + 1);

  for (int step = 1; step <= plan.steps(); ++step) {
    const std::optional<Planted> spoiled = plant_conflict(square, plan, step);
    REQUIRE(spoiled);
    const Untimed run = square.judged(spoiled->plan);
    REQUIRE_FALSE(run.contentions.empty());
    for (const Contention& contention : run.contentions) {
      REQUIRE(contention.step == step);
      REQUIRE(contention.first == spoiled->first);
      REQUIRE(contention.second == spoiled->second);
    }
  }
}

TEST_CASE(
    "a 4x4 mesh has two dominating sets of four nodes and none smaller; the unit block is one of "
    "the two",
    "[paper][O1][untimed]") {
  const Topology network = mesh({4, 4});
  std::vector<unsigned> closed(16, 0);  // each node and its neighbours, as bits
  for (unsigned node = 0; node < 16; ++node) closed[node] = 1u << node;
  for (int channel = 0; channel < network.channels(); ++channel) {
    const ChannelEnds& ends = network.channel(ChannelId(channel));
    closed[ends.from.index()] |= 1u << ends.to.value();
  }
  std::set<unsigned> sets;
  for (unsigned set = 0; set < 1u << 16; ++set) {
    unsigned covered = 0;
    int members = 0;
    for (unsigned node = 0; node < 16; ++node)
      if ((set >> node & 1) != 0) {
        covered |= closed[node];
        ++members;
      }
    if (members <= 4 && covered == 0xffff) sets.insert(set);
  }

  const EdsTower tower = square_mesh_tower(network);
  unsigned tops = 0;
  for (NodeId top : tower.tops()) tops |= 1u << top.value();
  REQUIRE(sets.size() == 2);  // figure 3.6
  REQUIRE(sets.count(tops) == 1);
  REQUIRE(places(*network.grid(), tower.tops()) == Places{{1, 0}, {3, 1}, {0, 2}, {2, 3}});
}

TEST_CASE("the top nodes are at the coordinates of appendix A", "[paper][O4][untimed]") {
  const std::map<int, Places> tops{{8, {{1, 0}, {6, 0}, {2, 7}, {5, 7}}},
                                   {16, {{2, 7}, {13, 7}, {5, 8}, {10, 8}}},
                                   {32, {{5, 8}, {26, 8}, {10, 23}, {21, 23}}},
                                   {64, {{10, 23}, {53, 23}, {21, 40}, {42, 40}}},
                                   {128, {{21, 40}, {106, 40}, {42, 87}, {85, 87}}},
                                   {256, {{42, 87}, {213, 87}, {85, 168}, {170, 168}}},
                                   {512, {{85, 168}, {426, 168}, {170, 343}, {341, 343}}}};
  for (const auto& [width, expected] : tops) {
    const Topology network = nodes_only(width);
    REQUIRE(places(*network.grid(), square_mesh_tower(network).tops()) == expected);
  }
}

TEST_CASE("the level below the tops of a 16x16 mesh is two patterns above two mirrored patterns",
          "[paper][untimed]") {
  const Topology network = nodes_only(16);

  // Section 3.3.2, figure 3.9
  REQUIRE(places(*network.grid(), square_mesh_tower(network).members(2)) == Places{{1, 0},
                                                                                   {6, 0},
                                                                                   {2, 7},
                                                                                   {5, 7},
                                                                                   {9, 0},
                                                                                   {14, 0},
                                                                                   {10, 7},
                                                                                   {13, 7},
                                                                                   {1, 15},
                                                                                   {6, 15},
                                                                                   {2, 8},
                                                                                   {5, 8},
                                                                                   {9, 15},
                                                                                   {14, 15},
                                                                                   {10, 8},
                                                                                   {13, 8}});
}

TEST_CASE(
    "each level has a quarter of the nodes of the level below, and serves the other nodes of it",
    "[paper][O5][untimed]") {
  for (int width : {4, 8, 16, 32, 64}) {
    const EdsTower tower = square_mesh_tower(nodes_only(width));
    std::size_t size = static_cast<std::size_t>(width * width);
    for (int level = 0; level <= tower.height(); ++level, size /= 4) {
      REQUIRE(tower.members(level).size() == size);
      if (level > 0) REQUIRE(tower.descent(level).size() == 3 * size);
    }
    REQUIRE(tower.tops().size() == 4);
  }
}

TEST_CASE("the total length of the links from the tops is the minimum of all assignments",
          "[paper][untimed]") {
  // Minimum totals found by search; the drawings of the source are lost.
  const std::map<int, int> totals{{4, 12},   {8, 40},    {16, 80},    {32, 112},
                                  {64, 272}, {128, 496}, {256, 1040}, {512, 2032}};
  for (const auto& [width, total] : totals) {
    const Topology network = nodes_only(width);
    const EdsTower tower = square_mesh_tower(network);
    REQUIRE(hops(*network.grid(), tower.descent(tower.height())) == total);
  }
}

TEST_CASE("the links of every level are disjoint under XY routing, up to 64x64",
          "[paper][untimed]") {
  const Topology network = mesh({64, 64});
  const auto xy = routing("dimension_order", network);
  const EdsTower tower = square_mesh_tower(network);

  for (int level = 1; level <= tower.height(); ++level) {
    std::vector<int> load(static_cast<std::size_t>(network.channels()), 0);
    for (const EdsLink& link : tower.descent(level))
      for (ChannelId channel : path(*xy, network, {link.parent, link.child}))
        ++load[channel.index()];
    REQUIRE(*std::max_element(load.begin(), load.end()) == 1);
  }
}

TEST_CASE("on 16x16, 4, 16, 64 and 256 nodes have the message after steps 2 to 5",
          "[paper][O6][untimed]") {
  const SquareMesh square(16);
  for (int root = 0; root < 256; ++root) {
    const Untimed run = square.judged(square.plan("edn", root));
    std::vector<int> holding;
    int holders = 1;
    for (int transfers : run.transfers_per_step) holding.push_back(holders += transfers);
    REQUIRE(holding.size() == 5);
    REQUIRE(holding[1] >= 4);
    REQUIRE(holding[2] >= 16);
    REQUIRE(holding[3] >= 64);
    REQUIRE(holding[4] == 256);
  }
}

TEST_CASE(
    "EDN never takes more steps than recursive doubling, takes one more than the lower bound, and "
    "the same number from every source",
    "[paper][Q1][Q2][untimed]") {
  for (int width : {4, 8, 16, 32}) {
    const SquareMesh square(width);
    const int nodes = square.network.nodes();
    std::set<int> steps;
    for (int root = 0; root < nodes; root += width - 1)
      steps.insert(square.plan("edn", root).steps());
    REQUIRE(steps.size() == 1);
    REQUIRE(*steps.begin() == ceil_log(4, nodes) + 1);
    REQUIRE(*steps.begin() <= square.plan("recursive_doubling", 0).steps());
  }
}

TEST_CASE("in the last EDN step three quarters of the nodes receive from a neighbour",
          "[paper][Q7][untimed]") {
  for (int width : {4, 8, 16, 32}) {
    const SquareMesh square(width);
    const int nodes = square.network.nodes();
    const EdsTower tower = square_mesh_tower(square.network);
    for (int root : {0, width + 1, nodes - 1}) {
      const Schedule plan = square.plan("edn", root);
      int from_neighbour = 0;
      for (const Transfer& transfer : plan.transfers())
        if (transfer.step == plan.steps()) {
          REQUIRE(square.network.grid()->distance(transfer.from, transfer.to) == 1);
          ++from_neighbour;
        }
      const std::vector<NodeId>& senders = tower.members(1);
      const bool root_sends = std::binary_search(senders.begin(), senders.end(), NodeId(root));
      REQUIRE(from_neighbour == nodes * 3 / 4 - (root_sends ? 0 : 1));
    }
  }
}

TEST_CASE(
    "EDN paths have 1.86 channels on average on 32x32, fewer than those of recursive doubling",
    "[paper][Q6][untimed]") {
  // The whole tree and the mean start-up, as section 3.3.5 counts; the parent of a root leaves the
  // root out.
  const std::map<int, double> means{{8, 1.69}, {16, 1.79}, {32, 1.860}};
  for (const auto& [width, mean] : means) {
    if (test::instrumented && width > 16) break;
    const SquareMesh square(width);
    const int nodes = square.network.nodes();
    const EdsTower tower = square_mesh_tower(square.network);
    int tree = 0;
    for (int level = 1; level <= tower.height(); ++level)
      tree += hops(*square.network.grid(), tower.descent(level));
    int startups = 0;
    double paths = 0;
    for (int root = 0; root < nodes; ++root) {
      const Schedule plan = square.plan("edn", root);
      for (const Transfer& transfer : plan.transfers())
        if (transfer.step <= 2)
          startups += square.network.grid()->distance(transfer.from, transfer.to);
      paths += square.judged(plan).mean_path;
    }
    const double whole = tree + static_cast<double>(startups) / nodes;
    REQUIRE(whole / (nodes - 1) == Approx(mean).margin(0.005));
    const double left_out = static_cast<double>(tree) / nodes;
    REQUIRE(paths / nodes == Approx((whole - left_out) / (nodes - 1)).margin(0.002));
  }
}

TEST_CASE("recursive doubling takes longer paths than EDN", "[paper][Q6][untimed]") {
  // The value 4.16 of section 3.3.5 does not follow from the rule of section 3.2.2.
  REQUIRE(SquareMesh(8).mean_path("recursive_doubling") == Approx(1.82).margin(0.005));
  REQUIRE(SquareMesh(16).mean_path("recursive_doubling") == Approx(2.21).margin(0.005));
  if (test::instrumented) return;
  REQUIRE(SquareMesh(32).mean_path("recursive_doubling") == Approx(2.63).margin(0.005));
}

TEST_CASE("with its source moved or rotated to the head, recursive doubling takes longer paths",
          "[paper][untimed]") {
  if (test::instrumented) return;  // a thousand broadcasts to a thousand nodes each
  const SquareMesh square(32);
  REQUIRE(square.mean_path("recursive_doubling", "chain: source_first") ==
          Approx(4.40).margin(0.005));
  REQUIRE(square.mean_path("recursive_doubling", "chain: rotated") == Approx(4.31).margin(0.005));
}

TEST_CASE(
    "recursive doubling broadcasts in ceil(log2 N) steps from every source, without contention "
    "within a step",
    "[paper][untimed]") {
  for (int columns = 1; columns <= 8; ++columns)
    for (int rows = 1; rows <= 8; ++rows) {
      const Topology network = mesh({columns, rows});
      const auto xy = routing("dimension_order", network);
      for (int root = 0; root < network.nodes(); ++root) {
        const Schedule plan = schedule("recursive_doubling", "",
                                       broadcast_from(NodeId(root), network), {network, *xy, 1});
        const Untimed run = evaluate(plan, network, *xy, 1);
        REQUIRE(run.faults == std::vector<std::string>{});
        REQUIRE(run.contentions.empty());
        REQUIRE(run.steps == ceil_log(2, columns * rows));  // section 3.2.2
      }
    }
}

TEST_CASE(
    "multicasts by recursive doubling are contention-free when the chain is sorted by the "
    "dimension that is routed first, and often not otherwise",
    "[paper][untimed]") {
  for (const auto& shape : std::vector<std::vector<int>>{{8, 8}, {12, 7}, {4, 4, 5}}) {
    const Topology network = mesh(shape);
    const auto by = routing("dimension_order", network);
    const std::string reversed = shape.size() == 2 ? "order: [1, 0]" : "order: [2, 1, 0]";
    int contended = 0;
    for (int trial = 0; trial < 300; ++trial) {
      const int count = 1 + trial % (network.nodes() - 1);
      const Demand requested =
          demand("multicast", "source: random, count: " + std::to_string(count) + ", message: 8 B",
                 network, static_cast<std::uint64_t>(trial));
      const auto judged = [&](const std::string& parameters) {
        return evaluate(schedule("recursive_doubling", parameters, requested, {network, *by, 1}),
                        network, *by, 1);
      };
      const Untimed run = judged("");
      REQUIRE(run.contentions.empty());
      REQUIRE(run.steps == ceil_log(2, count + 1));
      contended += judged(reversed).contentions.empty() ? 0 : 1;
    }
    REQUIRE(contended > 30);
  }
}

}  // namespace tsai_1997_test
