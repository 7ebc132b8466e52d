// testbenches/tests/timed/modules/node_test.cpp: overheads, ports and ejection of nodes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "routers/input_queued/closed_form.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace node_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr int flits = 40;
constexpr int send = 100;
constexpr int receive = 30;

/// Node (1, 1) of a 3x3 mesh sends a message to each of its four neighbours.
Scenario star(const std::string& node) {
  return Scenario::parse(R"(
scenario: star
topology: {kind: mesh, shape: [3, 3]}
router: {kind: wormhole, preset: single_cycle}
operation:
  kind: multicast
  source: [1, 1]
  destinations: [[1, 0], [0, 1], [2, 1], [1, 2]]
)")
      .with("operation.message", fmt::format("{} B", flits))
      .with("node", node)
      .with("node.send_overhead", fmt::format("{} cycle", send))
      .with("node.receive_overhead", fmt::format("{} cycle", receive));
}

/// The network's share of one message's time in the star.
double network_time() { return static_cast<double>(ClosedForm({}, {}).packet_latency(1, flits)); }

std::vector<double> done(const Results& results) {
  std::vector<double> cycles = column(results.table("transfers"), "done_cycle");
  std::sort(cycles.begin(), cycles.end());
  return cycles;
}

}  // namespace

TEST_CASE("serialized send overheads follow each other, even if every message has its own port",
          "[timed]") {
  const Results results = simulate(star("{ports: all, overhead: serialized}"));

  REQUIRE(results.outcome == Outcome::complete);
  for (int i = 0; i < 4; ++i)
    REQUIRE(done(results)[static_cast<std::size_t>(i)] ==
            (i + 1) * send + network_time() + receive);
}

TEST_CASE("with one port, a serialized send occupies it from the overhead to the last flit",
          "[timed]") {
  const Results results = simulate(star("{ports: one, overhead: serialized}"));

  // The interface needs a cycle after the hand-over; then one flit leaves per cycle.
  const int occupied = send + 1 + flits;
  for (int i = 0; i < 4; ++i)
    REQUIRE(done(results)[static_cast<std::size_t>(i)] ==
            i * occupied + send + network_time() + receive);
}

TEST_CASE("overlapped send overheads run at the same time, and messages share the port",
          "[timed]") {
  const Results all = simulate(star("{ports: all, overhead: overlapped}"));
  const Results one = simulate(star("{ports: one, overhead: overlapped}"));

  for (int i = 0; i < 4; ++i) {
    const auto place = static_cast<std::size_t>(i);
    REQUIRE(done(all)[place] == send + network_time() + receive);
    REQUIRE(done(one)[place] == send + i * flits + network_time() + receive);
  }
}

TEST_CASE("a held path is set up first, then kept during the send overhead", "[timed]") {
  const Results results = simulate(star("{ports: all, overhead: path_held}"));

  // Time of the head, one cycle for its notification, the overhead, then the rest of the flits.
  const auto head = static_cast<double>(ClosedForm({}, {}).packet_latency(1, 1));
  const auto rest = static_cast<double>(ClosedForm({}, {}).packet_latency(1, flits - 1) - 1);
  for (double cycle : done(results)) REQUIRE(cycle == head + 1 + send + rest + receive);
}

TEST_CASE("receive overheads of a node follow each other when serialized", "[timed]") {
  const Scenario scenario = Scenario::parse(R"(
scenario: fan_in
topology: {kind: mesh, shape: [3, 3]}
router: {kind: wormhole, preset: single_cycle}
node: {ports: all, receive_overhead: 500 cycle}
operation:
  kind: unicasts
  transfers:
    - {from: [0, 1], to: [1, 1], message: 40 B}
    - {from: [2, 1], to: [1, 1], message: 40 B}
    - {from: [1, 0], to: [1, 1], message: 40 B}
)");

  const Results serialized = simulate(scenario);
  const Results overlapped = simulate(scenario.with("node.overhead", "overlapped"));

  REQUIRE(done(serialized) == std::vector<double>{500.0 + network_time(), 1000.0 + network_time(),
                                                  1500.0 + network_time()});
  for (double cycle : done(overlapped)) REQUIRE(cycle == 500 + network_time());
}

TEST_CASE("ejection continues while the processor is busy, unless it is held", "[timed]") {
  const Scenario scenario = Scenario::parse(R"(
scenario: two_in_a_row
topology: {kind: mesh, shape: [2, 1]}
router: {kind: wormhole, preset: single_cycle}
node: {ports: one, receive_overhead: 500 cycle, overhead: overlapped}
operation:
  kind: unicasts
  transfers:
    - {from: 0, to: 1, message: 40 B}
    - {from: 0, to: 1, message: 40 B}
)");

  const Results drains = simulate(scenario);
  const Results held = simulate(scenario.with("node.ejection", "held"));

  const double first = 500.0 + network_time();
  REQUIRE(done(drains) == std::vector<double>{first, first + flits});
  REQUIRE(done(held)[0] == first);
  // The second message's flits are ejected only after the processor has handled the first.
  REQUIRE(done(held)[1] > first + 500);
}

TEST_CASE("a message longer than a packet is sent as several packets and is complete with the last",
          "[timed]") {
  const Scenario scenario = star("{ports: all, overhead: overlapped}");

  const Results whole = simulate(scenario);
  const Results cut = simulate(scenario.with("packet_format", "{longest: 8 flit}"));
  const Results headed =
      simulate(scenario.with("packet_format", "{longest: 8 flit, header: 2 flit}"));

  REQUIRE(whole.value("packets") == 4);
  REQUIRE(cut.value("packets") == 4 * 5);
  REQUIRE(done(cut) == done(whole));  // packets follow each other without a gap
  REQUIRE(headed.value("packets") == 4 * 7);
  REQUIRE(done(headed)[0] == done(whole)[0] + 7 * 2);
}

TEST_CASE("durations are rounded to whole cycles once per send and once per receive", "[timed]") {
  const Scenario scenario = star("{ports: all}")
                                .with("clock.period", "3 ns")
                                .with("node.send_overhead", "100 ns")     // 33.33 cycles
                                .with("node.receive_overhead", "50 ns");  // 16.67 cycles

  const Results results = simulate(scenario);

  REQUIRE(done(results)[0] == 33 + network_time() + 17);
  // Unrounded, the model takes 100 ns + network + 50 ns; 50 cycles are 150 ns.
  const double alone = column(results.table("transfers"), "alone_us")[0];
  REQUIRE(alone == Approx(0.150 + 0.003 * network_time()).epsilon(1e-12));
  REQUIRE(results.value("overhead.rounding_us") == Approx(0).margin(1e-12));
}

TEST_CASE("an overhead that is not a whole number of cycles reports its rounding error",
          "[timed]") {
  const Scenario scenario = star("{ports: all}")
                                .with("clock.period", "450 ns")
                                .with("node.send_overhead", "85 us")  // 188.9 cycles
                                .with("node.receive_overhead", "85 us");

  const Results results = simulate(scenario);

  // 189 cycles are 85.05 us.
  REQUIRE(results.value("overhead.rounding_us") == Approx(0.1).epsilon(1e-9));
}

}  // namespace node_test
