// testbenches/tests/unit/algorithms/operations/multicasts_test.cpp: many multicasts, released at
// once or at random.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "algorithms/demand_shape.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace multicasts_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

Demand multicasts(const std::string& parameters, const Topology& network, std::uint64_t seed = 1) {
  return demand("multicasts", "message: 8 B, " + parameters, network, seed);
}

std::string refused(const std::string& parameters, const Topology& network) {
  return refusal([&] { multicasts(parameters, network); });
}

/// The releases of one source, ascending.
std::vector<Cycle> releases_of(NodeId source, const Demand& asked) {
  std::vector<Cycle> releases;
  for (const Delivery& delivery : asked.deliveries)
    if (delivery.source() == source) releases.push_back(delivery.release.value());
  return releases;
}

bool well_formed(const Delivery& delivery, int least, int greatest) {
  const std::vector<NodeId>& to = delivery.destinations;
  const int count = static_cast<int>(to.size());
  return count >= least && count <= greatest && std::is_sorted(to.begin(), to.end()) &&
         std::adjacent_find(to.begin(), to.end()) == to.end() &&
         !std::binary_search(to.begin(), to.end(), delivery.source());
}

bool same(const Demand& a, const Demand& b) {
  return std::equal(a.deliveries.begin(), a.deliveries.end(), b.deliveries.begin(),
                    b.deliveries.end(), [](const Delivery& x, const Delivery& y) {
                      return x.sources == y.sources && x.destinations == y.destinations &&
                             x.release == y.release;
                    });
}

}  // namespace

TEST_CASE("multicasts by count are released at the start, each from a node drawn at random",
          "[multicasts]") {
  const Topology cube = hypercube(5);

  const Demand asked = multicasts("count: 400, destinations: 6", cube);

  REQUIRE(asked.deliveries.size() == 400);
  REQUIRE(asked.released());
  REQUIRE_FALSE(asked.measured.bounded());
  std::set<NodeId> sources;
  for (const Delivery& delivery : asked.deliveries) {
    REQUIRE(well_formed(delivery, 6, 6));
    REQUIRE(delivery.release == 0);
    REQUIRE(delivery.size == Bytes{8});
    sources.insert(delivery.source());
  }
  REQUIRE(sources.size() == 32);
}

TEST_CASE("multicasts go from listed sources in turn", "[multicasts]") {
  const Demand asked =
      multicasts("count: 5, destinations: 2, sources: [[1, 0], 5, 0]", mesh({3, 2}));

  std::vector<int> sources;
  for (const Delivery& delivery : asked.deliveries) sources.push_back(delivery.source().value());
  REQUIRE(sources == std::vector<int>{1, 5, 0, 1, 5});
}

TEST_CASE("the number of destinations is drawn evenly from its range", "[multicasts]") {
  std::map<std::size_t, int> drawn;

  for (const Delivery& delivery :
       multicasts("count: 3000, destinations: [4, 6]", hypercube(4)).deliveries) {
    REQUIRE(well_formed(delivery, 4, 6));
    ++drawn[delivery.destinations.size()];
  }

  REQUIRE(drawn.size() == 3);
  // 1000 each; the standard deviation is sqrt(3000 * 2 / 9) = 25.8.
  for (const auto& [count, times] : drawn) REQUIRE(std::abs(times - 1000) < 4 * 26);
}

TEST_CASE("every node is as often a destination as any other", "[multicasts]") {
  std::map<NodeId, int> drawn;

  for (const Delivery& delivery :
       multicasts("count: 4000, destinations: 4", hypercube(4)).deliveries)
    for (NodeId node : delivery.destinations) ++drawn[node];

  REQUIRE(drawn.size() == 16);
  // 1000 each, of 16000 of which 4 go together.
  for (const auto& [node, times] : drawn) REQUIRE(std::abs(times - 1000) < 4 * 31);
}

TEST_CASE("releases are a Poisson process at every source", "[multicasts]") {
  // 64 sources for 100000 cycles, a gap of 100 on average: 64000 releases.
  const Topology cube = hypercube(6);
  const Demand asked = multicasts(
      "destinations: 1, gap: 100 cycle, warmup: 0 cycle, measure: 100000 cycle, cooldown: 0 cycle",
      cube);

  const double count = static_cast<double>(asked.deliveries.size());
  REQUIRE(std::abs(count - 64000) < 4 * std::sqrt(64000.0));
  double sum = 0;
  double squares = 0;
  double longer = 0;
  double gaps = 0;
  for (NodeId source : all_nodes(cube)) {
    const std::vector<Cycle> releases = releases_of(source, asked);
    REQUIRE(releases.front() >= 0);
    REQUIRE(releases.back() < 100000);
    for (std::size_t i = 1; i < releases.size(); ++i) {
      const double gap = static_cast<double>(releases[i] - releases[i - 1]);
      sum += gap;
      squares += gap * gap;
      longer += gap > 100 ? 1 : 0;
      ++gaps;
    }
  }
  const double mean = sum / gaps;
  REQUIRE(mean == Approx(100).epsilon(0.02));
  // Exponential: the standard deviation is the mean, and exp(-1) are longer than that.
  REQUIRE(std::sqrt(squares / gaps - mean * mean) == Approx(100).epsilon(0.03));
  REQUIRE(longer / gaps == Approx(std::exp(-1)).epsilon(0.02));
}

TEST_CASE("a source may release several multicasts in a cycle, as a Poisson process does",
          "[multicasts]") {
  const Demand asked = multicasts(
      "sources: [0], destinations: 1, gap: 1 cycle, warmup: 0 cycle, measure: 20000 cycle, "
      "cooldown: 0 cycle",
      hypercube(2));

  std::map<Cycle, int> by_cycle;
  for (const Delivery& delivery : asked.deliveries) ++by_cycle[*delivery.release];
  std::map<int, int> cycles_with{{0, 20000 - static_cast<int>(by_cycle.size())}};
  for (const auto& [cycle, releases] : by_cycle) ++cycles_with[releases];
  // One on average: exp(-1) of the cycles have none, as many one, half as many two.
  REQUIRE(cycles_with[0] == Approx(20000 * std::exp(-1)).epsilon(0.04));
  REQUIRE(cycles_with[1] == Approx(20000 * std::exp(-1)).epsilon(0.04));
  REQUIRE(cycles_with[2] == Approx(10000 * std::exp(-1)).epsilon(0.05));
}

TEST_CASE("releases never change from machine to machine", "[multicasts]") {
  const Demand asked = multicasts("destinations: 3, gap: 500 cycle", hypercube(4), 7);

  std::vector<Cycle> first;
  std::vector<int> nodes;
  for (std::size_t i = 0; i < 6; ++i) {
    const Delivery& delivery = asked.deliveries.at(i);
    first.push_back(*delivery.release);
    nodes.push_back(delivery.source().value());
    for (NodeId node : delivery.destinations) nodes.push_back(node.value());
  }
  CHECK(first == std::vector<Cycle>{32, 105, 125, 151, 161, 168});
  // Source, then destinations.
  CHECK(nodes == std::vector<int>{13, 7, 8,  15, 2,  6, 7, 8,  1, 12, 13, 14,
                                  0,  2, 10, 11, 15, 0, 2, 11, 7, 8,  13, 15});
}

TEST_CASE("multicasts follow the seed, and releases do not follow the destinations",
          "[multicasts]") {
  const Topology cube = hypercube(4);
  const std::string gap = "gap: 300 cycle, measure: 3000 cycle, destinations: ";

  const Demand asked = multicasts(gap + "2", cube, 3);

  REQUIRE(same(asked, multicasts(gap + "2", cube, 3)));
  REQUIRE_FALSE(same(asked, multicasts(gap + "2", cube, 4)));
  const Demand wider = multicasts(gap + "[3, 9]", cube, 3);
  const Demand alone = multicasts(gap + "2, sources: [5]", cube, 3);
  REQUIRE(releases_of(NodeId(5), wider) == releases_of(NodeId(5), asked));
  REQUIRE(releases_of(NodeId(5), alone) == releases_of(NodeId(5), asked));
}

TEST_CASE("releases come in the order of time, and those of the measurement count",
          "[multicasts]") {
  const Demand asked = multicasts(
      "destinations: 2, gap: 200 cycle, warmup: 500 cycle, measure: 2000 cycle, cooldown: 300 "
      "cycle",
      hypercube(4));

  REQUIRE(asked.measured.begin == 500);
  REQUIRE(asked.measured.end == 2500);
  Cycle before = 0;
  for (const Delivery& delivery : asked.deliveries) {
    REQUIRE(*delivery.release >= before);
    before = *delivery.release;
  }
  REQUIRE(before >= 2500);
  REQUIRE(before < 2800);
}

TEST_CASE("multicasts refuse what cannot be drawn", "[multicasts]") {
  const Topology cube = hypercube(3);

  REQUIRE(has(refused("destinations: 2", cube), {"count", "either count or gap"}));
  REQUIRE(has(refused("destinations: 2, count: 3, gap: 5 cycle", cube), {"either count or gap"}));
  REQUIRE(has(refused("count: 3, destinations: 8", cube), {"destinations", "7 other nodes"}));
  REQUIRE(has(refused("count: 3, destinations: [2, 8]", cube), {"destinations", "7 or fewer"}));
  REQUIRE(
      has(refused("count: 3, destinations: [4, 2]", cube), {"destinations", "equal or greater"}));
  REQUIRE(has(refused("count: 3, destinations: 0", cube), {"destinations", "one destination"}));
  REQUIRE(has(refused("count: 3, destinations: [1, 2, 3]", cube), {"write e.g. [4, 12]"}));
  REQUIRE(
      has(refused("count: 3, destinations: 2, sources: [1, 1]", cube), {"sources[1]", "already"}));
  REQUIRE(has(refused("count: 3, destinations: 2, sources: [9]", cube), {"sources[0]"}));
  REQUIRE(has(refused("destinations: 2, gap: 1 cycle, measure: 1000000 cycle", cube),
              {"gap", "longer gap"}));
  REQUIRE(has(refused("destinations: 2, gap: 1000000000 cycle", cube),
              {"gap", "no multicast is released"}));
}

TEST_CASE("the parameters of multicasts print to what reads back the same", "[multicasts]") {
  const Operations& operations = all_kinds().operations;
  for (const std::string range : {"6", "[4, 6]"}) {
    const auto bound =
        operations.bind(section("multicasts", "message: 8 B, count: 2, destinations: " + range));
    std::string printed = "{kind: multicasts";
    for (const auto& [key, value] : bound.parameters()) printed += ", " + key + ": " + value;
    REQUIRE(has(printed, {"destinations: " + range}));
    REQUIRE(operations.bind(yaml(printed + "}")).parameters() == bound.parameters());
  }
}

TEST_CASE("deliveries that are released on their own count steps of their own", "[multicasts]") {
  const Topology network = mesh({4});
  const auto by = routing("dimension_order", network);
  Delivery first(NodeId(0), {NodeId(2)}, Bytes{8});
  Delivery second(NodeId(0), {NodeId(3)}, Bytes{8});

  const auto judged = [&] {
    Schedule schedule({"two", {first, second}});
    schedule.send(0, NodeId(0), NodeId(2), 1);
    schedule.send(1, NodeId(0), NodeId(3), 1);
    return evaluate(schedule, network, *by, 1);
  };

  const Untimed together = judged();
  CHECK(together.faults.size() == 1);
  CHECK(together.contentions.size() == 2);
  first.release = 0;
  second.release = 7;
  const Untimed alone = judged();
  CHECK(alone.satisfies_demand());
  CHECK(alone.contentions.empty());
  CHECK(alone.steps == 1);
  CHECK(alone.transfers_per_step == std::vector<int>{2});
  CHECK(alone.step_load == std::vector<int>{1});
}

TEST_CASE("contention within a released delivery is found", "[multicasts]") {
  const Topology network = mesh({4});
  const auto by = routing("dimension_order", network);
  Delivery delivery(NodeId(0), {NodeId(2), NodeId(3)}, Bytes{8});
  delivery.release = 5;
  Schedule schedule({"one", {delivery}});
  schedule.send(0, NodeId(0), NodeId(2), 1);
  schedule.send(0, NodeId(0), NodeId(3), 1);

  const Untimed run = evaluate(schedule, network, *by, 1);

  CHECK(run.contentions.size() == 2);
  CHECK(run.faults.size() == 1);
}

TEST_CASE("a transfer waits for the latest release of what its sender has of its own",
          "[multicasts]") {
  Delivery early(NodeId(0), {NodeId(1), NodeId(2)}, Bytes{8});
  Delivery late(NodeId(0), {NodeId(1)}, Bytes{8});
  Delivery sum({NodeId(0), NodeId(1)}, {NodeId(1)}, Bytes{8});
  early.release = 3;
  late.release = 9;
  sum.release = 20;
  Schedule schedule({"three", {early, late, sum}});
  schedule.send(Pieces{0, 1}, NodeId(0), NodeId(1), 1, Use::keep);
  schedule.send(Pieces{0}, NodeId(1), NodeId(2), 2, Use::keep);
  schedule.send(Pieces{2}, NodeId(0), NodeId(1), 3, Use::combine);

  CHECK(schedule.release_of(schedule.transfer(0)) == 9);
  CHECK(schedule.release_of(schedule.transfer(1)) == 0);
  CHECK(schedule.release_of(schedule.transfer(2)) == 20);
}

TEST_CASE("several released deliveries are no collective operation, and have no formula",
          "[multicasts]") {
  const Topology network = mesh({4});
  Demand all{"multicasts", {}};
  for (NodeId node : all_nodes(network))
    all.deliveries.push_back({node, all_but(node, network), Bytes{8}});
  REQUIRE(DemandShape::of(all, network).operation == Operation::all_gather);

  for (Delivery& delivery : all.deliveries) delivery.release = 0;

  REQUIRE(DemandShape::of(all, network).operation == Operation::other);
  Schedule schedule(all);
  schedule.set_formula(CostFormula{{1, 1, 1, 1}, "none"});
  REQUIRE_FALSE(schedule.formula().has_value());
}

TEST_CASE("software multicasts of many messages at once serve them all over one port",
          "[multicasts]") {
  const Topology network = GENERATE(hypercube(5), mesh({6, 5}));
  const auto by = routing("dimension_order", network);
  const Demand asked = multicasts("count: 200, destinations: [1, 20]", network);

  for (const std::string algorithm : {"separate", "recursive_doubling"}) {
    const Untimed run =
        evaluate(schedule(algorithm, "", asked, {network, *by, 1}), network, *by, 1);
    INFO(algorithm);
    CHECK(run.faults == std::vector<std::string>{});
    CHECK(run.contentions.empty());
    CHECK(run.steps == (algorithm == "separate" ? 20 : ceil_log(2, 21)));
  }
}

TEST_CASE("multicasts on a torus are served by U-torus", "[multicasts]") {
  const Topology network = torus({5, 4});
  const auto by = routing("dimension_order", network);
  const Demand asked = multicasts("count: 100, destinations: 7", network);

  const Untimed run = evaluate(schedule("u_torus", "", asked, {network, *by, 1}), network, *by, 1);

  CHECK(run.faults == std::vector<std::string>{});
  CHECK(run.steps == 3);
}

TEST_CASE("U-cube takes the fewest steps and does not contend, whatever the destinations",
          "[collectives]") {
  // A cube looks the same from every node, so that one source stands for all.
  const Topology cube = hypercube(4);
  const auto by = routing("dimension_order", cube);
  const CollectiveContext network{cube, *by, 1};

  for (unsigned set = 1; set < 1u << 15; ++set) {
    std::vector<NodeId> destinations;
    for (int node = 1; node < 16; ++node)
      if (((set >> (node - 1)) & 1u) != 0) destinations.push_back(NodeId(node ^ 11));
    std::sort(destinations.begin(), destinations.end());
    const int nodes = static_cast<int>(destinations.size()) + 1;
    const Demand asked{"multicast", {{NodeId(11), destinations, Bytes{8}}}};
    const Untimed run =
        evaluate(schedule("recursive_doubling", "chain: relative", asked, network), cube, *by, 1);
    if (run.faults.empty() && run.contentions.empty() && run.steps == ceil_log(2, nodes)) continue;
    FAIL("set " << set);
  }
}

TEST_CASE(
    "U-cube sorts by relative addresses, the dimension that is corrected first most "
    "significant",
    "[collectives]") {
  const Topology cube = hypercube(3);
  const auto by = routing("dimension_order", cube);
  const Demand asked{"multicast", {{NodeId(5), {NodeId(0), NodeId(1), NodeId(7)}, Bytes{8}}}};

  // Relative to 5, bit 0 first: 1 is 001, 7 is 010, 0 is 101. The chain is 5 1 | 7 0.
  const Schedule plan = schedule("recursive_doubling", "chain: relative", asked, {cube, *by, 1});

  REQUIRE(plan.transfers().size() == 3);
  const auto sent = [&](int number) {
    return std::make_pair(plan.transfer(number).from.value(), plan.transfer(number).to.value());
  };
  CHECK(sent(0) == std::make_pair(5, 7));
  CHECK(sent(1) == std::make_pair(5, 1));
  CHECK(sent(2) == std::make_pair(7, 0));
  const std::string refused = refusal([&] {
    const Topology network = mesh({4, 2});
    schedule("recursive_doubling", "chain: relative", asked,
             {network, *routing("dimension_order", network), 1});
  });
  REQUIRE(has(refused, {"chain", "hypercube"}));
}

TEST_CASE("sources that are placed are distinct, and each is as likely as another",
          "[multicasts]") {
  const Topology network = mesh({5, 5});
  std::map<NodeId, int> counts;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    std::set<NodeId> sources;
    const Demand asked =
        multicasts("count: 10, destinations: 2, placement: distinct", network, seed);
    for (const Delivery& delivery : asked.deliveries) {
      REQUIRE(sources.insert(delivery.source()).second);
      ++counts[delivery.source()];
    }
  }
  // Each node with probability 0.4: standard deviation 22; five of them.
  for (int node = 0; node < network.nodes(); ++node)
    CHECK(std::abs(counts[NodeId(node)] - 800) < 110);
}

TEST_CASE("clustered sources are the nodes nearest to their centres", "[multicasts]") {
  const Topology network = torus({16, 16});
  const Grid& grid = *network.grid();
  for (const int clusters : {1, 3, 4}) {
    const Demand asked = multicasts(
        "count: 52, destinations: 2, placement: clustered, clusters: " + std::to_string(clusters),
        network);
    std::set<NodeId> sources;
    for (const Delivery& delivery : asked.deliveries) sources.insert(delivery.source());
    REQUIRE(sources.size() == 52);
    // The first source of each cluster is its centre. No node that is left out is nearer to a
    // centre than the cluster's last source.
    for (int cluster = 0; cluster < clusters; ++cluster) {
      const NodeId centre = asked.deliveries[static_cast<std::size_t>(cluster)].source();
      int farthest = 0;
      for (std::size_t i = static_cast<std::size_t>(cluster); i < 52;
           i += static_cast<std::size_t>(clusters))
        farthest = std::max(farthest, grid.distance(centre, asked.deliveries[i].source()));
      for (int node = 0; node < network.nodes(); ++node)
        if (sources.count(NodeId(node)) == 0)
          CHECK(grid.distance(centre, NodeId(node)) >= farthest);
    }
  }
}

TEST_CASE("multicasts have the share of their destinations in common that is asked for",
          "[multicasts][O-26]") {
  const Topology network = torus({16, 16});
  for (const double share : {0.0, 0.25, 0.5, 0.8, 1.0})
    for (const int destinations : {80, 112, 255}) {
      const Demand asked = multicasts(
          "count: 80, placement: distinct, destinations: " + std::to_string(destinations) +
              ", hot_spot: " + std::to_string(share),
          network);
      std::vector<NodeId> common = asked.deliveries.front().destinations;
      std::set<std::vector<NodeId>> sets;
      int sources_in_all = 0;
      for (const Delivery& delivery : asked.deliveries) {
        REQUIRE(well_formed(delivery, destinations, destinations));
        std::vector<NodeId> both;
        std::set_intersection(common.begin(), common.end(), delivery.destinations.begin(),
                              delivery.destinations.end(), std::back_inserter(both));
        common = both;
        sets.insert(delivery.destinations);
      }
      const auto wanted = static_cast<int>(std::lround(share * destinations));
      // Whoever multicasts is missing from its own set, and so from what is common to all.
      for (const Delivery& delivery : asked.deliveries) {
        const auto in = [&](const Delivery& other) {
          return std::binary_search(other.destinations.begin(), other.destinations.end(),
                                    delivery.source());
        };
        sources_in_all += std::count_if(asked.deliveries.begin(), asked.deliveries.end(), in) ==
                                  static_cast<std::ptrdiff_t>(asked.deliveries.size()) - 1
                              ? 1
                              : 0;
      }
      CHECK(static_cast<int>(common.size()) >= wanted - sources_in_all);
      if (share == 0.0 && destinations == 80) CHECK(common.size() < 3);
      if (share == 1.0 && sources_in_all == 0) CHECK(sets.size() == 1);
    }
}

TEST_CASE("the same seed gives the same sources and destinations to every algorithm",
          "[multicasts]") {
  const Topology network = torus({8, 8});
  const std::string parameters = "count: 20, placement: distinct, destinations: 10, hot_spot: 0.5";
  CHECK(same(multicasts(parameters, network, 3), multicasts(parameters, network, 3)));
  CHECK_FALSE(same(multicasts(parameters, network, 3), multicasts(parameters, network, 4)));
}

}  // namespace multicasts_test
