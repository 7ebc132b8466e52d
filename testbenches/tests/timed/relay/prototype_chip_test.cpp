// testbenches/tests/timed/relay/prototype_chip_test.cpp: 3-cubes whose routers have the units of
// the chip of 1987.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/reference/papers/relay_times.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace prototype_chip_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

const char* const chip = "preset: proto_mhu_q3";

/// A multicast of 16 bytes, each a field of one cycle.
Scenario scenario_of(const std::string& router, CubeAddress source, const CubeNodes& destinations,
                     const std::string& period = "100 ns") {
  return Scenario::parse(fmt::format(R"(
scenario: chips
topology: {{kind: hypercube, dimensions: 3}}
clock: {{period: {}}}
channel: {{handshake: request, buffer: 64 flit}}
router: {{kind: greedy_multicast, {}}}
operation: {{kind: multicast, source: {}, destinations: [{}], message: 16 B}}
algorithm: {{kind: hardware_multicast}}
observe: [{{kind: latency, packets: true}}]
)",
                                     period, router, source, fmt::join(destinations, ", ")));
}

/// The address of a node by its label, lowest bit first: 4 for "0_0_1".
int address_of(const std::string& label) {
  int address = 0;
  for (std::size_t i = 0; i < label.size(); i += 2) address |= (label[i] - '0') << (i / 2);
  return address;
}

using Times = std::map<int, Cycle>;

/// The latency of the message to each destination, from its hand-over.
Times simulated(const Scenario& scenario) {
  const Results results = simulate(scenario);
  REQUIRE(results.outcome == Outcome::complete);
  const Table& packets = results.table("packets");
  const std::vector<double> created = column(packets, "created");
  const std::vector<double> ejected = column(packets, "ejected");
  Times times;
  for (std::size_t i = 0; i < created.size(); ++i)
    REQUIRE(
        times.emplace(address_of(packets.rows[i][1]), static_cast<Cycle>(ejected[i] - created[i]))
            .second);
  return times;
}

/// The formula with two cycles per handshake, three at the source and three at the destination.
Times formula(CubeAddress source, const CubeNodes& destinations) {
  const Cube cube(3);
  RelayTiming timing;
  timing.handshake_time = {2};
  timing.from_source = 3;
  timing.to_processor = 3;
  timing.data = 16;
  Times times;
  for (const RelayArrival& arrival : relay_arrivals(cube, prototype_rules(), timing, source,
                                                    header_for(cube, source, destinations)))
    times[static_cast<int>(arrival.node)] = arrival.time;
  return times;
}

}  // namespace

TEST_CASE("the rows of trace A take the chip's selections of 1 us each, to the cycle",
          "[timed][paper][lan_1988][lan_1988-O21]") {
  // 001: 5 fields, a selection, 4 fields, another selection, 16 data. 110 is selected second at the
  // source. 111: 5, 4, 3 and 3 fields, and a selection at each of four routers. Handshakes add 6 +
  // 2 h.
  const Times expected{{1, 5 + 10 + 4 + 10 + 16 + 6 + 2},
                       {6, 5 + 20 + 3 + 10 + 3 + 10 + 16 + 6 + 4},
                       {7, 5 + 10 + 4 + 10 + 3 + 10 + 3 + 10 + 16 + 6 + 6}};
  REQUIRE(simulated(scenario_of(chip, 0, {1, 6, 7})) == expected);
}

TEST_CASE("chips serve up to four destinations in the time of the formula",
          "[timed][paper][lan_1988][lan_1988-O35]") {
  const Cube cube(3);
  Random random(12, "prototype chip");
  for (int number = 0; number < 24; ++number) {
    const auto source = static_cast<CubeAddress>(number % 8);
    CubeNodes destinations = draw_uniform(cube, source, 1 + number % 4, random);
    std::sort(destinations.begin(), destinations.end());
    INFO("from " << source << " to " << fmt::format("{}", fmt::join(destinations, " ")));
    const Times chips = simulated(scenario_of(chip, source, destinations));
    CHECK(chips == formula(source, destinations));
    CHECK(chips == simulated(scenario_of("capacity: 4, broadcaster: false", source, destinations)));
  }
}

TEST_CASE("a chip's selection takes 1 us whatever the clock of its links", "[timed][lan_1988]") {
  const std::string slow = std::string(chip) + ", selection: 2 cycle";
  const Times at_slow_clock = simulated(scenario_of(slow, 0, {3}, "500 ns"));
  const Times at_fast_clock = simulated(scenario_of(chip, 0, {3}));
  REQUIRE(at_fast_clock.at(3) - at_slow_clock.at(3) == 3 * (10 - 2));  // at three routers
}

TEST_CASE("settings that the chip does not have are rejected", "[timed][lan_1988]") {
  const auto require_rejected = [](const std::string& router, const CubeNodes& destinations,
                                   const std::string& period, const std::string& reason) {
    REQUIRE_THROWS_WITH(simulate(scenario_of(router, 0, destinations, period)),
                        Catch::Contains(reason));
  };
  require_rejected(chip, {1, 2, 3, 5, 6}, "100 ns",
                   "5 destinations, and routers without a broadcaster");
  require_rejected(chip, {1, 2, 3, 4, 5, 6, 7}, "100 ns",
                   "for all other nodes, which needs a broadcaster");
  require_rejected(chip, {3}, "1 ns", "router.selection is 10 cycle of 1 ns");
  require_rejected(std::string(chip) + ", ties: highest", {3}, "100 ns", "built for lowest only");
  require_rejected(std::string(chip) + ", buffers: hop_classes", {3}, "100 ns",
                   "built for faithful only");
}

}  // namespace prototype_chip_test
