// testbenches/tests/unit/algorithms/traffic/working_traffic_test.cpp: traffic patterns exclude
// faulty nodes.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/working_traffic.hpp"

#include <cstdlib>
#include <set>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace working_traffic_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// A 3x3 mesh whose nodes 4 and 7 are faulty and whose node 1 becomes faulty later.
Topology faulty_mesh() {
  Topology network = mesh({3, 3});
  FaultSet faults;
  faults.break_node(network, NodeId(4));
  faults.break_node(network, NodeId(7));
  faults.break_node(network, NodeId(1), 50);
  network.set_faults(faults);
  return network;
}

/// Sends everything to node 4 without reporting its shares.
class Silent final : public TrafficPattern {
 public:
  NodeId destination(NodeId, Random&) const override { return NodeId(4); }
};

}  // namespace

TEST_CASE("uniform traffic is sent to all other fault-free nodes equally often",
          "[traffic][faults]") {
  const Topology network = faulty_mesh();
  const auto pattern =
      among_working(all_kinds().traffic.bind(section("uniform", "")).build(network), network);
  Random random(1, "traffic");
  std::vector<int> counts(9, 0);
  for (int i = 0; i < 6000; ++i) ++counts[pattern->destination(NodeId(3), random).index()];

  const std::vector<double> shares = pattern->shares(NodeId(3));
  for (std::size_t node = 0; node < 9; ++node)
    if (node == 3 || node == 4 || node == 7) {
      CHECK(counts[node] == 0);
      CHECK(shares[node] == 0);
    } else {
      CHECK(std::abs(counts[node] - 1000) < 150);  // five standard deviations
      CHECK(shares[node] == Approx(1.0 / 6));
    }
}

TEST_CASE("faulty nodes send nothing, and neither do nodes whose only destinations are faulty",
          "[traffic][faults]") {
  const Topology network = faulty_mesh();
  const auto pattern =
      among_working(all_kinds().traffic.bind(section("neighbor", "")).build(network), network);
  Random random(1, "traffic");
  std::set<int> senders;
  for (int node = 0; node < 9; ++node)
    if (const NodeId to = pattern->destination(NodeId(node), random); to.valid()) {
      senders.insert(node);
      CHECK(to != NodeId(4));
      CHECK(to != NodeId(7));
    }
  CHECK(senders.count(4) == 0);
  CHECK(senders.count(7) == 0);
  CHECK_FALSE(senders.empty());
  CHECK(senders.size() < 7);  // some neighbour is faulty
}

TEST_CASE("without faulty nodes a pattern is unchanged", "[traffic][faults]") {
  const Topology network = mesh({3, 3});
  auto pattern = all_kinds().traffic.bind(section("transpose", "")).build(network);
  const TrafficPattern* const before = pattern.get();

  REQUIRE(among_working(std::move(pattern), network).get() == before);
}

TEST_CASE("a pattern that does not report its shares cannot exclude faulty nodes",
          "[traffic][faults]") {
  const Topology network = faulty_mesh();

  REQUIRE(has(rejection([&] { among_working(std::make_unique<Silent>(), network); }),
              {"does not specify its destinations"}));
}

}  // namespace working_traffic_test
