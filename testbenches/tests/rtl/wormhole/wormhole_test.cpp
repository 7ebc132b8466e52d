// testbenches/tests/rtl/wormhole/wormhole_test.cpp: networks of routers in Verilog equal those of
// the reference, cycle by cycle.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "algorithms/pure_catalog.hpp"
#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/rtl/wormhole/compared_networks.hpp"
#include "testbenches/tests/rtl/wormhole/router_sets.hpp"

namespace wormhole_test {

using namespace flitwave;
using namespace flitwave::rtl_test;

namespace {

/// A random network and load for routers of one set.
class RandomCase {
 public:
  RandomCase(const RouterSet& set, std::uint64_t number)
      : random_(number, "wormhole in Verilog " + set.name), parameters_(set.parameters) {
    const std::string shape = draw_shape();
    const std::string kind = parameters_.torus != 0 ? "torus" : "mesh";
    params_ = params_of(parameters_);
    params_.length = params_.longest = draw(1, 9);
    params_.latency = draw(1, 3);
    params_.seed = random_.bits();
    // Beyond saturation, too; a source makes at most one packet per cycle.
    const double rate =
        std::min<double>(draw(1, 12 * parameters_.local_ports) / 10.0, params_.length);
    const std::string pattern =
        draw(0, 2) == 0 ? "{kind: hotspot, nodes: [1], share: 0.4}" : "{kind: uniform}";
    text_ = fmt::format("{}: {} [{}], latency {}, {} flits, rate {}, {}", set.name, kind, shape,
                        params_.latency, params_.length, rate, pattern);

    const PureCatalog catalog = pure_catalog();
    const auto node = [](const std::string& text) { return ConfigNode::parse(text, "test"); };
    topology_.emplace(
        catalog.topologies.bind(node(fmt::format("{{kind: {}, shape: [{}]}}", kind, shape)))
            .build());
    routing_ = catalog.routings.bind(node("{kind: dimension_order}")).build(*topology_);
    injection_ = catalog.injections.bind(node("{kind: bernoulli}")).build({rate, params_.length});
    pattern_ = catalog.traffic.bind(node(pattern)).build(*topology_);
    params_.topology = &*topology_;
    params_.routing = routing_.get();
    params_.injection = injection_.get();
    params_.pattern = pattern_.get();
  }

  const reference::Params& params() const { return params_; }
  const std::string& text() const { return text_; }

 private:
  int draw(int least, int greatest) {
    return least +
           static_cast<int>(random_.below(static_cast<std::uint64_t>(greatest - least + 1)));
  }
  /// Up to 16 nodes. The last dimension has channels, so that there are ports for all.
  std::string draw_shape() {
    std::string shape;
    int nodes = 1;
    for (int d = 0; d < parameters_.dimensions; ++d) {
      const bool last = d + 1 == parameters_.dimensions;
      const int rest = last ? 16 / nodes : std::min(8, 8 / nodes);
      const int extent = draw(last ? 2 : 1, std::max(last ? 2 : 1, std::min(rest, 8)));
      nodes *= extent;
      shape += (d == 0 ? "" : ", ") + std::to_string(extent);
    }
    return shape;
  }

  Random random_;
  const RouterParameters& parameters_;
  reference::Params params_;
  std::string text_;
  std::optional<Topology> topology_;
  std::unique_ptr<RoutingFunction> routing_;
  std::unique_ptr<InjectionProcess> injection_;
  std::unique_ptr<TrafficPattern> pattern_;
};

void require_equal(int cases, std::int64_t cycles) {
  for (const RouterSet& set : router_sets())
    for (int number = 0; number < cases; ++number) {
      const RandomCase random_case(set, static_cast<std::uint64_t>(number));
      INFO(random_case.text());
      const Comparison comparison = compare(random_case.params(), set, cycles, 1 + 100 * number);
      CHECK(comparison.difference == 0);
      CHECK(comparison.both_empty);
      CHECK(comparison.transits > 0);
    }
}

}  // namespace

// Registers have other values before reset in every case.
TEST_CASE("networks of routers in Verilog equal the reference in every cycle", "[rtl]") {
  require_equal(6, 400);
}

TEST_CASE("many networks of routers in Verilog equal the reference in every cycle", "[rtl][long]") {
  require_equal(60, 1500);
}

TEST_CASE("the values of registers before reset change no cycle of a router in Verilog", "[rtl]") {
  for (const RouterSet& set : router_sets()) {
    const RandomCase random_case(set, 1000);
    INFO(random_case.text());
    for (int seed = 1; seed <= 400; seed += 100)
      CHECK(compare(random_case.params(), set, 100, seed).difference == 0);
  }
}

}  // namespace wormhole_test
