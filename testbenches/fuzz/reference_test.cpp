// testbenches/fuzz/reference_test.cpp: the reference alone, against values computed by hand.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/reference.hpp"

#include <algorithm>

#include "testbenches/job/catalog.hpp"
#include "testbenches/tests/catch.hpp"

namespace reference_test {

using namespace flitwave;

namespace {

/// All packets are sent from the first node of a line to the last.
class OneWay final : public TrafficPattern {
 public:
  explicit OneWay(const Topology& topology) : last_(topology.nodes() - 1) {}
  NodeId destination(NodeId source, Random&) const override {
    return source.value() == 0 ? NodeId(last_) : NodeId();
  }

 private:
  int last_;
};

/// A line of nodes with traffic from the first to the last.
struct Line {
  explicit Line(int nodes)
      : topology(standard_catalog()
                     .topologies
                     .bind(ConfigNode::parse("{kind: mesh, shape: [" + std::to_string(nodes) + "]}",
                                             "test"))
                     .build()),
        routing(standard_catalog()
                    .routings.bind(ConfigNode::parse("{kind: dimension_order}", "test"))
                    .build(topology)),
        pattern(topology) {
    params.topology = &topology;
    params.routing = routing.get();
    params.pattern = &pattern;
    offer(0);
    params.keep_packets = true;
  }

  /// Packets of `flits` flits at a mean rate in flits per cycle.
  void offer(double rate, int flits = 4) {
    injection = standard_catalog()
                    .injections.bind(ConfigNode::parse("{kind: bernoulli}", "test"))
                    .build({rate, flits});
    params.injection = injection.get();
    params.length = params.longest = flits;
  }

  Topology topology;
  std::unique_ptr<RoutingFunction> routing;
  std::unique_ptr<InjectionProcess> injection;
  OneWay pattern;
  reference::Params params;
};

}  // namespace

// docs/timing.md, "Latency and rate".
TEST_CASE("a packet alone takes the closed form's cycles in the reference", "[fuzz]") {
  const bool credit = GENERATE(true, false);
  const int latency = GENERATE(1, 2, 3);
  const int delays = GENERATE(0, 1, 2);
  const int flits = GENERATE(1, 5);
  const int hops = GENERATE(1, 3);
  Line line(hops + 1);
  line.params.handshake = credit ? reference::Handshake::credit : reference::Handshake::ready_valid;
  line.params.latency = latency;
  line.params.route = line.params.vc = line.params.passage = line.params.traversal = delays;
  line.params.depth = 16;
  line.offer(0.001 * flits, flits);
  line.params.measure = 5000;

  const reference::Results results = reference::run(line.params);

  const Cycle expected = 3 + (hops + 1) * 4 * delays + hops * latency + flits - 1;
  REQUIRE(results.complete);
  REQUIRE(results.packets.size() > 1);
  const auto [least, greatest] = std::minmax_element(
      results.packets.begin(), results.packets.end(), [](const auto& a, const auto& b) {
        return a.tail_taken - a.created < b.tail_taken - b.created;
      });
  CHECK(least->tail_taken - least->created == expected);
  CHECK(greatest->tail_taken - greatest->injected >= expected - 1);
  CHECK(results.total.count() == static_cast<std::int64_t>(results.packets.size()));
}

TEST_CASE("a channel of the reference has the rate that its buffer's round trip allows", "[fuzz]") {
  const int depth = GENERATE(1, 2, 3, 4, 5, 8);
  Line line(4);
  line.params.latency = 2;
  line.params.depth = depth;
  line.offer(2);  // more than any channel carries
  line.params.measure = 4000;
  line.params.drain = 0;

  const reference::Results results = reference::run(line.params);

  const double round_trip = 2 * line.params.latency;  // no delay in the routers
  const double expected = std::min(1.0, depth / round_trip);
  CHECK(static_cast<double>(results.flits_in_window) / 4000 == Approx(expected).epsilon(0.01));
  CHECK(results.saturated);
}

TEST_CASE("a run of the reference is repeatable", "[fuzz]") {
  Line line(5);
  line.offer(0.7);
  line.params.arbitration = reference::Arbitration::random;
  line.params.vcs = 2;

  const reference::Results first = reference::run(line.params);
  const reference::Results again = reference::run(line.params);
  line.params.seed = 2;
  const reference::Results other = reference::run(line.params);

  CHECK(first.fingerprint == again.fingerprint);
  CHECK(first.total.sum() == again.total.sum());
  CHECK(first.fingerprint != other.fingerprint);
}

}  // namespace reference_test
