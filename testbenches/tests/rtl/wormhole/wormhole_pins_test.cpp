// testbenches/tests/rtl/wormhole/wormhole_pins_test.cpp: one router in Verilog, driven by hand.
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "algorithms/routing.hpp"
#include "testbenches/reference/rules/dimension_order_rule.hpp"
#include "testbenches/reference/rules/lattice.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/rtl/wormhole/router_sets.hpp"

namespace wormhole_pins_test {

using namespace flitwave;
using namespace flitwave::rtl_test;

namespace {

constexpr int extent = 4;  // of every dimension

/// A router of a grid, after reset. Its neighbours accept and send what a test says.
class OneRouter {
 public:
  explicit OneRouter(const RouterSet& set, int node = 0)
      : p(set.parameters),
        lattice{std::vector<int>(static_cast<std::size_t>(p.dimensions), extent),
                std::vector<bool>(static_cast<std::size_t>(p.dimensions), p.torus != 0)},
        pins_(set.router(7)) {
    pins_->set_position(position(node), size());
    pins_->set_reset(true);
    pins_->step();
    pins_->step();
    pins_->set_reset(false);
    for (int port = 0; port < p.ports(); ++port) pins_->set_ready(port, all_vcs());
  }

  std::uint64_t all_vcs() const { return (std::uint64_t{1} << p.vcs) - 1; }
  int first_local() const { return p.network_ports; }

  std::uint64_t position(int node) const {
    std::uint64_t bits = 0;
    for (int d = 0; d < p.dimensions; ++d)
      bits |= static_cast<std::uint64_t>(lattice.coordinate(node, d)) << d * p.coordinate_width;
    return bits;
  }
  std::uint64_t size() const {
    std::uint64_t bits = 0;
    for (int d = 0; d < p.dimensions; ++d)
      bits |= static_cast<std::uint64_t>(extent) << d * p.coordinate_width;
    return bits;
  }
  std::uint64_t flit(int destination, bool tail, int vc = 0) const {
    std::uint64_t bits =
        position(destination) << p.destination_at | static_cast<std::uint64_t>(tail) << p.tail_at;
    if (p.vcs > 1) bits |= static_cast<std::uint64_t>(vc) << p.vc_at;
    return bits;
  }
  int vc_of(std::uint64_t bits) const {
    return p.vcs == 1 ? 0 : static_cast<int>(bits >> p.vc_at & ((1u << p.vc_width) - 1));
  }

  void put(int port, std::uint64_t bits) { pins_->set_input(port, true, bits); }
  void give_credit(int port, int vc) { pins_->set_credit(port, true, vc); }
  /// Sets the `ready` of all virtual channels of an output.
  void set_ready(int port, bool ready) { pins_->set_ready(port, ready ? all_vcs() : 0); }
  /// A cycle; inputs are at rest after it.
  void step() {
    pins_->step();
    for (int port = 0; port < p.ports(); ++port) {
      pins_->set_input(port, false, 0);
      pins_->set_credit(port, false, 0);
    }
  }
  const RouterPins& pins() const { return *pins_; }
  /// The output that has a flit on its wires, or -1.
  int sending() const {
    for (int port = 0; port < p.ports(); ++port)
      if (pins_->out_valid(port)) return port;
    return -1;
  }
  /// The cycles until an output has a flit on its wires, counted from the next one.
  int steps_until_sending(int most = 40) {
    for (int steps = 1; steps <= most; ++steps) {
      step();
      if (sending() >= 0) return steps;
    }
    return -1;
  }

  const RouterParameters& p;
  reference::Lattice lattice;

 private:
  std::unique_ptr<RouterPins> pins_;
};

}  // namespace

TEST_CASE("a head takes RC + VA + SA + ST + l cycles through a router in Verilog", "[rtl]") {
  for (const RouterSet& set : router_sets()) {
    INFO(set.name);
    OneRouter router(set);
    router.put(router.first_local(), router.flit(1, true));
    // The flit is on the wires one cycle before the next router accepts it.
    CHECK(router.steps_until_sending() == 1 + set.parameters.head_delay());
    CHECK(router.sending() == 0);
    router.step();
    CHECK(router.sending() == -1);
  }
}

TEST_CASE("a router in Verilog takes the port and the class of dimension order between all nodes",
          "[rtl]") {
  for (const RouterSet& set : router_sets()) {
    INFO(set.name);
    const reference::Lattice lattice = OneRouter(set).lattice;
    const VcRange all{0, set.parameters.vcs};
    for (int here = 0; here < lattice.nodes(); ++here) {
      OneRouter router(set, here);
      // Every packet finds all virtual channels free, and leaves before the next one.
      for (int to = 0; to < lattice.nodes(); ++to) {
        INFO("from " << here << " to " << to);
        router.put(router.first_local(), router.flit(to, true));
        REQUIRE(router.steps_until_sending() > 0);
        const int port = router.sending();
        const int vc = router.vc_of(router.pins().out_flit(port));
        VcRange vcs = all;
        if (to == here) {
          // The local ports are tried from the number of the input port on.
          const int locals = set.parameters.local_ports;
          CHECK(port == router.first_local() + router.first_local() % locals);
        } else {
          const std::vector<int> positive(static_cast<std::size_t>(lattice.dimensions()), 1);
          const reference::Hop hop = reference::dimension_order_hop(lattice, here, to, positive);
          CHECK(port == hop.port);
          if (set.parameters.torus != 0) vcs = vcs_of_class(hop.vc_class, 2, set.parameters.vcs);
        }
        CHECK(vc >= vcs.first);
        CHECK(vc < vcs.first + vcs.count);
        router.give_credit(port, vc);
      }
    }
  }
}

TEST_CASE("packets of one input take the free virtual channels of a router in Verilog in turn",
          "[rtl]") {
  for (const RouterSet& set : router_sets()) {
    if (set.parameters.torus != 0) continue;
    INFO(set.name);
    OneRouter router(set);
    for (int packet = 0; packet < 2 * set.parameters.vcs; ++packet) {
      router.put(router.first_local(), router.flit(1, true));
      REQUIRE(router.steps_until_sending() > 0);
      const int vc = router.vc_of(router.pins().out_flit(0));
      CHECK(vc == packet % set.parameters.vcs);
      router.give_credit(0, vc);
    }
  }
}

TEST_CASE(
    "a router in Verilog sends as many flits as it has credits, and one for each that returns",
    "[rtl]") {
  for (const RouterSet& set : router_sets()) {
    const RouterParameters& p = set.parameters;
    if (p.ready_valid) continue;
    INFO(set.name);
    OneRouter router(set);
    // A long packet; slots of its buffer are known by the credits that return to the sender.
    int slots = p.depth;
    int sent = 0;
    int vc = -1;
    const auto run = [&](int cycles) {
      for (int i = 0; i < cycles; ++i) {
        if (slots > 0) {
          router.put(router.first_local(), router.flit(1, false));
          --slots;
        }
        router.step();
        if (router.pins().credit(router.first_local())) {
          CHECK(router.pins().credit_vc(router.first_local()) == 0);
          ++slots;
        }
        if (router.pins().out_valid(0)) {
          vc = router.vc_of(router.pins().out_flit(0));
          ++sent;
        }
      }
    };
    run(60);
    CHECK(sent == p.depth);
    CHECK(slots == 0);
    for (int credit = 1; credit <= 3; ++credit) {
      router.give_credit(0, vc);
      run(20);
      CHECK(sent == p.depth + credit);
    }
  }
}

TEST_CASE("a router in Verilog keeps its offer until ready, and lowers ready when a buffer is full",
          "[rtl]") {
  for (const RouterSet& set : router_sets()) {
    const RouterParameters& p = set.parameters;
    if (!p.ready_valid) continue;
    INFO(set.name);
    OneRouter router(set);
    router.set_ready(0, false);
    int accepted = 0;
    for (int cycle = 0; cycle < 60; ++cycle) {
      const bool ready = (router.pins().ready(router.first_local()) & 1) != 0;
      router.put(router.first_local(), router.flit(1, false));
      router.step();
      accepted += ready ? 1 : 0;
    }
    // The buffer of the input, and the queue of the output.
    CHECK(accepted == p.depth + 1 + p.traversal);
    CHECK(router.pins().ready(router.first_local()) == (router.all_vcs() & ~std::uint64_t{1}));
    REQUIRE(router.pins().out_valid(0));
    router.set_ready(0, true);
    int left = 0;
    for (int cycle = 0; cycle < 60; ++cycle) {
      left += router.pins().out_valid(0) ? 1 : 0;
      router.step();
    }
    CHECK(left == accepted);
    CHECK(router.pins().ready(router.first_local()) == router.all_vcs());
  }
}

TEST_CASE("heads that request one virtual channel of a router in Verilog get it in turn", "[rtl]") {
  constexpr int mark = 20;  // a bit that no set of parameters gives a meaning
  for (const RouterSet& set : router_sets()) {
    if (set.parameters.vcs > 1) continue;
    INFO(set.name);
    OneRouter router(set);
    const auto order_of = [&](const std::vector<int>& inputs) {
      for (const int port : inputs)
        router.put(port, router.flit(1, true) | static_cast<std::uint64_t>(port) << mark);
      std::vector<int> order;
      for (int cycle = 0; cycle < 60; ++cycle) {
        router.step();
        if (!router.pins().out_valid(0)) continue;
        order.push_back(static_cast<int>(router.pins().out_flit(0) >> mark));
        router.give_credit(0, 0);
      }
      return order;
    };
    CHECK(order_of({0, 1, 2, 3, 4}) == std::vector<int>{0, 1, 2, 3, 4});
    CHECK(order_of({1, 3}) == std::vector<int>{1, 3});
    CHECK(order_of({0, 1, 2, 3, 4}) == std::vector<int>{4, 0, 1, 2, 3});
  }
}

}  // namespace wormhole_pins_test
