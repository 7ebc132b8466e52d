// testbenches/tests/paper/tsai_1997/tsai_1997_transposition_test.cpp: matrices transposed,
// section 3.6.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "algorithms/untimed/untimed.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace tsai_1997_transposition_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

struct Transposition {
  explicit Transposition(int width) : network(mesh({width, width})) {}

  Schedule plan(const std::string& kind, const std::string& parameters = "") const {
    return schedule(kind, parameters, demand("transpose", "message: 64 B", network),
                    {network, *xy, 64});
  }
  Untimed judged(const Schedule& plan) const { return evaluate(plan, network, *xy, 64); }

  /// All messages at once, as in the direct method.
  Untimed direct() const {
    Schedule at_once(demand("transpose", "message: 64 B", network));
    for (std::size_t i = 0; i < at_once.demand().deliveries.size(); ++i) {
      const Delivery& delivery = at_once.demand().deliveries[i];
      at_once.send(static_cast<int>(i), delivery.source(), delivery.destinations[0], 1);
    }
    return judged(at_once);
  }

  Topology network;
  std::unique_ptr<RoutingFunction> xy = routing("dimension_order", network);
};

/// The transfers that share a channel with another transfer of their step.
std::set<int> in_contention(const Untimed& run) {
  std::set<int> transfers;
  for (const Contention& contention : run.contentions) {
    transfers.insert(contention.first);
    transfers.insert(contention.second);
  }
  return transfers;
}

}  // namespace

TEST_CASE("a transposition over extended dominating nodes takes k steps on 2^k x 2^k",
          "[paper][Q13][O11][untimed]") {
  const auto [width, messages] =
      GENERATE(table<int, std::vector<int>>({{8, {48, 8, 48}},
                                             {16, {192, 48, 48, 192}},
                                             {32, {768, 192, 32, 192, 768}},
                                             {64, {3072, 768, 192, 192, 768, 3072}}}));
  const Transposition square(width);

  const Untimed run = square.judged(square.plan("edn_transposition", "scatter: aligned"));

  REQUIRE(run.satisfies_demand());
  REQUIRE(run.transfers_per_step == messages);
  REQUIRE(run.contentions.empty());
}

TEST_CASE("either set of collectors works, and 4 x 4 takes two steps", "[paper][O11][untimed]") {
  const std::string collectors = GENERATE("inner", "outer");
  const std::string scatter = GENERATE("eager", "aligned");
  const int width = GENERATE(4, 16);
  const Transposition square(width);

  const Untimed run = square.judged(
      square.plan("edn_transposition", "collectors: " + collectors + ", scatter: " + scatter));

  REQUIRE(run.satisfies_demand());
  REQUIRE(run.steps == (width == 4 ? 2 : 4));
  REQUIRE(run.contentions.empty());
}

TEST_CASE("for odd k, eager blocks contend with three quarters of the swapped messages",
          "[paper][Q13][untimed]") {
  const auto [width, swap_step] = GENERATE(table<int, int>({{8, 2}, {32, 3}}));
  const std::string collectors = GENERATE("inner", "outer");
  const Transposition square(width);
  const Schedule plan =
      square.plan("edn_transposition", "scatter: eager, collectors: " + collectors);

  const Untimed run = square.judged(plan);

  REQUIRE(run.satisfies_demand());
  const Grid& grid = *square.network.grid();
  int swapped = 0;
  int contended = 0;
  const std::set<int> contending = in_contention(run);
  for (std::size_t i = 0; i < plan.transfers().size(); ++i) {
    const Transfer& sent = plan.transfers()[i];
    if (sent.step != swap_step) continue;
    if (grid.coordinate(sent.from, 0) / (width / 2) == grid.coordinate(sent.to, 0) / (width / 2))
      continue;
    ++swapped;
    contended += contending.count(static_cast<int>(i)) > 0 ? 1 : 0;
  }
  REQUIRE(swapped == width);
  REQUIRE(contended == 3 * width / 4);
  for (const Contention& contention : run.contentions) REQUIRE(contention.step == swap_step);
}

TEST_CASE("all but two direct messages contend with others, up to n - 1 on a channel",
          "[paper][Q13][O12][untimed]") {
  const int width = GENERATE(4, 8, 16, 32);
  const Transposition square(width);

  const Untimed run = square.direct();

  REQUIRE(run.satisfies_demand());
  REQUIRE(run.transfers_per_step == std::vector<int>{width * width - width});
  REQUIRE(static_cast<int>(in_contention(run).size()) == width * width - width - 2);
  REQUIRE(run.step_load == std::vector<int>{width - 1});
}

TEST_CASE("messages with combined blocks have up to 5 blocks after one scale, 25 after two",
          "[paper][untimed]") {
  const auto [width, most] = GENERATE(table<int, std::size_t>({{16, 5}, {64, 25}}));
  const Transposition square(width);
  const Schedule plan = square.plan("edn_transposition");

  std::size_t greatest = 0;
  for (const Transfer& sent : plan.transfers()) {
    greatest = std::max(greatest, sent.pieces.size());
    REQUIRE(sent.size.count == 64 * static_cast<std::int64_t>(sent.pieces.size()));
  }
  REQUIRE(greatest == most);
  const Schedule constant = square.plan("edn_transposition", "payload: constant");
  for (const Transfer& sent : constant.transfers()) REQUIRE(sent.size.count == 64);
}

TEST_CASE("a transposition needs a square grid; with dominating nodes its width is a power of two",
          "[paper][untimed]") {
  const Topology oblong = mesh({4, 8});
  REQUIRE(has(rejection([&] { demand("transpose", "message: 8 B", oblong); }), {"square 2D grid"}));
  const Transposition six(6);
  REQUIRE(has(rejection([&] { six.plan("edn_transposition"); }), {"width 4, 8, 16", "separate"}));
}

}  // namespace tsai_1997_transposition_test
