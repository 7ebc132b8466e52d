// testbenches/tests/unit/algorithms/traffic/fixed_pattern_test.cpp: patterns that send each node to
// one other.
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"
#include "testbenches/tests/unit/topologies/scratch_file.hpp"

namespace fixed_pattern_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

constexpr int silent = -1;

/// The destination of each node; `silent` for a node that sends nothing.
std::vector<int> destinations(const std::string& kind, const Topology& network,
                              const std::string& parameters = "") {
  const auto pattern = traffic(kind, parameters, network);
  Random random(1, "traffic");
  std::vector<int> found;
  for (int node = 0; node < network.nodes(); ++node) {
    const NodeId destination = pattern->destination(NodeId(node), random);
    found.push_back(destination.valid() ? destination.value() : silent);
  }
  return found;
}

std::string rejected_pattern(const std::string& kind, const Topology& network,
                             const std::string& parameters = "") {
  return rejection([&] { traffic(kind, parameters, network); });
}

}  // namespace

TEST_CASE("bit patterns send to the destinations of their definition", "[traffic]") {
  const Topology eight = mesh({8});

  REQUIRE(destinations("bit_complement", eight) == std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0});
  REQUIRE(destinations("bit_reverse", eight, "self: true") ==
          std::vector<int>{0, 4, 2, 6, 1, 5, 3, 7});
  REQUIRE(destinations("shuffle", eight, "self: true") == std::vector<int>{0, 2, 4, 6, 1, 3, 5, 7});
  REQUIRE(destinations("transpose", mesh({4}), "self: true") == std::vector<int>{0, 2, 1, 3});
}

TEST_CASE("patterns of coordinates add to each of them, modulo the extent", "[traffic]") {
  REQUIRE(destinations("neighbor", mesh({4})) == std::vector<int>{1, 2, 3, 0});
  REQUIRE(destinations("neighbor", mesh({3, 2})) == std::vector<int>{4, 5, 3, 1, 2, 0});
  REQUIRE(destinations("tornado", torus({5})) == std::vector<int>{2, 3, 4, 0, 1});
  REQUIRE(destinations("tornado", torus({4})) == std::vector<int>{1, 2, 3, 0});
  // 3 further in both dimensions of 8: (0, 0) to (3, 3), (6, 7) to (1, 2).
  const std::vector<int> on_square = destinations("tornado", mesh({8, 8}));
  REQUIRE(on_square[0] == 3 + 8 * 3);
  REQUIRE(on_square[6 + 8 * 7] == 1 + 8 * 2);
}

TEST_CASE("transpose exchanges x and y on a square of any width", "[traffic]") {
  REQUIRE(destinations("transpose", mesh({3, 3})) ==
          std::vector<int>{silent, 3, 6, 1, silent, 7, 2, 5, silent});
}

TEST_CASE("transpose of coordinates and of bits are the same where both are defined", "[traffic]") {
  const std::string as_list =
      "nodes: 16, channels: [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], "
      "[5, 6], [6, 7], [7, 8], [8, 9], [9, 10], [10, 11], [11, 12], "
      "[12, 13], [13, 14], [14, 15]]";

  REQUIRE(destinations("transpose", mesh({4, 4})) == destinations("transpose", graph(as_list)));
}

TEST_CASE("every fixed pattern has one source for each destination", "[traffic]") {
  const auto kind = GENERATE(as<std::string>{}, "bit_complement", "bit_reverse", "neighbor",
                             "shuffle", "tornado", "transpose");
  for (const Topology& network :
       {mesh({8, 8}), torus({4, 16}), mesh({2, 4, 8}), torus({16}), mesh({64})}) {
    const std::vector<int> found = destinations(kind, network, "self: true");

    INFO(kind << " on " << network.nodes() << " nodes");
    REQUIRE(std::set<int>(found.begin(), found.end()).size() == found.size());
  }
}

TEST_CASE("a node that a pattern maps to itself sends nothing unless `self` is set", "[traffic]") {
  const Topology eight = mesh({8});

  REQUIRE(destinations("bit_reverse", eight)[5] == silent);
  REQUIRE(destinations("shuffle", eight)[7] == silent);
  REQUIRE(destinations("shuffle", eight, "self: true")[7] == 7);
}

TEST_CASE("patterns reject networks for which they are not defined", "[traffic]") {
  const Topology odd = mesh({3, 2});

  for (const char* kind : {"bit_complement", "bit_reverse", "shuffle", "transpose"}) {
    INFO(kind);
    REQUIRE(has(rejected_pattern(kind, odd),
                {kind, "the number of nodes, 6, is not a power of two", "4 or 8 nodes"}));
  }
  REQUIRE(has(rejected_pattern("transpose", mesh({4, 2})), {"8 nodes has 3 bits", "square"}));
  const Topology ungridded = graph("channels: [[0, 1], [1, 2]]");
  REQUIRE(has(rejected_pattern("tornado", ungridded), {"tornado", "coordinates", "mesh"}));
  REQUIRE(has(rejected_pattern("neighbor", ungridded), {"neighbor", "coordinates"}));
}

TEST_CASE("a pattern without any sender is rejected", "[traffic]") {
  REQUIRE(has(rejected_pattern("tornado", mesh({2, 2})), {"no node sends", "self: true"}));
  REQUIRE(rejected_pattern("tornado", mesh({2, 2}), "self: true").empty());
}

TEST_CASE("a permutation is read from a file, nodes by number or name", "[traffic]") {
  const ScratchFile file("permutation.txt",
                         "# source destination\n0 3_0  # a corner\n\n3_0 0\n2 2\n");
  const Topology network = mesh({4, 2});

  REQUIRE(destinations("permutation", network, "file: " + file.path()) ==
          std::vector<int>{3, silent, silent, 0, silent, silent, silent, silent});
  REQUIRE(destinations("permutation", network, "self: true, file: " + file.path())[2] == 2);
}

TEST_CASE("a permutation's faults are reported with their line", "[traffic]") {
  const Topology network = mesh({4});
  const auto fault = [&](const std::string& text) {
    const ScratchFile file("permutation.txt", text);
    return rejected_pattern("permutation", network, "file: " + file.path());
  };

  REQUIRE(has(fault("0 1\n2\n"), {"permutation.txt:2:1", "1 words", "SOURCE DESTINATION"}));
  REQUIRE(has(fault("0 1\n0 2\n"),
              {"permutation.txt:2:1", "node 0 already has a destination", "one destination"}));
  REQUIRE(has(fault("0 1\n2 1\n"),
              {"permutation.txt:2:1", "node 1 already has a source", "one source"}));
  REQUIRE(has(fault("0 4\n"), {"permutation.txt:1:1", "there is no node 4", "0 .. 3"}));
  REQUIRE(has(fault(""), {"no node sends"}));
  REQUIRE(has(rejected_pattern("permutation", network, "file: no_such.txt"),
              {"cannot read", "no_such.txt", "job's folder"}));
}

}  // namespace fixed_pattern_test
