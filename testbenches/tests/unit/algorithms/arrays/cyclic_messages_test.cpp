// testbenches/tests/unit/algorithms/arrays/cyclic_messages_test.cpp: messages between block-cyclic
// distributions.
// SPDX-License-Identifier: Apache-2.0
// Links no SystemC.
#include "algorithms/arrays/cyclic_messages.hpp"

#include <map>
#include <set>

#include "configs/error.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_checks.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_draws.hpp"

namespace cyclic_messages_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

std::set<std::int64_t> indices_of(const std::vector<IndexRuns>& all) {
  std::set<std::int64_t> indices;
  for (const IndexRuns& runs : all)
    for (std::int64_t j = 0; j < runs.repeats; ++j)
      for (std::int64_t i = 0; i < runs.run; ++i)
        REQUIRE(indices.insert(runs.first + i + runs.period * j).second);
  return indices;
}

using Pairs = std::map<std::pair<int, int>, std::set<std::int64_t>>;

Pairs brute_pairs(const CyclicAxis& axis) {
  const auto owner = [](const CyclicSection& side, std::int64_t e) {
    std::int64_t element = side.first;
    for (std::int64_t i = 0; i < e; ++i) element += side.stride;
    return static_cast<int>((element / side.block) % side.processors);
  };
  Pairs pairs;
  for (std::int64_t e = 0; e < axis.elements; ++e)
    pairs[{owner(axis.source, e), owner(axis.destination, e)}].insert(e);
  return pairs;
}

Pairs pairs_of(const CyclicAxis& axis) {
  Pairs pairs;
  for (const CyclicAxisMessage& message : axis.messages()) {
    const auto [place, is_new] =
        pairs.emplace(std::make_pair(message.from, message.to), indices_of(message.indices));
    REQUIRE(is_new);
    REQUIRE(static_cast<std::int64_t>(place->second.size()) == message.elements());
  }
  return pairs;
}

CyclicSection random_side(CaseDraw& draw, std::int64_t elements) {
  const std::int64_t stride = draw.below(2) == 0 ? draw.between(1, 9) : -draw.between(1, 9);
  const std::int64_t lowest = draw.below(20);
  return {stride > 0 ? lowest : lowest - stride * (elements - 1), stride, draw.between(1, 7),
          draw.between(1, 6)};
}

}  // namespace

TEST_CASE("messages between block-cyclic distributions contain each element once", "[arrays]") {
  CaseDraw draw(41);
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t elements = draw.between(1, 150);
    const CyclicAxis axis{random_side(draw, elements), random_side(draw, elements), elements};
    INFO("case " << i << ": " << elements << " elements, " << axis.source.first << ":"
                 << axis.source.stride << " in " << axis.source.block << " on "
                 << axis.source.processors << " to " << axis.destination.first << ":"
                 << axis.destination.stride << " in " << axis.destination.block << " on "
                 << axis.destination.processors);
    REQUIRE(pairs_of(axis) == brute_pairs(axis));
  }
}

TEST_CASE("messages of sections of any length are computed from one period", "[arrays]") {
  const CyclicAxis axis{{0, 1, 2, 3}, {5, 1, 4, 2}, std::int64_t{1} << 40};
  REQUIRE(axis.period() == 24);
  std::int64_t sum = 0;
  std::size_t runs = 0;
  for (const CyclicAxisMessage& message : axis.messages()) {
    sum += message.elements();
    runs += message.indices.size();
  }
  REQUIRE(sum == axis.elements);
  REQUIRE(runs <= 24);
}

TEST_CASE(
    "a cyclic distribution with at least as many processors as blocks is a block distribution",
    "[arrays]") {
  CaseDraw draw(42);
  for (int i = 0; i < 500; ++i) {
    const AxisTransfer rows = draw.any_axis();
    const AxisTransfer columns = draw.any_axis();
    const auto dealt = [](const AxisTransfer& axis) {
      const auto side = [](const BlockSection& of) {
        return CyclicSection{of.section.lower, of.section.stride, of.block, 1000};
      };
      return CyclicAxis{side(axis.source()), side(axis.destination()), axis.elements()};
    };
    const bool transposed = i % 2 == 1;
    const ArrayAssignment of{rows, columns,
                             transposed ? Alignment::transposed : Alignment::identical};
    std::map<std::pair<MeshPlace, MeshPlace>, std::int64_t> found;
    for (const CyclicMessage& message : cyclic_messages(dealt(rows), dealt(columns), transposed)) {
      REQUIRE(message.elements == static_cast<std::int64_t>(indices_of(message.rows).size() *
                                                            indices_of(message.columns).size()));
      found[{message.from, message.to}] += message.elements;
    }
    REQUIRE(found == brute_messages(of));
  }
}

TEST_CASE("a cyclic distribution to itself reversed exchanges mirrored processors", "[arrays]") {
  const CyclicAxis axis{{0, 1, 1, 4}, {15, -1, 1, 4}, 16};
  std::set<std::pair<int, int>> ends;
  for (const CyclicAxisMessage& message : axis.messages()) {
    ends.insert({message.from, message.to});
    REQUIRE(message.elements() == 4);
  }
  REQUIRE(ends == std::set<std::pair<int, int>>{{0, 3}, {1, 2}, {2, 1}, {3, 0}});
}

TEST_CASE("invalid block-cyclic sections are rejected", "[arrays]") {
  const CyclicSection good{0, 1, 1, 2};
  const auto key = [&](const CyclicSection& side) {
    try {
      CyclicAxis{good, side, 4}.messages();
    } catch (const ConfigError& error) {
      return error.key();
    }
    return std::string("accepted");
  };
  REQUIRE(key({0, 0, 1, 2}) == "stride");
  REQUIRE(key({0, 1, 0, 2}) == "block");
  REQUIRE(key({0, 1, 1, 0}) == "processors");
  REQUIRE(key({2, -1, 1, 2}) == "section");
  REQUIRE(key({3, -1, 1, 2}) == "accepted");
}

}  // namespace cyclic_messages_test
