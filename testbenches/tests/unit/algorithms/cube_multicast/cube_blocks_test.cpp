// testbenches/tests/unit/algorithms/cube_multicast/cube_blocks_test.cpp: the connected blocks
// decide as the router does.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "algorithms/cube_multicast/relay/blocks.hpp"
#include "algorithms/cube_multicast/relay/relay.hpp"
#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/tests/catch.hpp"

namespace cube_blocks_test {

using namespace flitwave;

namespace {

/// A message handling unit composed of these blocks: writes the header into the Store, then runs
/// cycle by cycle.
class Unit {
 public:
  Unit(const Cube& cube, const RelayRules& rules, const RelayMessage& message)
      : cube_(cube), rules_(rules), message_(message) {}

  CubeDecision<CubeHeader> decide() {
    const CubeHeader& header = message_.header;
    bool match = false;
    for (CubeAddress node : header.destinations) {
      const CubeBits relative = node ^ message_.here;
      match = match || matching_checker(relative);
      store_.rows.push_back(relative);
    }
    store_.source = header.last ^ message_.here;
    const bool greedily = type_checker(header.count, rules_.capacity) && !header.for_all(cube_);
    if (greedily)
      multicast();
    else
      broadcast();
    decision_.deliver = header.for_all(cube_) ? !at_source() : match;
    return decision_;
  }

 private:
  bool at_source() const { return rules_.fault_tolerant ? message_.injected : store_.source == 0; }

  void multicast() {
    const CubeBits faults = rules_.fault_tolerant ? message_.faults : 0;
    for (;;) {
      const MulticasterCycle cycle = multicaster(cube_.dimensions(), store_, faults);
      if (cycle.terminates()) break;
      const CubeNodes list = output_port(store_, cycle.rows, message_.here);
      send(cycle.column.lowest, {static_cast<CubeBits>(list.size()), list, message_.header.last});
      clear_rows(store_, cycle.rows);
    }
    for (CubeBits row : store_.rows)
      if (row != 0) decision_.undeliverable.push_back(row ^ message_.here);
  }

  void broadcast() {
    const CubeHeader& header = message_.header;
    const CubeBits flags = broadcaster(cube_.dimensions(), store_.source);
    const CubeBits control = message_.injected ? cube_.all() : header.last;
    const FaultTolerantBroadcast tolerant =
        broadcaster_f(cube_.dimensions(), control, message_.faults);
    for (int j = 0; j < cube_.dimensions(); ++j) {
      const bool sends = has_bit(rules_.fault_tolerant ? tolerant.send : flags, j);
      const CubeBits last =
          rules_.fault_tolerant ? tolerant.control[static_cast<std::size_t>(j)] : header.last;
      if (sends) send(bit(j), {header.count, header.destinations, last});
    }
  }

  void send(CubeBits neighbour, CubeHeader header) {
    decision_.branches.push_back({lowest_bit(neighbour), std::move(header)});
  }

  const Cube& cube_;
  const RelayRules& rules_;
  const RelayMessage& message_;
  StoreContents store_;
  CubeDecision<CubeHeader> decision_;
};

bool equal(const CubeDecision<CubeHeader>& a, const CubeDecision<CubeHeader>& b) {
  if (a.deliver != b.deliver || a.undeliverable != b.undeliverable) return false;
  return std::equal(a.branches.begin(), a.branches.end(), b.branches.begin(), b.branches.end(),
                    [](const CubeBranch<CubeHeader>& one, const CubeBranch<CubeHeader>& other) {
                      return one.dimension == other.dimension && one.message == other.message;
                    });
}

/// Any node, bit or count below 2^n.
CubeBits any(const Cube& cube, Random& random) {
  return static_cast<CubeBits>(random.below(static_cast<std::uint64_t>(cube.nodes())));
}

}  // namespace

TEST_CASE("the connected blocks of a router decide as the router does", "[cube]") {
  Random random(1, "blocks");
  for (int trial = 0; trial < 5000; ++trial) {
    const Cube cube(1 + static_cast<int>(random.below(6)));
    RelayRules rules;
    rules.capacity = 1 + static_cast<int>(random.below(63));
    rules.fault_tolerant = random.below(2) == 1;
    const CubeAddress source = any(cube, random);
    const int k = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(cube.nodes()) - 1));
    const CubeHeader header =
        header_for(cube, source, draw_uniform(cube, source, k, random), rules.format());
    RelayMessage message{any(cube, random), false, header, any(cube, random)};
    message.injected = random.below(4) == 0;
    if (message.injected) message.here = source;
    if (rules.fault_tolerant && !message.injected) message.header.last = any(cube, random);

    REQUIRE(equal(Unit(cube, rules, message).decide(), relay_decision(cube, rules, message)));
  }
}

TEST_CASE("the Output Port returns selected rows as addresses", "[cube]") {
  const StoreContents store{{7 ^ 6, 20 ^ 6, 29 ^ 6, 18 ^ 6, 1 ^ 6, 0 ^ 6}, 0};
  REQUIRE(output_port(store, 0b110110, 6) == CubeNodes{20, 29, 1, 0});
  REQUIRE(output_port(store, 0, 6).empty());
}

}  // namespace cube_blocks_test
