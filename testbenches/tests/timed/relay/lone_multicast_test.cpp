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

constexpr int lone_multicasts = instrumented ? 40 : 100;
constexpr int faulty_multicasts = instrumented ? 30 : 80;

using Break = void (*)(LoneMulticast&, Random&);

void nothing(LoneMulticast& /*lone*/, Random& /*random*/) {}

/// As many valid faults as there may be, and fewer.
void validly(LoneMulticast& lone, Random& random) {
  lone.fault_tolerant = true;
  const auto most = static_cast<std::uint64_t>(std::min(4, lone.cube.dimensions() - 1));
  const auto count = 1 + static_cast<int>(random.below(most));
  lone.break_down(draw_valid_faults(lone.cube, count, {lone.source}, random).nodes(), {});
}

/// More faulty nodes, and broken links.
void badly(LoneMulticast& lone, Random& random) {
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
    const auto known = [&](const CubeLink& other) {
      return other.dimension == link.dimension &&
             (other.end == link.end || other.end == link.other_end());
    };
    const bool works = std::count(working.begin(), working.end(), link.other_end()) > 0;
    if (works && std::none_of(links.begin(), links.end(), known)) links.push_back(link);
  }
  lone.break_down(nodes, links);
}

LoneOutcome require_formula(const char* purpose, int number, Break broken) {
  Random random(static_cast<std::uint64_t>(number), purpose);
  const LoneMulticast lone(3 + number % 5, random, broken);
  INFO(purpose << " " << number);
  const LoneOutcome found = lone.simulated();
  const LoneOutcome expected = lone.by_formula();
  REQUIRE(found.times == expected.times);
  REQUIRE(found.unreachable == expected.unreachable);
  return found;
}

void require_alone(int number) {
  REQUIRE(require_formula("lone multicast", number, nothing).unreachable.empty());
}
void require_round_faults(int number) {
  REQUIRE(require_formula("faulty multicast", number, validly).unreachable.empty());
}
std::size_t given_up(int number) {
  return require_formula("badly faulty multicast", number, badly).unreachable.size();
}

}  // namespace

TEST_CASE("a multicast alone takes what the formula says, to the cycle", "[timed][lan_1988]") {
  const int share = GENERATE(range(0, 10));
  for (int number = share; number < lone_multicasts; number += 10) require_alone(number);
}

TEST_CASE("so it does with any time of the handshake", "[timed][lan_1988][lan_1988-O35]") {
  const int latency = GENERATE(1, 2, 3);
  const int handshake = GENERATE(range(2, 10));
  if (handshake < 2 * latency) return;
  for (int number = 0; number < 4; ++number) {
    Random random(static_cast<std::uint64_t>(number), "handshake");
    LoneMulticast lone(3 + number % 5, random, nothing);
    lone.latency = latency;
    lone.handshake = handshake;
    INFO("latency " << latency << ", handshake " << handshake << ", multicast " << number);
    REQUIRE(lone.simulated() == lone.by_formula());
  }
}

TEST_CASE("so it does over links of any width, up to a bit a cycle",
          "[timed][lan_1988][lan_1988-O35]") {
  for (int number = 0; number < 20; ++number) {
    Random random(static_cast<std::uint64_t>(number), "narrow links");
    LoneMulticast lone(3 + number % 5, random, nothing);
    const std::int64_t fields = lone.data / lone.field;
    lone.link_bits = 1 + number / 5 % lone.cube.dimensions();
    lone.field = (lone.cube.dimensions() + lone.link_bits - 1) / lone.link_bits;  // T_f
    lone.data = fields * lone.field;
    INFO("multicast " << number << ", " << lone.link_bits << " bits");
    REQUIRE(lone.simulated() == lone.by_formula());
    if (lone.cube.dimensions() > 4 || lone.switching == Relaying::virtual_cut_through) continue;
    lone.hop_classes = false;
    lone.ties = Ties::lowest;
    lone.selection = 12;  // no field is awaited
    lone.blocks = true;
    REQUIRE(lone.simulated() == lone.by_formula());
  }
}

TEST_CASE(
    "a lone multicast takes what the formula says when processors get stored messages as they "
    "arrive",
    "[timed][lan_1988]") {
  for (int number = 0; number < 40; ++number) {
    Random random(static_cast<std::uint64_t>(number), "arriving");
    LoneMulticast lone(3 + number % 4, random, nothing);
    lone.switching = Relaying::store_and_forward;
    lone.delivery = StoredDelivery::arriving;
    INFO("multicast " << number);
    REQUIRE(lone.simulated() == lone.by_formula());
  }
}

// NCUBE-64: tau_s = 13.5, tau_p = 232 and tau_t = 1.3 us; a cycle of 1.3 us is the time of a byte,
// so a router's decision is a half cycle off, and the processors' overheads are together.
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
  // Hand-over, T_hs; k, D and S twice with a selection after each; T_hs of the one hop and of the
  // ejection; data and S.
  const int expected = 1 + 2 + 2 * (3 * 5 + 10) + 2 + 10 + 2 + 5;
  REQUIRE(lone.simulated().times == std::map<int, Cycle>{{7, expected}});
}

TEST_CASE("a thousand multicasts alone take what the formula says, to the cycle",
          "[timed][lan_1988][long]") {
  for (int number = 0; number < 1000; ++number) require_alone(number);
}

TEST_CASE("round valid faults every working node is reached, when the formula says",
          "[timed][lan_1988][lan_1988-O30]") {
  const int share = GENERATE(range(0, 10));
  for (int number = share; number < faulty_multicasts; number += 10) require_round_faults(number);
}

TEST_CASE("a thousand multicasts round valid faults take what the formula says",
          "[timed][lan_1988][lan_1988-O30][long]") {
  for (int number = 0; number < 1000; ++number) require_round_faults(number);
}

TEST_CASE("among more faults and broken links some nodes are given up, and listed",
          "[timed][lan_1988]") {
  std::size_t left_out = 0;
  for (int number = 0; number < faulty_multicasts; ++number) left_out += given_up(number);
  REQUIRE(left_out > 0);
}

TEST_CASE("a thousand multicasts among more faults take what the formula says, as far as they come",
          "[timed][lan_1988][long]") {
  for (int number = 0; number < 1000; ++number) given_up(number);
}

}  // namespace lone_multicast_test
