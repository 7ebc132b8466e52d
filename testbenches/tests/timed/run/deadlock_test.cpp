// testbenches/tests/timed/run/deadlock_test.cpp: the watchdog detects every deadlock and raises no
// false alarm.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "algorithms/routing.hpp"
#include "testbenches/run/testbench/wait_graph.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace deadlock_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// After the run, checks each edge of the dependency cycle against routing and wires.
SimulateOptions verify_cycle(const RoutingFunction& routing) {
  SimulateOptions options;
  options.attach = [&routing](Testbench& testbench) {
    return [&](Results& results) {
      const Netlist& netlist = testbench.netlist();
      const Topology& topology = netlist.topology();
      const WaitGraph graph(netlist);
      const std::vector<int> cycle = graph.cycle();
      int right = 0;
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        const auto& here = graph.vertices()[static_cast<std::size_t>(cycle[i])];
        const auto& next =
            graph.vertices()[static_cast<std::size_t>(cycle[(i + 1) % cycle.size()])];
        // The output that the packet requests here, by the routing relation alone.
        const Packet& packet = testbench.packets().packet(here.point.front);
        const bool injected = here.point.input.value() >= topology.port_limit();
        const int vc_class =
            injected ? 0
                     : routing.class_of_vc(
                           here.point.vc, netlist.router(here.node).input(here.point.input)->vcs());
        Route route;
        routing.route(here.node, {injected ? PortId{} : here.point.input, vc_class}, packet.header,
                      route);
        const PortId wanted = route.candidates().front().port;
        const ChannelEnds& ends = topology.channel(topology.channel_out(here.node, wanted));
        // The next buffer either is the full one behind that port, or is an input of the same
        // router whose packet holds the same port.
        const bool downstream =
            next.node == ends.to && next.point.input == ends.to_port && next.point.free == 0;
        bool holds = false;
        if (next.node == here.node) {
          const Packet& holder = testbench.packets().packet(next.point.front);
          const bool next_injected = next.point.input.value() >= topology.port_limit();
          Route other;
          routing.route(next.node, {next_injected ? PortId{} : next.point.input, vc_class},
                        holder.header, other);
          holds = other.candidates().front().port == wanted;
        }
        right += downstream || holds ? 1 : 0;
      }
      results.add("cycle.length", static_cast<double>(cycle.size()), "");
      results.add("cycle.right", right, "");
      const std::string printed = graph.text(testbench.packets());
      results.add("cycle.printed", results.message.find(printed) != std::string::npos, "");
      results.add("deadlocked", graph.count(), "");
    };
  };
  return options;
}

}  // namespace

TEST_CASE("a torus without dateline classes deadlocks, and this is detected within two intervals",
          "[timed]") {
  constexpr int interval = 200;
  const Catalog catalog = standard_catalog();
  const Topology topology = Job::read(deadlocked_torus("1"), catalog).topology.build();
  const auto routing = Job::read(deadlocked_torus("1"), catalog).routing.build(topology);

  const Results exact = simulate(deadlocked_torus("1"));
  const Results watched =
      simulate(deadlocked_torus(std::to_string(interval)), catalog, verify_cycle(*routing));

  REQUIRE(exact.outcome == Outcome::deadlock);
  REQUIRE(watched.outcome == Outcome::deadlock);
  REQUIRE(watched.cycles <= exact.cycles + 2 * interval);
  REQUIRE(watched.value("cycle.length") >= 2);
  REQUIRE(watched.value("cycle.right") == watched.value("cycle.length"));
  // The message has that cycle, with packets, channels and virtual channels.
  REQUIRE(watched.value("cycle.printed") == 1);
  REQUIRE(watched.message.find("packet") != std::string::npos);
  REQUIRE(watched.message.find("channel_") != std::string::npos);
  REQUIRE(watched.message.find("vc 0") != std::string::npos);
}

namespace {

/// A 16x16 mesh as a custom graph, in which shortest-path routing may turn freely.
std::string mesh_as_custom(int width) {
  std::string text = "{kind: custom, nodes: " + std::to_string(width * width) + ", channels: [";
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < width; ++x) {
      const int node = y * width + x;
      if (x + 1 < width) text += fmt::format("[{}, {}], ", node, node + 1);
      if (y + 1 < width) text += fmt::format("[{}, {}], ", node, node + width);
    }
  return text + "]}";
}

Scenario corner(int seed) {
  return Scenario::parse(R"(
scenario: corner
allow_deadlock: true
channel: {buffer: 2 flit}
operation:
  kind: unicasts
  transfers:
    - {from: 0, to: 17, message: 64 B}
    - {from: 1, to: 16, message: 64 B}
    - {from: 17, to: 0, message: 64 B}
    - {from: 16, to: 1, message: 64 B}
traffic: {rate: 0.02 flit/node/cycle, packet: 2 flit, warmup: 0 cycle, measure: 20000 cycle}
observe: [{kind: channel_load}]
watchdog: {interval: 200 cycle}
)")
      .with("topology", mesh_as_custom(16))
      .with("routing",
            fmt::format("{{kind: shortest_path, rule: any, ties: random, seed: {}}}", seed));
}

/// Whether the four messages follow one another round the corner square.
bool is_dependency_cycle(const Topology& topology, const RoutingFunction& routing) {
  const std::array<std::array<int, 3>, 4> routes = {
      {{0, 1, 17}, {1, 17, 16}, {17, 16, 0}, {16, 0, 1}}};
  return std::all_of(routes.begin(), routes.end(), [&](const std::array<int, 3>& route) {
    const auto channels = path(routing, topology, {NodeId(route[0]), NodeId(route[2]), 0});
    return channels.size() == 2 && topology.channel(channels[0]).to == NodeId(route[1]);
  });
}

}  // namespace

TEST_CASE("a deadlock in one corner of a 16x16 network is detected while other traffic flows",
          "[timed]") {
  const Catalog catalog = standard_catalog();
  const Topology topology = Job::read(corner(1), catalog).topology.build();
  int seed = 1;
  std::unique_ptr<RoutingFunction> routing;
  for (; seed < 500; ++seed) {
    routing = Job::read(corner(seed), catalog).routing.build(topology);
    if (is_dependency_cycle(topology, *routing)) break;
  }
  REQUIRE(seed < 500);

  const Results exact = simulate(corner(seed).with("watchdog.interval", "1 cycle"));
  const Results watched = simulate(corner(seed), catalog, verify_cycle(*routing));

  REQUIRE(exact.outcome == Outcome::deadlock);
  REQUIRE(watched.outcome == Outcome::deadlock);
  REQUIRE(exact.cycles < 100);
  REQUIRE(watched.cycles <= exact.cycles + 2 * 200);
  REQUIRE(watched.value("cycle.right") == watched.value("cycle.length"));
  REQUIRE(watched.value("deadlocked") < 150);  // of 1216 buffers
  REQUIRE(watched.value("transits") > 3 * exact.value("transits"));
}

namespace {

/// The virtual channels that each network channel has carried flits on.
class VcUse final : public TransitListener {
 public:
  explicit VcUse(std::size_t channels) : used_(channels) {}
  void on_transits(Cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits)
      used_[static_cast<std::size_t>(transit.channel)].insert(transit.flit.vc());
  }
  const std::set<int>& used(std::size_t channel) const { return used_[channel]; }

 private:
  std::vector<std::set<int>> used_;
};

}  // namespace

TEST_CASE(
    "with dateline classes the same load runs for a million cycles and uses both classes on every "
    "ring",
    "[timed]") {
  SimulateOptions options;
  options.attach = [](Testbench& testbench) {
    const auto& channels = testbench.netlist().channels();
    auto use = std::make_shared<VcUse>(channels.size());
    testbench.listen(ChannelSite::Kind::network, *use);
    return [use, &testbench](Results& results) {
      const Topology& topology = testbench.netlist().topology();
      const Grid& grid = *topology.grid();
      // A ring: all channels of one port whose nodes have the same coordinate in the other
      // dimension.
      std::map<std::pair<int, int>, std::set<int>> rings;
      for (int id = 0; id < topology.channels(); ++id) {
        const ChannelEnds& ends = topology.channel(ChannelId(id));
        const int other = grid.coordinate(ends.from, 1 - Grid::port_dimension(ends.from_port));
        const auto& used = use->used(static_cast<std::size_t>(id));
        rings[{ends.from_port.value(), other}].insert(used.begin(), used.end());
      }
      int both = 0;
      for (const auto& [ring, used] : rings) both += used.size() == 2 ? 1 : 0;
      results.add("rings", static_cast<double>(rings.size()), "");
      results.add("rings.both", both, "");
    };
  };
  const int cycles = instrumented ? 50'000 : 1'000'000;
  const Scenario scenario = deadlocked_torus("1000")
                                .with("routing.vc_rule", "remaining_wrap")
                                .with("allow_deadlock", "false")
                                .with("channel.vcs", "2")
                                .with("traffic.measure", fmt::format("{} cycle", cycles));

  const Results results = simulate(scenario, standard_catalog(), options);

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.cycles > cycles);
  REQUIRE(results.value("rings") == 16);
  REQUIRE(results.value("rings.both") == 16);
}

TEST_CASE("a start-up of a millisecond raises no deadlock alarm", "[timed]") {
  const Scenario scenario = Scenario::parse(R"(
scenario: patient
topology: {kind: mesh, shape: [3, 3]}
node: {send_overhead: 1 ms, receive_overhead: 1 ms, ejection: held}
operation: {kind: broadcast, root: 0, message: 64 B}
algorithm: {kind: recursive_doubling}
watchdog: {interval: 500 cycle}
)");

  const Results results = simulate(scenario);

  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("collective.max_us") > 5 * 1000);
}

}  // namespace deadlock_test
