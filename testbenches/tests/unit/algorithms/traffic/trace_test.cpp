// testbenches/tests/unit/algorithms/traffic/trace_test.cpp: packets with listed times, sources and
// destinations.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/trace.hpp"

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"
#include "testbenches/tests/unit/topologies/scratch_file.hpp"

namespace trace_test {

using namespace flitwave;
using namespace flitwave::testing;

TEST_CASE("a trace gives every source its packets in the order of their cycles", "[traffic]") {
  const ScratchFile file("trace.txt", "9 0 1 4\n3 2_0 0 1\n3 0 2 2  # cycle 3\n3 0 1 5\n");

  const Trace trace({file.path()}, mesh({3, 1}), 100);

  REQUIRE(trace.packets().size() == 4);
  REQUIRE(trace.first(0) == 0);
  REQUIRE(trace.first(1) == 3);
  REQUIRE(trace.first(2) == 3);
  REQUIRE(trace.first(3) == 4);
  REQUIRE(trace.packets()[0].flits == 2);
  REQUIRE(trace.packets()[1].flits == 5);
  REQUIRE(trace.packets()[2].at == 9);
  REQUIRE(trace.packets()[3].source == NodeId(2));
  REQUIRE(trace.packets()[3].destination == NodeId(0));
  REQUIRE(last_cycle_of_trace({file.path()}) == 9);
}

TEST_CASE("a trace's faults are reported with their line", "[traffic]") {
  const auto fault = [](const std::string& text) {
    const ScratchFile file("trace.txt", text);
    return rejection([&] { Trace({file.path()}, mesh({4}), 100); });
  };

  REQUIRE(has(fault("0 0 1 4\n0 1 2\n"), {"trace.txt:2:1", "3 words", "CYCLE SOURCE"}));
  REQUIRE(has(fault("x 0 1 4\n"), {"trace.txt:1:1", "`x` is not a valid cycle"}));
  REQUIRE(has(fault("9223372036854775808 0 1 4\n"), {"write an integer below 2^63"}));
  REQUIRE(
      has(fault("-1 0 1 4\n"), {"trace.txt:1:1", "no cycle -1",
                                "cycles are 0, the start of the sources, .. 1152921504606846976"}));
  REQUIRE(has(fault("0 0 9 4\n"), {"trace.txt:1:1", "no node 9"}));
  REQUIRE(has(fault("0 0 1 0\n"), {"trace.txt:1:1", "0 flits", "1 .. 100"}));
  REQUIRE(has(fault("0 0 1 101\n"), {"trace.txt:1:1", "101 flits"}));
  REQUIRE(has(fault("# nothing\n"), {"no packets", "CYCLE SOURCE"}));
}

}  // namespace trace_test
