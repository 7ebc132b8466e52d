// testbenches/tests/timed/relay/lone_multicast_test.cpp: Lan's router against the formula of its
// latency.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/timed/relay/lone_multicast.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/reference/papers/draw_faults.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace lone_multicast_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr int lone_multicasts = instrumented ? 10 : 100;
constexpr int faulty_multicasts = instrumented ? 10 : 80;

using MakeFaulty = void (*)(LoneMulticast&, Random&);

void without_faults(LoneMulticast& /*lone*/, Random& /*random*/) {}

/// A random number of valid faults.
void with_valid_faults(LoneMulticast& lone, Random& random) {
  lone.fault_tolerant = true;
  const auto most = static_cast<std::uint64_t>(std::min(4, lone.cube.dimensions() - 1));
  const auto count = 1 + static_cast<int>(random.below(most));
  lone.fail(draw_valid_faults(lone.cube, count, {lone.source}, random).nodes(), {});
}

/// More faulty nodes, and faulty links.
void with_more_faults(LoneMulticast& lone, Random& random) {
  lone.fault_tolerant = true;
  const Cube& cube = lone.cube;
  const auto most = static_cast<std::uint64_t>(cube.dimensions());
  const CubeNodes nodes =
      draw_uniform(cube, lone.source, 1 + static_cast<int>(random.below(most)), random);
  const CubeNodes working = CubeFaults(cube, nodes).fault_free();
  std::vector<CubeLink> links;
  for (std::uint64_t left = 1 + random.below(most); left > 0; --left) {
    const CubeAddress end = working[random.below(working.size())];
    const CubeLink link{end, static_cast<int>(random.below(most))};
    const auto same_link = [&](const CubeLink& other) {
      return other.dimension == link.dimension &&
             (other.end == link.end || other.end == link.other_end());
    };
    const bool works = std::count(working.begin(), working.end(), link.other_end()) > 0;
    if (works && std::none_of(links.begin(), links.end(), same_link)) links.push_back(link);
  }
  lone.fail(nodes, links);
}

LoneOutcome require_formula(const char* purpose, int number, MakeFaulty make_faulty) {
  Random random(static_cast<std::uint64_t>(number), purpose);
  const LoneMulticast lone(3 + number % 5, random, make_faulty);
  INFO(purpose << " " << number);
  const LoneOutcome found = lone.simulated();
  const LoneOutcome expected = lone.by_formula();
  REQUIRE(found.times == expected.times);
  REQUIRE(found.unreachable == expected.unreachable);
  return found;
}

void require_alone(int number) {
  REQUIRE(require_formula("lone multicast", number, without_faults).unreachable.empty());
}
void require_with_valid_faults(int number) {
  REQUIRE(require_formula("faulty multicast", number, with_valid_faults).unreachable.empty());
}
std::size_t unreachable_nodes(int number) {
  return require_formula("badly faulty multicast", number, with_more_faults).unreachable.size();
}

}  // namespace

TEST_CASE("a multicast alone takes the time of the formula, to the cycle", "[timed][lan_1988]") {
  const int share = GENERATE(range(0, 10));
  for (int number = share; number < lone_multicasts; number += 10) require_alone(number);
}

TEST_CASE("a multicast alone takes the time of the formula for any handshake time",
          "[timed][lan_1988][lan_1988-O35]") {
  const int latency = GENERATE(1, 2, 3);
  const int handshake = GENERATE(range(2, 10));
  if (handshake < 2 * latency) return;
  for (int number = 0; number < (instrumented ? 1 : 4); ++number) {
    Random random(static_cast<std::uint64_t>(number), "handshake");
    LoneMulticast lone(3 + number % 5, random, without_faults);
    lone.latency = latency;
    lone.handshake = handshake;
    INFO("latency " << latency << ", handshake " << handshake << ", multicast " << number);
    REQUIRE(lone.simulated() == lone.by_formula());
  }
}

TEST_CASE(
    "a multicast alone takes the time of the formula over links of any width, down to one bit",
    "[timed][lan_1988][lan_1988-O35]") {
  for (int number = 0; number < 20; number += instrumented ? 4 : 1) {
    Random random(static_cast<std::uint64_t>(number), "narrow links");
    LoneMulticast lone(3 + number % 5, random, without_faults);
    const std::int64_t fields = lone.data / lone.field;
    lone.link_bits = 1 + number / 5 % lone.cube.dimensions();
    lone.field = (lone.cube.dimensions() + lone.link_bits - 1) / lone.link_bits;  // T_f
    lone.data = fields * lone.field;
    INFO("multicast " << number << ", " << lone.link_bits << " bits");
    REQUIRE(lone.simulated() == lone.by_formula());
    if (lone.cube.dimensions() > 4 || lone.switching == Relaying::virtual_cut_through) continue;
    lone.hop_classes = false;
    lone.ties = Ties::lowest;
    lone.selection = 12;  // no field is waited for
    lone.blocks = true;
    REQUIRE(lone.simulated() == lone.by_formula());
  }
}

TEST_CASE(
    "a multicast alone takes the time of the formula when stored messages are ejected on arrival",
    "[timed][lan_1988]") {
  for (int number = 0; number < (instrumented ? 6 : 40); ++number) {
    Random random(static_cast<std::uint64_t>(number), "arriving");
    LoneMulticast lone(3 + number % 4, random, without_faults);
    lone.switching = Relaying::store_and_forward;
    lone.delivery = StoredDelivery::arriving;
    INFO("multicast " << number);
    REQUIRE(lone.simulated() == lone.by_formula());
  }
}

// NCUBE-64: tau_s = 13.5, tau_p = 232 and tau_t = 1.3 us. A cycle of 1.3 us is the time of a byte,
// so a router's decision is rounded by half a cycle, and tau_s is the sum of the processors'
// overheads.
TEST_CASE("stored messages take the times of equation 3.4",
          "[timed][paper][lan_1988][lan_1988-O35]") {
  const int hops = GENERATE(range(1, 7));
  for (const int bytes : {8, 64, 256, 512, 1024}) {
    const Results results =
        simulate(Scenario::parse(fmt::format(R"(
scenario: ncube
topology: {{kind: hypercube, dimensions: 6}}
clock: {{period: 1300 ns}}
channel: {{width: 1 B, handshake: request, buffer: 4096 flit}}
router: {{kind: greedy_multicast, switching: store_and_forward, selection: 176 cycle}}
node: {{send_overhead: 3900 ns, receive_overhead: 3900 ns}}
operation: {{kind: unicast, source: 0, destination: {}, message: {} B}}
algorithm: {{kind: hardware_multicast}}
)",
                                             (1 << hops) - 1, bytes - 3)),  // three are addresses
                 standard_catalog());
    REQUIRE(results.outcome == Outcome::complete);
    const double equation = 13.5 + (hops + 1) * (232 + 1.3 * bytes);
    CAPTURE(hops, bytes);
    REQUIRE(results.value("collective.max_us") ==
            Approx(equation).margin(1.3 / 2 * (hops + 1 + 1)).epsilon(0));
  }
}

TEST_CASE("a bit-serial link of Q_5 takes five cycles for a field", "[timed][lan_1988]") {
  LoneMulticast lone(5);
  lone.source = 6;
  lone.destinations = {7};
  lone.link_bits = 1;
  lone.data = 10;  // two fields
  // Hand-over and T_hs; k, D and S twice, with a selection after each; T_hs of the hop and of the
  // ejection; data and S.
  const int expected = 1 + 2 + 2 * (3 * 5 + 10) + 2 + 10 + 2 + 5;
  REQUIRE(lone.simulated().times == std::map<int, Cycle>{{7, expected}});
}

TEST_CASE("a thousand multicasts alone take the time of the formula, to the cycle",
          "[timed][lan_1988][long]") {
  for (int number = 0; number < 1000; ++number) require_alone(number);
}

TEST_CASE("with valid faults every working node is reached in the time of the formula",
          "[timed][lan_1988][lan_1988-O30]") {
  const int share = GENERATE(range(0, 10));
  for (int number = share; number < faulty_multicasts; number += 10)
    require_with_valid_faults(number);
}

TEST_CASE("a thousand multicasts with valid faults take the time of the formula",
          "[timed][lan_1988][lan_1988-O30][long]") {
  for (int number = 0; number < 1000; ++number) require_with_valid_faults(number);
}

TEST_CASE("with more faulty nodes and links some nodes are unreachable and listed",
          "[timed][lan_1988]") {
  std::size_t unreachable = 0;
  for (int number = 0; number < faulty_multicasts; ++number)
    unreachable += unreachable_nodes(number);
  REQUIRE(unreachable > 0);
}

TEST_CASE(
    "a thousand multicasts with more faults take the time of the formula to all reached nodes",
    "[timed][lan_1988][long]") {
  for (int number = 0; number < 1000; ++number) unreachable_nodes(number);
}

}  // namespace lone_multicast_test
