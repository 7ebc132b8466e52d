// testbenches/tests/timed/relay/lan_router_test.cpp: routers in blocks against the formula of their
// times.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/reference/papers/draw_faults.hpp"
#include "testbenches/reference/papers/relay_times.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/relay/lan_cube.hpp"
#include "testbenches/tests/timed/small_network.hpp"

namespace lan_router_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

RelayRules rules_of(const BlockParams& params) {
  return {params.capacity, params.fault_tolerant, params.broadcaster, TieRule::lowest()};
}

/// The timing with the copy for a processor: another T_hs, and the source.
RelayTiming timing_of(const BlockParams& params, std::int64_t data) {
  RelayTiming timing;
  static_cast<RelaySettings&>(timing) = params;
  timing.data = data;
  timing.to_processor = timing.handshake() + (params.fault_tolerant ? 0 : params.field) +
                        (params.stores() ? data * params.field : 0);
  return timing;
}

/// Node, edge, fields.
using Receipt = std::tuple<CubeAddress, std::int64_t, std::vector<CubeBits>>;

/// Sends messages through a cube, each after the arrival of the one before, and compares all
/// arrivals with the formula.
class Multicasts {
 public:
  Multicasts(const BlockParams& params, const CubeFaults& faults, std::uint64_t seed)
      : params_(params),
        faults_(faults),
        random_(seed, "lan_1988"),
        blocks_("cube", params, [this](CubeAddress node) { return faults_.vector_of(node); }) {}

  void compare(int count) {
    for (int i = 0; i < count; ++i) one();
  }

 private:
  void one() {
    const Cube& cube = faults_.cube();
    const CubeNodes nodes = faults_.fault_free();
    const CubeAddress source = nodes[random_.below(nodes.size())];
    const int k = 1 + static_cast<int>(random_.below(nodes.size() - 1));
    const CubeHeader header = header_for(cube, source, draw_uniform(faults_, source, k, random_),
                                         rules_of(params_).format());
    const auto least = static_cast<std::size_t>(params_.fault_tolerant ? 1 : 0);
    std::vector<CubeBits> data;
    for (std::uint64_t left = least + random_.below(20); left > 0; --left)
      data.push_back(
          static_cast<CubeBits>(random_.below(static_cast<std::uint64_t>(cube.nodes()))));
    const std::vector<RelayArrival> arrivals = relay_arrivals(
        cube, rules_of(params_), timing_of(params_, static_cast<std::int64_t>(data.size())), source,
        header, [this](CubeAddress node) { return faults_.vector_of(node); });
    std::vector<CubeBits> fields = fields_of(header);
    fields.insert(fields.end(), data.begin(), data.end());
    const std::int64_t begins = send(source, fields, arrivals.back().time);
    if (!params_.fault_tolerant) data.insert(data.begin(), source);
    std::vector<Receipt> expected;
    for (const RelayArrival& arrival : arrivals)
      expected.emplace_back(arrival.node, begins + arrival.time, data);
    std::sort(expected.begin(), expected.end());
    demand(got() == expected, "message " + std::to_string(++sent_) + " from " +
                                  binary(cube, source) + " to " + std::to_string(k));
  }

  /// Returns: the edge at which its first field is sent.
  std::int64_t send(CubeAddress source, const std::vector<CubeBits>& fields, std::int64_t lasts) {
    blocks_.processor(source).send(0, fields);
    blocks_.run(lasts + 10 * params_.field + params_.selection.count);
    demand(!blocks_.processor(source).sent.empty(), "the message is not sent");
    const std::int64_t begins = blocks_.processor(source).sent.back().edge;
    blocks_.processor(source).sent.clear();
    return begins;
  }

  std::vector<Receipt> got() {
    std::vector<Receipt> all;
    for (CubeAddress node = 0; node <= faults_.cube().all(); ++node) {
      for (const LanMessage& message : blocks_.processor(node).got)
        all.emplace_back(node, message.edge, message.fields);
      blocks_.processor(node).got.clear();
    }
    return all;
  }

  BlockParams params_;
  CubeFaults faults_;
  Random random_;
  LanCube blocks_;
  int sent_ = 0;
};

/// A sixteenth of the messages where instrumentation makes each one slow.
int some(int messages) { return instrumented ? (messages + 15) / 16 : messages; }

}  // namespace

TEST_CASE("a multicast alone arrives at the time of the formula, to the cycle",
          "[timed][paper][lan_1988][lan_1988-O35]") {
  BlockParams params;
  const bool fault_tolerant = GENERATE(false, true);
  std::tie(params.dimensions, params.capacity, params.selection.count, params.field) =
      GENERATE(table<int, int, Cycle, int>(
          {{2, 1, 1, 1}, {3, 4, 10, 1}, {4, 6, 3, 1}, {4, 5, 6, 3}, {5, 8, 10, 1}}));
  params.fault_tolerant = fault_tolerant;
  if (instrumented && params.dimensions == 5) return;
  CAPTURE(params.dimensions, params.field, fault_tolerant);
  REQUIRE(in_child([&] {
            Multicasts(params, CubeFaults(Cube(params.dimensions)), 1)
                .compare(some(params.dimensions < 5 ? 20 : 4));
          }) == "");
}

TEST_CASE(
    "a multicast alone arrives at the time of the formula, in any order of selecting and sending",
    "[timed][paper][lan_1988][lan_1988-O35]") {
  BlockParams params;
  params.dimensions = 4;
  params.capacity = 5;
  params.fault_tolerant = GENERATE(false, true);
  params.selecting = GENERATE(Selecting::overlapped, Selecting::sequential);
  params.branching = GENERATE(Branching::parallel, Branching::serial);
  params.switching = GENERATE(Relaying::relay, Relaying::store_and_forward);
  const bool selects_early = params.selecting == Selecting::overlapped;
  if (instrumented && selects_early != (params.branching == Branching::parallel)) return;
  CAPTURE(params.fault_tolerant, params.selecting, params.branching, params.switching);
  REQUIRE(in_child([&] { Multicasts(params, CubeFaults(Cube(4)), 2).compare(some(8)); }) == "");
}

TEST_CASE("a multicast alone arrives at the time of the formula, with longer handshake times",
          "[timed][paper][lan_1988][lan_1988-O35]") {
  BlockParams params;
  params.dimensions = 4;
  params.capacity = 5;
  params.handshake_time.cycles = GENERATE(2, 3, 6, 9);
  params.field = GENERATE(1, 2);
  CAPTURE(*params.handshake_time.cycles, params.field);
  REQUIRE(in_child([&] { Multicasts(params, CubeFaults(Cube(4)), 3).compare(some(8)); }) == "");
}

TEST_CASE("a multicast alone arrives at the time of the formula, with faulty nodes",
          "[timed][paper][lan_1988][lan_1988-O33]") {
  const auto [n, count] = GENERATE(table<int, int>({{3, 1}, {4, 2}, {4, 3}, {5, 4}}));
  const std::uint64_t seed = GENERATE(1u, 2u);
  if (instrumented && seed > 1) return;
  REQUIRE(in_child([n = n, count = count, seed] {
            BlockParams params;
            params.dimensions = n;
            params.capacity = 5;
            params.fault_tolerant = true;
            Random random(seed, "faults");
            const CubeFaults faults = draw_valid_faults(Cube(n), count, {}, random);
            Multicasts(params, faults, seed).compare(some(n < 5 ? 10 : 3));
          }) == "");
}

namespace {

/// "node@edge" of all receipts of a multicast in Q_3, delayed by `shift`.
std::string receipts(bool fault_tolerant, std::int64_t shift) {
  return in_child([&] {
    std::string all;
    BlockParams params;
    params.fault_tolerant = fault_tolerant;
    LanCube cube("cube", params);
    cube.processor(1).send(1, {4, 0, 3, 6, 7, fault_tolerant ? 0u : 1u, 5, 5, 5});
    cube.run(200);
    for (CubeAddress node = 0; node < 8; ++node)
      for (const LanMessage& message : cube.processor(node).got)
        all += std::to_string(node) + "@" + std::to_string(message.edge + shift) + " ";
    throw std::runtime_error(all);  // carries the text out of the child process
  });
}

}  // namespace

TEST_CASE("without faults the fault-tolerant router delivers as the plain one",
          "[timed][paper][lan_1988]") {
  const std::string plain = receipts(false, 0);
  REQUIRE(std::count(plain.begin(), plain.end(), '@') == 4);
  REQUIRE(receipts(true, 1) == plain);  // processors receive no source, which takes an edge
}

TEST_CASE("concurrent unicasts of all nodes arrive although they contend", "[timed][lan_1988]") {
  const int n = GENERATE(3, 4);
  REQUIRE(in_child([n] {
            BlockParams params;
            params.dimensions = n;
            LanCube cube("cube", params);
            Random random(4, "lan_1988");
            std::map<CubeAddress, std::multiset<std::vector<CubeBits>>> expected;
            for (CubeAddress node = 0; node <= Cube(n).all(); ++node)
              for (CubeBits number = 0; number < 6; ++number) {
                const CubeNodes to = draw_uniform(Cube(n), node, 1, random);
                cube.processor(node).send(1, {1, to[0], node, number, number, number});
                expected[to[0]].insert({node, number, number, number});
              }
            cube.run(4000);
            for (CubeAddress node = 0; node <= Cube(n).all(); ++node) {
              std::multiset<std::vector<CubeBits>> got;
              for (const LanMessage& message : cube.processor(node).got) got.insert(message.fields);
              demand(got == expected[node], "node " + std::to_string(node));
            }
          }) == "");
}

TEST_CASE("a message that Lan's router cannot serve ends the run with the reason", "[timed]") {
  const auto problem = [](const BlockParams& params, const std::vector<CubeBits>& fields) {
    return in_child([&] {
      LanCube cube("cube", params);
      cube.processor(0).send(1, fields);
      cube.run(300);
    });
  };
  BlockParams params;
  REQUIRE_THAT(problem(params, {0, 0, 1}), Catch::Contains("header.k: a message without dest"));
  REQUIRE_THAT(problem(params, {3, 1, 2}), Catch::Contains("header.k: the message ends before"));
  params.data = 4;
  params.capacity = 2;
  REQUIRE(problem(params, {1, 1, 0, 1, 1, 1, 1}) == "");
  REQUIRE_THAT(problem(params, std::vector<CubeBits>(16, 1)),
               Catch::Contains("longer than the buf"));
  params.fault_tolerant = true;
  REQUIRE_THAT(problem(params, {1, 1, 0}), Catch::Contains("data: a message without data"));
  REQUIRE_THAT(problem(prototype_chip(), {5, 1, 2, 3, 4, 5, 0}),
               Catch::Contains("5 destinations, and the router has no broadcaster"));
}

}  // namespace lan_router_test
